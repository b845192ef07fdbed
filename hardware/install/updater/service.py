"""The service that is updated: what systemd makes of it, and what it shows."""

from __future__ import annotations

import http.client
import json
import subprocess
import tomllib
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

SERVICE = "firmware-bridge.service"
READY_WITHIN = 90
"""Seconds for a release to say that it is ready; a slow card takes 40 the first time."""
LOADED_WITHIN = 300
"""Seconds for a board's firmware to be loaded and read back."""
PLAYED = {"playing", "executing", "restoring", "paused"}
"""What the service calls a game that is under way."""


@dataclass(frozen=True, slots=True)
class Service:
    """The pages of the service that runs.

    Attributes:
        config: its configuration, which says where they are.
    """

    config: Path

    def playing(self) -> bool:
        """Return whether a game is being played, as far as it says."""
        try:
            return json.loads(self._state())["phase"] in PLAYED
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def refuses_its_journal(self) -> bool:
        """Return whether it is ready, but shows nothing except what it cannot read."""
        try:
            self._state()
        except urllib.error.HTTPError as refused:
            return refused.code == HTTPStatus.SERVICE_UNAVAILABLE
        except (OSError, ValueError):
            pass
        return False

    def _state(self) -> bytes:
        port = tomllib.loads(self.config.read_text("utf-8")).get("pages", {}).get("port", 8321)
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{port}/api/v1/state", timeout=10
            ) as answer:
                return bytes(answer.read())
        except http.client.HTTPException as error:  # it ended in mid-answer, or is something else
            raise OSError("what answers there is no service of ours") from error


def systemctl(*arguments: str) -> bool:
    """Ask systemd for something; return whether it was done in time."""
    try:
        done = subprocess.run(  # noqa: S603
            ["systemctl", *arguments],  # noqa: S607
            check=False,
            timeout=READY_WITHIN,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def load_firmware(release: Path) -> bool:
    """Have the service's user load a release's firmware onto a Pico, unless it is there.

    Nothing of this runs as root, and the service stands still meanwhile: it would hold the port.
    """
    systemctl("stop", SERVICE)
    rights = (f"--property={right}" for right in (*_RIGHTS, f"RuntimeMaxSec={LOADED_WITHIN}"))
    command = (release / "bin/firmware-bridge", "firmware", "update", "-c", _CONFIGURATION)
    loading = subprocess.run(  # noqa: S603
        ["systemd-run", "--quiet", "--wait", "--collect", "--pipe", *rights, *command],  # noqa: S607
        check=False,
    )
    return loading.returncode == 0


_CONFIGURATION = "/etc/firmware-bridge/config.toml"
_RIGHTS = (
    "User=firmware-bridge",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "PrivateNetwork=yes",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "DevicePolicy=closed",
    "DeviceAllow=char-ttyACM rw",
)
"""What whoever loads a firmware may: write to a Pico, and no more."""


def crashes() -> int:
    """Return how often the service has been started again since it was started."""
    done = subprocess.run(  # noqa: S603
        ["systemctl", "show", "--property=NRestarts", "--value", SERVICE],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    return int(done.stdout.strip() or 0)
