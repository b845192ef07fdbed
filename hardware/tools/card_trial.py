"""Try the image for a card on an emulated machine: `python -m hardware.tools.card_trial --help`.

The card is started, refuses a wrong answer and takes right ones on its page, and plays. The power
is cut. Then a file on its boot partition, as any PC could write it, answers anew: a kiosk, and
nothing but games written to the card. The game goes on there, the power is cut again, so that
writes are lost which were not flushed, and no byte of the root has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from random import Random

from hardware.tools.emulated_console import ConsoleError
from hardware.tools.emulated_disk import Disk, DiskError, copy_disk
from hardware.tools.emulated_machine import PIN, Machine, TrialError, ask, within
from hardware.tools.trial import ANSWER, BOOT, CHECKOUT, Board, Play, report

CARD_BYTES = 4 * 2**30
"""The smallest card that is sold, and more than the image has."""
MIB = 2**20
ROOT = 3
"""The root's place in the table of partitions; the boot partition is the first."""
CHECKED = ((1024 + 0x30, 4), (1024 + 0x178, 8), (1024 + 0x3FC, 4))
"""Where a superblock tells when, and how much was ever written, and its sum: `e2fsck` writes these
where it finds nothing to mend, too."""
HOME = {"language": "de", "board": "starter", "use": "home", "hostname": "brett", "pin": PIN}
KIOSK = (
    f"""board = "starter"\nuse = "kiosk"\nhostname = "club"\npin = "{PIN}"\nprotected = true\n"""
)


class Card(Disk):
    """A card in the emulated machine; its boot partition can be read and written between starts."""

    @property
    def root(self) -> str:
        """What a Pi's firmware tells the kernel, but for the console, and a shell to look from."""
        told = (self.folder / "cmdline.txt").read_text().split()
        kept = (word for word in told if not word.startswith("console="))
        return " ".join((*kept, "systemd.debug_shell=hvc0"))

    def insert(self, image: Path) -> None:
        """Write the image to a card, and take the kernel from it as a Pi's firmware would."""
        copy_disk(image, self.path)
        with self.path.open("r+b") as card:
            card.truncate(CARD_BYTES)
        for name, kept in (
            ("vmlinuz*", "vmlinuz"),
            ("initrd*", "initrd"),
            ("cmdline.txt", "cmdline.txt"),
        ):
            (self.folder / kept).unlink(missing_ok=True)
            _run("mcopy", "-i", f"{self.path}@@1M", f"::{name}", str(self.folder / kept))

    def put(self, name: str, text: str) -> None:
        """Write a file to the boot partition."""
        (self.folder / name).write_text(text)
        _run("mcopy", "-o", "-i", f"{self.path}@@1M", str(self.folder / name), "::")

    def has(self, name: str) -> bool:
        """Tell whether a file is on the boot partition."""
        listed = _run("mdir", "-b", "-i", f"{self.path}@@1M", "::")
        return f"::/{name}" in listed.split()

    def root_place(self) -> tuple[int, int]:
        """Return where the root begins and how long it is, in bytes."""
        table = json.loads(_run("sfdisk", "--json", str(self.path)))["partitiontable"]
        found = table["partitions"][ROOT - 1]
        return found["start"] * 512, found["size"] * 512

    def fingerprint(self) -> str:
        """Return the SHA-256 of the root, but for what `e2fsck` notes there at each start."""
        start, size = self.root_place()
        digest = hashlib.sha256()
        with self.path.open("rb") as card:
            card.seek(start)
            head = bytearray(card.read(MIB))
            for place, length in CHECKED:
                head[place : place + length] = bytes(length)
            digest.update(head)
            while (size := size - MIB) > 0 and (block := card.read(min(MIB, size))):
                digest.update(block)
        return digest.hexdigest()

    def filesystem_bytes(self) -> int:
        """Return the size of the file system on the root."""
        start, _ = self.root_place()
        said = _run("dumpe2fs", "-h", f"{self.path}?offset={start}")
        numbers = dict(line.split(":", 1) for line in said.splitlines() if ":" in line)
        return int(numbers["Block count"]) * int(numbers["Block size"])


def main() -> None:
    """Make the image if there is none, run the trial, and print a line for everything seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where image, card and logs are kept")
    parser.add_argument("--architecture", choices=("amd64", "arm64"), default="arm64")
    parser.add_argument("--suite", default="trixie", help="the Debian to install")
    parser.add_argument("--page-only", action="store_true", help="stop at the first start's page")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    folder = wanted.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "card.img"
    if not image.exists():
        script = CHECKOUT / "hardware" / "install" / "make-card"
        subprocess.run([script, wanted.architecture, wanted.suite, folder], check=True)  # noqa: S603
    card = Card(folder, wanted.architecture)
    card.insert(image)
    board = Board(folder, "starter")
    try:
        _try(card, board, wanted)
    except (TrialError, ConsoleError, DiskError) as failed:
        sys.exit(f"Failed: {failed}\nWhat the machine said last is in {folder / 'console'}.")
    finally:
        board.stop()


def _try(card: Card, board: Board, wanted: argparse.Namespace) -> None:
    dice = Random(wanted.seed)  # noqa: S311 - which writes are lost, no secrets
    machine = _switch_on(card)
    try:
        _answer(machine)
        if wanted.page_only:
            return
        _expect(machine, language="de", kiosk=False)
        playing = Play(board, "mockery", wanted.seed)
        machine.plug(board.port, pico=True)
        within(ANSWER, "the board", machine.ready)
        playing.begin(machine, machine.referee())
        _two_turns(machine, playing)
        _cut(card, machine, dice)
        if card.has("first-start.toml"):
            raise TrialError("first-start.toml is still there after the answers.")
        if card.filesystem_bytes() < CARD_BYTES - card.root_place()[0] - MIB:
            raise TrialError("The root did not grow to the end of the card.")
        report("the root has grown", megabytes=card.root_place()[1] // MIB)
        machine = _play_on(card, board, playing)
        machine.cut()
        card.put("first-start.toml", KIOSK)
        machine = _play_on(card, board, playing)
        _expect(machine, language="en", kiosk=True)
        before = card.fingerprint()
        _two_turns(machine, playing)
        _cut(card, machine, dice)
        machine = _play_on(card, board, playing)
        machine.cut()
        if card.fingerprint() != before:
            raise TrialError("The protected root has changed.")
        report("protected: no byte of the root has changed", sha256=before)
    finally:
        machine.cut()


def _switch_on(card: Card) -> Machine:
    copy_disk(card.path, card.before)
    return Machine(card)


def _answer(machine: Machine) -> None:
    """Give a wrong answer and right ones, when the page asks."""
    begun = time.monotonic()
    page = within(BOOT, "the page of the first start", lambda: _page(machine)[1])
    if '<form method="post"' not in page:
        raise TrialError(f"The first page asks nothing: {page}")
    report("the first start asks", seconds=round(time.monotonic() - begun, 1))
    for said, expected in (({**HOME, "pin": "1"}, 422), (HOME, 200)):
        status, page = _page(machine, said)
        if status != expected:
            raise TrialError(f"{said} gives {status}: {page}")
    report("refused a wrong PIN, took the answers")


def _page(
    machine: Machine, said: dict[str, str] | None = None, *, path: str = ""
) -> tuple[int, str]:
    body = None if said is None else urllib.parse.urlencode(said).encode()
    try:
        with urllib.request.urlopen(machine.url + path, body, timeout=20) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def _expect(machine: Machine, *, language: str, kiosk: bool) -> None:
    """See that the service is there as it was answered."""
    begun = time.monotonic()
    # The first start's page, which knows no other, answers until the machine goes down.
    within(BOOT, "the service", lambda: _page(machine, path="api/v1/state")[0] == 200)
    page = within(ANSWER, "its page", lambda: _page(machine)[1])
    if f'lang="{language}"' not in page:
        raise TrialError(f"The page is not in {language}.")
    if ask(f"{machine.url}api/v1/kiosk")[0]["kiosk"] != kiosk:
        raise TrialError("It is a kiosk that should be none, or none that should be one.")
    seconds = round(time.monotonic() - begun, 1)
    report("the service as it was answered", language=language, kiosk=kiosk, seconds=seconds)


def _two_turns(machine: Machine, playing: Play) -> None:
    for _ in range(2):
        playing.turn(machine)
    report("two turns", machine=machine.state()["headline"])


def _cut(card: Card, machine: Machine, dice: Random) -> None:
    """Cut the power; of what was not flushed, about half is lost."""
    machine.cut()
    found = card.after_cut(card.path, dice, 0.5)
    report("power cut", unflushed=found.writes, writes_lost=found.lost)


def _play_on(card: Card, board: Board, playing: Play) -> Machine:
    """Start again, see that the game is there as it was, and play on."""
    begun = time.monotonic()
    machine = _switch_on(card)
    try:
        machine.plug(board.port, pico=True)
        within(2 * BOOT, "the service with its board", machine.ready)
        seconds = round(time.monotonic() - begun, 1)
        playing.resume(machine)
        playing.turn(machine)
    except BaseException:
        machine.cut()
        raise
    report("started again, the game is there and goes on", seconds_to_live=seconds)
    return machine


def _run(*command: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        raise TrialError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


if __name__ == "__main__":
    main()
