"""Everything that was saved on another card, put in place by the service's own command."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from .answers import AS_SAVED, Answers
from .writing import CONFIGURATION

PROGRAM = Path("/opt/firmware-bridge/current/bin/firmware-bridge")
GAMES = Path("/var/lib/firmware-bridge")
SENT = "sent.saved.zip"
"""What a sent file is called until it is taken or refused."""
_SPARE = 2**20  # bytes that stay free
_CHUNK = 2**16  # bytes read at once, of what may be larger than the memory
_MEGABYTE = 10**6


class NotTaken(Exception):  # noqa: N818 - names what happened
    """A sent file was not restored, and nothing was changed.

    Args:
        key: what of `WORDS` says why.
        detail: what the command said, or how much room there is.
    """

    def __init__(self, key: str, detail: str = "") -> None:
        super().__init__(key, detail)
        self.key, self.detail = key, detail


def receive(body: BufferedIOBase, length: int) -> Path:
    """Keep a file that is being sent beside the games, where the room is.

    Raises:
        NotTaken: it does not fit, or did not come to its end.
        OSError: it cannot be written.
    """
    free = shutil.disk_usage(GAMES).free
    if length + _SPARE > free:
        for _ in _chunks(body, length):
            pass  # a browser that is interrupted does not hear why
        raise NotTaken("bad-room", f"{length / _MEGABYTE:.0f} > {free / _MEGABYTE:.0f} MB")
    sent = GAMES / SENT
    sent.touch(mode=0o600)
    with sent.open("wb") as file:
        for chunk in _chunks(body, length):
            file.write(chunk)
    if sent.stat().st_size < length:
        raise NotTaken("bad-sent")
    return sent


def _chunks(body: BufferedIOBase, length: int) -> Iterator[bytes]:
    while length and (chunk := body.read(min(length, _CHUNK))):
        length -= len(chunk)
        yield chunk


def restore(sent: Path, language: str, root: Path) -> tuple[Answers, str]:
    """Put everything in place that a file holds; return what it answers, and what is told of it.

    Raises:
        NotTaken: the command refused it, and said why in this language.
    """
    configuration = root / CONFIGURATION
    where = ("--config", str(configuration), "--set", f"data={GAMES}", "--language", language)
    done = subprocess.run(  # noqa: S603
        [str(PROGRAM), "restore", *where, str(sent)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotTaken("bad-saved", done.stderr.strip().removeprefix("Error: "))
    return answered(configuration.read_text(encoding="utf-8")), done.stdout.strip()


def answered(text: str) -> Answers:
    """Return what a configuration answers of what is asked; keys are in it and are not shown."""
    values = tomllib.loads(text)
    pages = values.get("pages", {})
    names = [name.removesuffix(".local") for name in pages.get("names", ())]
    return Answers(
        language=values.get("language", "en"),
        board=AS_SAVED,
        use="kiosk" if pages.get("kiosk") else "home",
        hostname=names[0] if names else Answers.hostname,
    )
