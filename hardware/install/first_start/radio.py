"""The wireless network, as NetworkManager's own command tells and changes it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

OWN = "own-network"
"""The connection that makes a network of our own, for whoever has to answer its page."""
ADDRESS = "10.42.0.1"
PASSWORD = "firmware-bridge"  # noqa: S105 - known to all: it stops passing telephones, nobody else
PROFILES = "etc/NetworkManager/system-connections"
NAMES = "etc/NetworkManager/dnsmasq-shared.d/firmware-bridge.conf"
LEASES = Path("/var/lib/NetworkManager")
JOIN_S = 60
"""How long a network may take to let somebody in; with a wrong password it takes about thirty."""
_REFUSED, _NOT_FOUND = {7, 8, 9, 10, 11}, {53}  # of NetworkManager's reasons for a device's state


def own_network(name: str) -> str:
    """Return the network that this machine makes itself, as NetworkManager keeps it."""
    ssid = "".join(f"{byte};" for byte in name.encode()[:32])
    return "\n".join(
        (
            *("[connection]", f"id={OWN}", "type=wifi", "autoconnect=false"),
            *("[wifi]", "mode=ap", "band=bg", f"ssid={ssid}"),
            *("[wifi-security]", "key-mgmt=wpa-psk", f"psk={PASSWORD}", "proto=rsn;"),
            *("pairwise=ccmp;", "group=ccmp;"),
            *("[ipv4]", "method=shared", f"address1={ADDRESS}/24", "[ipv6]", "method=disabled", ""),
        )
    )


class Radio:
    """What can be asked of the network, and done to it.

    Args:
        command: what is run; NetworkManager's.
    """

    def __init__(self, command: str = "nmcli") -> None:
        self._command = command

    def exists(self) -> bool:
        """Tell whether there is a wireless device at all."""
        return any(kind == "wifi" for kind, _, _ in self._devices())

    def is_connected(self) -> bool:
        """Tell whether a cable or a network that is not ours leads anywhere."""
        return any(
            kind in {"wifi", "ethernet"} and state.startswith("connected") and name != OWN
            for kind, state, name in self._devices()
        )

    def in_sight(self) -> tuple[str, ...]:
        """Return the names of networks that are heard, the strongest first."""
        told = self._ask("--fields", "SSID", "device", "wifi", "list", "--rescan", "yes")
        return tuple(dict.fromkeys(name for name in map(_plain, told.splitlines()) if name))

    def open_own(self) -> None:
        """Make our own network; OSError if that fails."""
        done = self._run("connection", "reload")
        done = self._run("--wait", "30", "connection", "up", OWN)
        if done.returncode:
            raise OSError(done.stderr.strip() or done.stdout.strip())

    def close_own(self) -> None:
        """End our own network, so that others can be heard and joined."""
        self._run("connection", "down", OWN)

    def join(self, connection: str) -> str:
        """Join a network that was written down; return the key of what is wrong, or nothing."""
        self._run("connection", "reload")
        done = self._run("--wait", str(JOIN_S), "connection", "up", connection)
        if not done.returncode:
            return ""
        reason = re.search(r"\((\d+)\)", done.stderr + done.stdout)
        number = int(reason[1]) if reason else 0
        if number in _REFUSED:
            return "bad-join-refused"
        return "bad-join-not-there" if number in _NOT_FOUND else "bad-join"

    def guests(self) -> int:
        """Return how many have joined our own network."""
        return sum(len(file.read_text().splitlines()) for file in LEASES.glob("dnsmasq-*.leases"))

    def _devices(self) -> list[tuple[str, str, str]]:
        told = self._ask("--fields", "TYPE,STATE,CONNECTION", "device")
        parts = (re.split(r"(?<!\\):", line, maxsplit=2) for line in told.splitlines())
        return [(kind, state, _plain(name)) for kind, state, name in parts]

    def _ask(self, *words: str) -> str:
        return self._run("--terse", *words).stdout

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        call = [self._command, *words]
        return subprocess.run(call, capture_output=True, text=True, timeout=2 * JOIN_S, check=False)  # noqa: S603


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
