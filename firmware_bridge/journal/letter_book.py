"""The letters of games with friends far away: on disk before they are sent or confirmed.

One file for each game, one letter a line; those about which all is told are laid aside. A file is
only ever added to; a last line that a power cut has torn was neither sent nor confirmed, and is
left out.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from firmware_bridge.journal.file import JournalDamaged, StorageFailed, sync_folder

FOLDER, ASIDE = "letters", "aside"
_NAME = re.compile(r"[0-9a-f]{32}")


Way = Literal["sent", "taken"]
"""Whether we have sent a letter or taken it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One letter.

    Attributes:
        way: whether we have sent or taken it.
        data: its bytes.
        signature: its writer's.
    """

    way: Way
    data: bytes
    signature: bytes


class LetterBook:
    """The letters that are kept in the journal's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def games(self) -> tuple[str, ...]:
        """Return which games there are letters of, the oldest first."""
        found = []
        for path in self._folder.glob("*"):
            if _NAME.fullmatch(path.name):
                with suppress(FileNotFoundError):  # laid aside since it was listed
                    found.append((path.stat().st_mtime, path.name))
        return tuple(name for _, name in sorted(found))

    def read(self, game: str) -> tuple[str, tuple[Kept, ...]]:
        """Return with whom a game is, by his signing key, and its letters in order.

        Raises:
            JournalDamaged: they are not as they were written.
            OSError: they are not there, or cannot be read.
        """
        path = self._folder / game
        path = path if path.exists() else self._folder / ASIDE / game
        lines = path.read_bytes().split(b"\n")[:-1]
        try:
            friend = str(json.loads(lines[0])["friend"])
            return friend, tuple(map(_kept, lines[1:]))
        except (ValueError, KeyError, TypeError, IndexError):
            raise JournalDamaged(
                f"The letters in {path} are not as they were written. Move the file "
                "away: that game cannot go on, all others can."
            ) from None

    def add(
        self, game: str, friend: str, letters: Sequence[Kept], before: Sequence[Kept] = ()
    ) -> None:
        """Keep letters; when this returns they are on disk.

        They are of one game and one friend, known by his signing key, and in order. Who has deleted
        those kept `before` has not deleted them here.

        Raises:
            StorageFailed: they may not be kept.
        """
        path = self._folder / game
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            with os.fdopen(os.open(path, flags, 0o600), "r+b") as file:
                found = file.read()
                whole = found.count(b"\n") > len(before)
                file.truncate(found.rfind(b"\n") + 1 if whole else 0)
                new = () if whole else before
                head = b"" if whole else _line({"friend": friend})
                file.write(head + b"".join(map(_told, (*new, *letters))))
                file.flush()
                os.fsync(file.fileno())
            if not whole:  # the file itself is to survive a power cut, too
                sync_folder(self._folder)
                sync_folder(self._folder.parent)
        except OSError as error:
            raise StorageFailed(
                f"Letters could not be kept in {path}: {error.strerror}. Make room or check the "
                "disk or card."
            ) from None

    def forget(self, game: str) -> None:
        """Delete the letters of a game, if there are any; that there was one is kept.

        Raises:
            StorageFailed: they cannot be deleted.
        """
        path = self._folder / ASIDE / game
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(b"")
            (self._folder / game).unlink(missing_ok=True)
        except OSError as error:
            raise StorageFailed(f"{path} cannot be deleted: {error.strerror}.") from None

    def forgotten(self, game: str) -> bool:
        """Return whether the letters of a game have been deleted."""
        path = self._folder / ASIDE / game
        return bool(_NAME.fullmatch(game)) and path.exists() and not path.stat().st_size

    def has(self, game: str) -> bool:
        """Return whether there are letters of a game, laid aside or not."""
        path = self._folder / ASIDE / game
        return (self._folder / game).exists() or (path.exists() and not self.forgotten(game))

    def lay_aside(self, game: str) -> None:
        """Have `games` not return a game any more: all is told about it.

        Raises:
            StorageFailed: that cannot be done.
        """
        self._move(self._folder / game, self._folder / ASIDE)

    def take_up(self, game: str) -> bool:
        """Have `games` return a game again that was laid aside, if it was.

        Raises:
            StorageFailed: that cannot be done.
        """
        path = self._folder / ASIDE / game
        if not (_NAME.fullmatch(game) and path.exists()) or self.forgotten(game):
            return False
        self._move(path, self._folder)
        return True

    def _move(self, path: Path, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            path.rename(folder / path.name)
        except OSError as error:
            raise StorageFailed(f"{path} cannot be moved: {error.strerror}.") from None


def copied_letters(folder: Path) -> str:
    """Return all letters that are kept in a journal's folder, as one text.

    Raises:
        OSError: they cannot be read.
    """
    paths = [path for path in sorted((folder / FOLDER).rglob("*")) if _NAME.fullmatch(path.name)]
    return json.dumps({_place(path): path.read_text(encoding="ascii") for path in paths})


def put_letters(text: str, folder: Path) -> None:
    """Lay letters down in a folder as `copied_letters` has told them.

    Raises:
        ValueError: they are no letters.
        OSError: they cannot be written.
    """
    told = json.loads(text)
    if not isinstance(told, dict):
        raise ValueError("no letters")  # noqa: TRY004 - of a file, not of a call
    (folder / FOLDER / ASIDE).mkdir(mode=0o700, parents=True)
    for place, letters in told.items():
        aside, _, name = place.rpartition("/")
        if aside not in {"", ASIDE} or not _NAME.fullmatch(name) or not isinstance(letters, str):
            raise ValueError(place)
        path = folder / FOLDER / place
        path.touch(mode=0o600)
        path.write_text(letters, encoding="ascii")


def _place(path: Path) -> str:
    return f"{ASIDE}/{path.name}" if path.parent.name == ASIDE else path.name


def _line(values: dict[str, str]) -> bytes:
    return json.dumps(values).encode() + b"\n"


def _told(kept: Kept) -> bytes:
    return _line({"way": kept.way, "letter": kept.data.decode(), "signature": kept.signature.hex()})


def _kept(line: bytes) -> Kept:
    told = json.loads(line)
    if told["way"] not in {"sent", "taken"}:
        raise ValueError(told["way"])
    return Kept(told["way"], str(told["letter"]).encode(), bytes.fromhex(told["signature"]))
