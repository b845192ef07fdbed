"""Ask, write down, restart the machine; runs as root while the file that asks for it is there."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from . import imager
from .answers import BOARDS, Answers, answers_of, read_file
from .page import FirstStart
from .restoring import restore
from .writing import write_down, write_network

PORT = 8321
"""The service's own, so that the display and telephones find either."""
ROOT = Path("/")
BOOT = Path("/boot/firmware")
ASKING = "first-start.toml"
"""On the boot partition, which every PC can write to: while it is there, the card asks."""
PROTECTED = Path("/media/root-ro")
"""Where overlayroot has the card's own root while nothing is written to it."""
DISPLAY = "firmware-bridge-display.service"


def from_file(path: Path) -> tuple[Answers, tuple[tuple[str, str], ...]]:
    """Return what the file answers, what Imager was told besides, and what is wrong with it."""
    try:
        set_before = imager.settings(path.parent)
    except ValueError as unreadable:
        return Answers(), (("bad-imager", str(unreadable)),)
    try:
        answers = read_file(path.read_bytes(), set_before)
    except (OSError, ValueError) as unreadable:
        return answers_of(set_before), (("bad-file", str(unreadable)),)
    wrong = tuple((key, "") for key in answers.problems())
    # Without a board it only begins to answer, and the page asks for the rest.
    return answers, wrong if answers.board else tuple(key for key in wrong if key[0] != "bad-board")


def written_root() -> Path:
    """Return the root that is there at the next start too, ready to be written to."""
    if not PROTECTED.is_mount():
        return ROOT
    for place in (PROTECTED, BOOT):
        run("mount", "-o", "remount,rw", str(place))
    return PROTECTED


def take_saved(sent: Path, language: str) -> tuple[Answers, str]:
    """Restore everything from a file that was sent; return what it answers, and what is told."""
    return restore(sent, language, written_root())


def finish(answers: Answers) -> None:
    """Write everything down, and remove the file that asked for it."""
    root = written_root()
    write_down(answers, BOARDS.get(answers.board, ""), root)
    change = "enable" if answers.use == "kiosk" else "disable"
    run("systemctl", f"--root={root}", change, DISPLAY)
    with contextlib.suppress(ValueError):  # it has been told
        imager.take_keys(BOOT)
    imager.forget(BOOT)
    os.sync()
    (BOOT / ASKING).unlink()
    os.sync()


def main() -> None:
    """Take the file's answers if it has all, or ask."""
    known, wrong = from_file(BOOT / ASKING)
    asking = FirstStart(("", PORT), known, wrong, finish, take_saved)
    if known.board:
        asking.wrong = asking.take(known)
    if not asking.finished:
        if known.network and not wrong:
            write_network(known, ROOT)
            run("nmcli", "connection", "reload")
        asking.serve_forever()
    run("systemctl", "--no-block", "reboot")


def run(*command: str) -> None:
    """Run a command; OSError with what it says where it fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    except subprocess.CalledProcessError as failed:
        raise OSError(f"{' '.join(command)}: {failed.stderr.strip()}") from failed


if __name__ == "__main__":
    main()
