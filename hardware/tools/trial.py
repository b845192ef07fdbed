"""Try the installed service on an emulated machine: `python -m hardware.tools.trial --help`.

The machine is started without a board; the board is plugged in when the service already runs, in
turns as a Pico and as a USB serial adapter. Some turns of every game are played with hands on the
simulated board. In the middle of games another version is installed and taken back, and the power
is cut while the machine writes without end, every other time so that writes are lost of which the
disk had not said that it keeps them. At last
everything is removed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

import rules
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from hardware.tools.emulated_console import ConsoleError
from hardware.tools.emulated_disk import Disk, DiskError, copy_disk, turns_on
from hardware.tools.emulated_machine import Machine, TrialError, ask, free_port, within
from rules.interface import Turn

CHECKOUT = Path(__file__).parents[2]
INSTALLED = (
    *("drivers", "firmware_bridge", "rules", "requirements", "pyproject.toml"),
    *("hardware/firmware", "hardware/install"),
)
"""What of the checkout makes the disk what it is."""
BOOT = 3600.0
"""Seconds until an emulated machine must show its page."""
ANSWER = 300.0
"""Seconds until anything else must be seen there."""
UPDATE = 3000.0
"""Seconds until another version must be installed there."""
VERSION = "firmware-bridge --version"
SURVIVALS = (None, 0.0, None, 0.5)
"""Cut after cut, how likely a write survives that was not flushed; None cuts without loss."""
RESTLESS = (
    "sysctl -q vm.dirty_expire_centisecs=10 vm.dirty_writeback_centisecs=10; "
    "systemd-run --quiet sh -c 'while :; do"
    " dd if=/dev/urandom of=/var/tmp/restless bs=64k count=4; sleep 0.05; done'"
)
"""Has the machine write for ever, and never ask that anything be kept."""
OWNED = ["/etc/firmware-bridge", "/var/backups/firmware-bridge", "/var/lib/firmware-bridge"]
"""What the installer leaves when it removes the service."""


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


class Asked(Protocol):
    """A machine as hands know it: the address of its pages, and what its display shows."""

    url: str

    def state(self) -> dict[str, Any]:
        """Return what the display shows."""


class Play:
    """One game as hands play it, from the arrangement that stands on the board."""

    def __init__(self, board: Board, name: str, seed: int) -> None:
        """Set the game up on the board."""
        self._board = board
        self._dice = Random(seed)  # noqa: S311 - which turns are tried, not secrets
        self.position = rules.load(name).start()
        self.turns: list[str] = []
        self._pieces = Pieces(simulated_pieces(), self.position.placement, "face")
        board.tell("arrange", name=name)

    def begin(self, machine: Asked, cookie: str) -> None:
        """Agree on it, and start the first clock."""
        ask(f"{machine.url}api/v1/game", {"game": self.position.game.id}, cookie)
        self._wait(machine, "ready")
        self._board.tell("hands", steps=[{"button": "black"}])
        self._wait(machine, "playing")

    def turn(self, machine: Asked) -> None:
        """Play one quiet turn, and see that it was taken."""
        turn, mover = self._dice.choice(list(self._quiet())), self.position.side
        changes = play(self.position, turn, self._pieces, self._dice, [])
        steps = [{"t": each.t, "cell": each.cell, "reading": each.reading} for each in changes]
        self._board.tell("hands", steps=steps)
        self.position = self.position.play(turn)

        def seen() -> bool:
            return self._passed_on(machine) or "press" in str(machine.state()["headline"]).lower()

        within(ANSWER, f"{turn} seen", seen)
        if not self._passed_on(machine):  # without clocks nobody has to press
            self._board.tell("hands", steps=[{"button": mover}])
        self._expect_side(machine, f"{turn} taken")
        self.turns.append(str(turn))

    def resume(self, machine: Asked) -> None:
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

    def _expect_side(self, machine: Asked, what: str) -> None:
        within(ANSWER, what, lambda: self._passed_on(machine))

    def _passed_on(self, machine: Asked) -> bool:
        """Return whether the side is to act that is after all turns so far."""
        return bool(machine.state()["sides"][self.position.side]["to_act"])

    @staticmethod
    def _wait(machine: Asked, phase: str) -> None:
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
    parser.add_argument("--moments", type=int, default=20, help="cuts only looked at on the disk")
    parser.add_argument("--no-update", dest="update", action="store_false")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    folder = wanted.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _make(folder, wanted.architecture, wanted.suite)
    board = Board(folder)
    try:
        _try(Disk(folder, wanted.architecture), board, wanted)
    except (TrialError, DiskError, ConsoleError) as failed:
        sys.exit(f"Failed: {failed}\nWhat the machine said last is in {folder / 'console'}.")
    finally:
        board.stop()


def _make(folder: Path, architecture: str, suite: str) -> None:
    """Make the disk, unless the one that is there was made of the same."""
    trees = ["git", "-C", str(CHECKOUT), "rev-parse", *(f"HEAD:{path}" for path in INSTALLED)]
    made_of = f"{architecture} {suite} {subprocess.check_output(trees, text=True)}"  # noqa: S603
    note = folder / "made-of"
    if note.exists() and note.read_text() == made_of:
        return
    script = CHECKOUT / "hardware" / "install" / "make-disk"
    subprocess.run([script, architecture, suite, folder], check=True)  # noqa: S603
    (folder / "disk").rename(folder / "pristine")
    note.write_text(made_of)


def _try(disk: Disk, board: Board, wanted: argparse.Namespace) -> None:
    copy_disk(disk.folder / "pristine", disk.path)
    machine = _switch_on(disk, board, Plug(pico=True, before=False))
    try:
        for number, name in enumerate(wanted.games):
            _plug_again(machine, board, pico=bool(number % 2))
            playing = Play(board, name, wanted.seed)
            playing.begin(machine, machine.referee())
            for _ in range(wanted.plies):
                playing.turn(machine)
            report(f"{name}: {wanted.plies} turns", machine=machine.state()["headline"])
        if wanted.update:
            _update(machine, playing)
        dice = Random(wanted.seed)  # noqa: S311 - which writes are lost, no secrets
        _look_after_cuts(machine, playing, wanted.moments, dice)
        for number in range(wanted.cuts):
            plug = Plug(pico=bool(number // 2 % 2), before=not number % 2)
            cut = Cut(plug, SURVIVALS[number % len(SURVIVALS)], dice)
            machine = _cut(disk, board, machine, playing, cut)
        _look(machine)
        _remove(machine)
    finally:
        machine.cut()


def _update(machine: Machine, playing: Play) -> None:
    """Install another version in the middle of a game, and go back to the one before."""
    shell = machine.shell(ANSWER)
    installer = "PIP_CERT=/srv/trusted.crt /srv/checkout/hardware/install/install"
    first = shell.run(VERSION)
    shell.run("sed -i 's/^version = .*/version = \"99.0.0\"/' /srv/checkout/pyproject.toml")
    for command, version in ((installer, "99.0.0"), (f"{installer} --rollback", first)):
        playing.turn(machine)
        begun = time.monotonic()
        shell.run(command, UPDATE)
        took = round(time.monotonic() - begun, 1)
        if version not in shell.run(VERSION):
            raise TrialError(f"{command}: {shell.run(VERSION)} runs, not {version}.")
        playing.resume(machine)
        report("another version, game kept", version=version, seconds=took)


def _look(machine: Machine) -> None:
    """Report what the service takes."""
    shell = machine.shell(ANSWER)
    peak = int(shell.run("systemctl show --property=MemoryPeak --value firmware-bridge"))
    report("memory of the service", megabytes=round(peak / 1e6))


def _remove(machine: Machine) -> None:
    """Remove everything, and see that only what players own is left."""
    shell = machine.shell(ANSWER)
    shell.run("systemctl start firmware-bridge-backup", ANSWER)
    shell.run("/srv/checkout/hardware/install/install --remove", ANSWER)
    places = "/etc /opt /usr /var/lib /var/backups /run/systemd/system"
    shell.run("! systemctl is-active --quiet firmware-bridge")
    left = shell.run(f"find {places} -xdev -name '*firmware-bridge*' -prune | sort").split()
    if left != OWNED:
        raise TrialError(f"After removal there is {left}, not {OWNED}.")
    report("removed", left=left)


def _look_after_cuts(machine: Machine, playing: Play, moments: int, dice: Random) -> None:
    """Look, each time a turn has just been taken, at what a cut would have left on the disk."""
    machine.shell(ANSWER).run(RESTLESS)
    disk, losses = machine.disk, []
    for number in range(moments):
        playing.turn(machine)
        left = disk.folder / "cut"
        losses.append(disk.after_cut(left, dice, 0.5 * (number % 2)).lost)
        turns = turns_on(left, disk.folder / "games")
        if turns != playing.turns:
            raise TrialError(f"A cut leaves {turns}, not {playing.turns}.")
    if moments:
        report("cuts on the disk, all turns kept", cuts=moments, writes_lost=sorted(losses))


def _cut(disk: Disk, board: Board, machine: Machine, playing: Play, cut: Cut) -> Machine:
    """Cut the power in the middle of the game, start the machine again, and play on."""
    machine.shell(ANSWER).run(RESTLESS)
    playing.turn(machine)
    if cut.survival is not None:
        within(ANSWER, "something to lose", lambda: disk.holds_back)
    machine.cut()
    found = None
    if cut.survival is not None:
        found = disk.after_cut(disk.path, cut.dice, cut.survival)
        if not found.lost:
            raise TrialError("The cut had nothing to lose.")
    again = _switch_on(disk, board, cut.plug)
    playing.resume(again)
    playing.turn(again)
    writes = {} if found is None else {"unflushed": found.writes, "writes_lost": found.lost}
    report("power cut, game kept", **writes)
    return again


@dataclass(frozen=True)
class Cut:
    """How the power is cut, and how the board is plugged in afterwards.

    Attributes:
        plug: how it is plugged in.
        survival: how likely a write gets through that the disk had not been told to keep; None
            where every one does.
        dice: decide which.
    """

    plug: Plug
    survival: float | None
    dice: Random


@dataclass(frozen=True)
class Plug:
    """How a board is plugged into a machine: as what, and whether before it is switched on."""

    pico: bool
    before: bool


def _switch_on(disk: Disk, board: Board, plug: Plug) -> Machine:
    copy_disk(disk.path, disk.before)
    begun = time.monotonic()
    machine = Machine(disk)
    try:
        live, plugged = _come_up(machine, board, plug)
    except BaseException:
        machine.cut()
        raise
    report(
        "switched on",
        board="Pico" if plug.pico else "adapter",
        plugged="before" if plug.before else "later",
        seconds_to_page=round(live - begun, 1),
        seconds_from_plug=round(time.monotonic() - plugged, 1),
    )
    return machine


def _come_up(machine: Machine, board: Board, plug: Plug) -> tuple[float, float]:
    """Wait until the service has its board; return when its page, and when the board, was there."""
    if plug.before:
        machine.plug(board.port, pico=plug.pico)
    within(BOOT, "the page of the machine", machine.state)
    live = plugged = time.monotonic()
    if not plug.before:
        if machine.ready():
            raise TrialError("The service says that a board is there before one was plugged in.")
        machine.plug(board.port, pico=plug.pico)
    within(ANSWER, "a board that is plugged in", machine.ready)
    return live, plugged


def _plug_again(machine: Machine, board: Board, *, pico: bool) -> None:
    """Pull the cable and plug the board in as something else."""
    machine.unplug()
    within(ANSWER, "the missing board noticed", lambda: not machine.ready())
    plugged = time.monotonic()
    machine.plug(board.port, pico=pico)
    within(ANSWER, "a board that is plugged in again", machine.ready)
    seconds = round(time.monotonic() - plugged, 1)
    report("plugged in again", board="Pico" if pico else "adapter", seconds_from_plug=seconds)


def report(what: str, **figures: object) -> None:
    """Print a line about what was seen."""
    sys.stdout.write(json.dumps({"seen": what, **figures}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
