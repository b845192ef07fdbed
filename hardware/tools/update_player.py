"""Hands that play in a machine while it is updated: runs there, beside the service.

It says a line for each turn that the service has acknowledged, and for each thing seen, where the
machine's kernel speaks.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from hardware.tools.emulated_machine import PIN, ask, within
from hardware.tools.trial import ANSWER, BOOT, Board, Play

URL = "http://127.0.0.1:8321/"
STATUS = Path("/opt/firmware-bridge/update.json")
BOARD = Path("/run/board")
SPOOL = Path("/var/spool/firmware-bridge")
STICK, PLUGGED = Path("/dev/vdb"), Path("/run/stick")
"""The machine's second drive, and what lies there once that is plugged in."""
ONLY_PLUG = "--only-plug"
"""Leaves all the rest to whoever is at the page."""
USER = "firmware-bridge"
TURNS = 2
OK = 200
SAYS = "hands: "


class Here:
    """The machine that this runs on, as `Play` asks one."""

    url = URL

    def state(self) -> dict[str, Any]:
        """Return what the display shows."""
        answer: dict[str, Any] = ask(f"{URL}api/v1/state?language=en")[0]
        return answer

    def ready(self) -> bool:
        """Tell whether the service has its board."""
        with urllib.request.urlopen(f"{URL}readyz", timeout=20) as answer:  # noqa: S310
            return bool(answer.status == OK)


def main() -> None:
    """Play a game, and where there is a stick go on through an update until that is kept."""
    BOARD.mkdir(exist_ok=True)
    here = Here()
    board = Board(BOARD)
    shutil.chown(os.path.realpath(board.port), USER)
    playing = Play(board, "mockery", 1)
    say("the board is there")
    within(ANSWER, "its board", here.ready)
    playing.begin(here, ask(f"{URL}api/v1/referee", {"key": PIN})[1])
    say("begun")
    for _ in range(TURNS):
        turn(here, playing)
    say("played")
    if not STICK.exists():
        return
    PLUGGED.touch()
    subprocess.run(["udevadm", "trigger", "--action=add", f"--name-match={STICK}"], check=True)  # noqa: S603, S607
    if ONLY_PLUG in sys.argv:
        signal.pause()
    within(ANSWER, "the offer", (SPOOL / "offered/offer.json").exists)
    say("offered")
    ask(f"{URL}api/v1/update/install", {"key": PIN})
    say("wished")
    while told() != "waiting":
        turn(here, playing)
    ask(f"{URL}api/v1/update/now", {"key": PIN})
    say("not to wait")
    within(BOOT, "the new release", lambda: told() == "watching")
    within(BOOT, "the pause", lambda: here.state()["phase"] == "paused")
    playing.resume(here)
    say("resumed")
    while told() == "watching":
        turn(here, playing)
    say(told())


def turn(here: Here, playing: Play) -> None:
    """Play a turn, say so, and leave the processor to others."""
    playing.turn(here)
    say(f"turn {playing.turns[-1]}")
    time.sleep(3)


def told() -> str:
    """Return how the update stands."""
    return str(json.loads(STATUS.read_text())["state"]) if STATUS.exists() else ""


def say(what: str) -> None:
    """Say something to whoever looks on."""
    Path("/dev/kmsg").write_text(f"{SAYS}{what}\n")


if __name__ == "__main__":
    main()
