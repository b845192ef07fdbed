"""Looks at the journal's files before SQLite opens them: it leaves out in silence what is broken.

SQLite reads its write-ahead log up to the first frame that fails its check, and takes that for the
end. So one flipped bit makes a game shorter, and only who looks at the log itself can tell. Source:
SQLite's documentation of its file format ("The Write-Ahead Log", "The Database Header").
"""

from __future__ import annotations

import errno
import shutil
import struct
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

LOG, INDEX = "-wal", "-shm"
_BELONGING = ("", LOG, INDEX)
_MAGIC = 0x377F0682  # and the same plus one, where checksums count in the other order of bytes
_HEADER, _FRAME = 32, 24  # bytes at the front of the log and of each page in it (SQLite's format)
_MARK = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Harm:
    """What was wrong with the journal's files.

    Attributes:
        kind: whether they were damaged when they were opened; or, while they were open, gone, or
            others in their place, and all was written anew; or only the game that goes on.
        text: what, for people.
        copy: the folder with a copy of the files as they were found, if there were any.
    """

    kind: Literal["damaged", "gone", "anew", "lost"]
    text: str
    copy: Path | None


@dataclass(frozen=True, slots=True)
class _Log:
    """The write-ahead log: the pages it brings, and how many frames after them are broken."""

    pages: frozenset[int] = frozenset()
    broken: int = 0


def put_aside(path: Path) -> Harm | None:
    """Return what is wrong with a journal that nobody has open, after copying its files.

    Raises:
        OSError: it cannot be read, or the copy cannot be written.
    """
    for file in _files(path):
        if not file.is_file():  # whoever opens a pipe waits for ever
            raise OSError(errno.EINVAL, f"{file.name} is no file")
    found = [text for text in _wrong_with(path) if text]
    if not found:
        return None
    return Harm("damaged", " ".join(found), copy_aside(path))


def copy_aside(path: Path) -> Path | None:
    """Copy a journal's files into a new folder beside them; return that, if there are any.

    Raises:
        OSError: they cannot be read, or the copies cannot be written.
    """
    files = _files(path)
    if not files:
        return None
    copy = _new_folder(path)
    for file in files:
        shutil.copy2(file, copy / file.name)
    return copy


def move_aside(path: Path) -> Path:
    """Move a journal that nobody has open into a new folder beside it; return that.

    Raises:
        OSError: it cannot be moved.
    """
    folder = _new_folder(path)
    for file in _files(path):
        file.rename(folder / file.name)
    return folder


def _new_folder(path: Path) -> Path:
    folders = (path.with_name(f"damaged-{number}") for number in count(1))
    made = next(folder for folder in folders if not folder.exists())
    made.mkdir(mode=0o700)
    return made


def _files(path: Path) -> list[Path]:
    files = (path.with_name(path.name + suffix) for suffix in _BELONGING)
    return [file for file in files if file.exists()]


def _wrong_with(path: Path) -> tuple[str, str]:
    log_path = path.with_name(path.name + LOG)
    log = _read_log(log_path.read_bytes() if log_path.exists() else b"")
    in_log = f"{log.broken} frames in {log_path.name} fail their check." if log.broken else ""
    return _too_short(path, log.pages), in_log


def _too_short(path: Path, in_log: frozenset[int]) -> str:
    """Return whether pages are missing at the file's end that the log does not bring either.

    Beside a file that is gone or empty SQLite deletes the log.
    """
    size, header = 0, b""
    if path.exists():
        with path.open("rb") as file:
            header = file.read(100)
        size = path.stat().st_size
    if not size:
        return f"{path.name} holds nothing, and its log does." if in_log else ""
    if size < 100:
        return f"{path.name} ends within its header."
    if not header.startswith(_MARK) or header[24:28] != header[92:96]:
        return ""  # SQLite itself refuses it, or an old one that does not say how long it is
    page = struct.unpack(">H", header[16:18])[0]
    page = 65536 if page == 1 else page
    pages = struct.unpack(">I", header[28:32])[0]
    present = size // page if page else pages
    brought = sum(present < number <= pages for number in in_log)
    return f"{path.name} is shorter than its header says." if pages > present + brought else ""


def _read_log(data: bytes) -> _Log:
    """Check every frame as SQLite does, and go on looking where it stops.

    A write that was cut off leaves frames that fail at the very end and belong to nothing that was
    ever acknowledged: they are no harm as long as none of them says that it ends a transaction.
    """
    if len(data) < _HEADER:
        return _Log()
    magic, _, page, _ = struct.unpack(">4I", data[:16])
    if magic & ~1 != _MAGIC or page not in {1 << power for power in range(9, 17)}:
        return _Log(broken=1)
    order = ">" if magic & 1 else "<"
    sums = _checksum(order, data[:24], (0, 0))
    if sums != struct.unpack(">2I", data[24:32]):
        return _Log(broken=len(range(_HEADER, len(data), _FRAME + page)))
    pages: set[int] = set()
    broken, ended = 0, False
    for at in range(_HEADER, len(data) - _FRAME - page + 1, _FRAME + page):
        head = data[at : at + _FRAME]
        number, commit = struct.unpack(">2I", head[:8])
        if head[8:16] != data[16:24]:
            broken += not broken  # of an earlier log, unless more of this one follows
            continue
        sums = _checksum(
            order, data[at + _FRAME : at + _FRAME + page], _checksum(order, head[:8], sums)
        )
        if not broken and sums == struct.unpack(">2I", head[16:24]):
            pages.add(number)
            continue
        broken += 1
        ended = ended or commit > 0
    return _Log(frozenset(pages), broken if ended else 0)


def _checksum(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
