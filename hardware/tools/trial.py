"""Try the installed service on an emulated machine: `python -m hardware.tools.trial --help`.

The machine is started without a board; the board is plugged in when the service already runs. Then
some turns of every game are played with hands on the simulated board, and the power is cut in the
middle of games, every other time so that nothing is kept of which the disk had not said that it is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import rules
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from hardware.tools.emulated_machine import Disk, Machine, TrialError, ask, free_port, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.interface import Turn

CHECKOUT = Path(__file__).parents[2]
BOOT = 600.0
"""Seconds until an emulated machine must show its page."""
ANSWER = 60.0
"""Seconds until anything else must be seen there."""


class Board:
    """The simulated board, on this machine: its port leads into the emulated one."""

    def __init__(self, folder: Path) -> None:
        """Start it; its files go into the folder."""
        self.port = folder / "port"
        self.url = f"http://127.0.0.1:{free_port()}/"
        page = self.url.rstrip("/").rpartition(":")[2]
        command = [sys.executable, "-m", "firmware_bridge", "simulate", f"--link={self.port}"]
        self._process = subprocess.Popen([*command, f"--page-port={page}"])  # noqa: S603
        within(ANSWER, "the simulated board", lambda: ask(f"{self.url}state"))

    def tell(self, order: str, **body: object) -> None:
        """Have hands or pieces do something; see `drivers.simulator.orders`."""
        ask(f"{self.url}{order}", body)

    def stop(self) -> None:
        """Take it away."""
        self._process.terminate()
        self._process.wait()


class Play:
    """One game as hands play it, from the arrangement that stands on the board."""

    def __init__(self, board: Board, name: str, seed: int) -> None:
        """Set the game up on the board."""
        self._board = board
        self._dice = Random(seed)  # noqa: S311 - which turns are tried, not secrets
        self.position = rules.load(name).start()
        self._pieces = Pieces(simulated_pieces(), self.position.placement, "face")
        board.tell("arrange", name=name)

    def begin(self, machine: Machine, cookie: str) -> None:
        """Agree on it, and start the first clock."""
        ask(f"{machine.url}api/v1/game", {"game": self.position.game.id}, cookie)
        self._wait(machine, "ready")
        self._board.tell("hands", steps=[{"button": "black"}])
        self._wait(machine, "playing")

    def turn(self, machine: Machine) -> None:
        """Play one quiet turn, and see that it was taken."""
        turn, mover = self._dice.choice(list(self._quiet())), self.position.side
        changes = play(self.position, turn, self._pieces, self._dice, [])
        steps = [{"t": each.t, "cell": each.cell, "reading": each.reading} for each in changes]
        self._board.tell("hands", steps=steps)
        self.position = self.position.play(turn)
        within(ANSWER, f"{turn} seen", lambda: "press" in self._words(machine))
        self._board.tell("hands", steps=[{"button": mover}])
        self._expect_side(machine, f"{turn} taken")

    def resume(self, machine: Machine) -> None:
        """See that a machine that starts again knows the game as it was, and go on with it."""
        within(ANSWER, "the game after the cut", lambda: machine.state()["phase"] == "paused")
        self._expect_side(machine, "the turn after the cut")
        self._board.tell("hands", steps=[{"button": self.position.side}])
        self._wait(machine, "playing")

    def _quiet(self) -> Iterator[Turn]:
        """Yield the turns after which as many pieces stand on the board as before."""
        for turn in self.position.turns():
            if len(self.position.play(turn).placement) == len(self.position.placement):
                yield turn

    def _expect_side(self, machine: Machine, what: str) -> None:
        side = self.position.side
        within(ANSWER, what, lambda: machine.state()["sides"][side]["to_act"])

    @staticmethod
    def _words(machine: Machine) -> str:
        return str(machine.state()["headline"]).lower()

    @staticmethod
    def _wait(machine: Machine, phase: str) -> None:
        within(ANSWER, f"phase {phase}", lambda: machine.state()["phase"] == phase)


def main() -> None:
    """Make the disk if there is none, run the trial, and print a line for everything seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where disk and logs are kept")
    parser.add_argument("--architecture", choices=("amd64", "arm64"), default="arm64")
    parser.add_argument("--suite", default="trixie", help="the Debian to install")
    parser.add_argument("--games", nargs="*", default=rules.games(), metavar="GAME")
    parser.add_argument("--plies", type=int, default=6, help="turns of each game")
    parser.add_argument("--cuts", type=int, default=10, help="how often the power is cut")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    folder = wanted.folder.resolve()
    if not (folder / "pristine").exists():
        _make(folder, wanted.architecture, wanted.suite)
    board = Board(folder)
    try:
        _try(Disk(folder, wanted.architecture), board, wanted)
    except TrialError as failed:
        sys.exit(f"Failed: {failed}\nWhat the machine said last is in {folder / 'console'}.")
    finally:
        board.stop()


def _make(folder: Path, architecture: str, suite: str) -> None:
    script = CHECKOUT / "hardware" / "install" / "make-disk"
    subprocess.run([script, architecture, suite, folder], check=True)  # noqa: S603
    (folder / "disk").rename(folder / "pristine")


def _try(disk: Disk, board: Board, wanted: argparse.Namespace) -> None:
    shutil.copyfile(disk.folder / "pristine", disk.path)
    machine = _switch_on(disk, board)
    try:
        for name in wanted.games:
            playing = Play(board, name, wanted.seed)
            playing.begin(machine, machine.referee())
            for _ in range(wanted.plies):
                playing.turn(machine)
            _report(f"{name}: {wanted.plies} turns", machine=machine.state()["headline"])
        for number in range(wanted.cuts):
            machine = _cut(disk, board, machine, playing, lossy=bool(number % 2))
    finally:
        machine.cut()


def _cut(disk: Disk, board: Board, machine: Machine, playing: Play, *, lossy: bool) -> Machine:
    """Cut the power in the middle of the game, start the machine again, and play on."""
    playing.turn(machine)
    machine.cut()
    lost = disk.forget_unflushed(disk.folder / "before") if lossy else 0
    again = _switch_on(disk, board)
    playing.resume(again)
    playing.turn(again)
    _report("power cut, game kept", writes_lost=lost)
    return again


def _switch_on(disk: Disk, board: Board) -> Machine:
    shutil.copyfile(disk.path, disk.folder / "before")
    begun = time.monotonic()
    machine = Machine(disk)
    within(BOOT, "the page of the machine", machine.state)
    live = time.monotonic()
    if machine.ready():
        machine.cut()
        raise TrialError("The service says that a board is there before one was plugged in.")
    machine.plug(board.port)
    within(ANSWER, "a board that is plugged in later", machine.ready)
    _report(
        "switched on",
        seconds_to_page=round(live - begun, 1),
        seconds_from_plug=round(time.monotonic() - live, 1),
    )
    return machine


def _report(what: str, **figures: object) -> None:
    sys.stdout.write(json.dumps({"seen": what, **figures}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
