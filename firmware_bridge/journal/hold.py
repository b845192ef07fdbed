"""Whether the journal's files still lie where the next start looks for them, as they were left.

Somebody may delete, move or overwrite them while a game goes on. What is open can be written all
the same, and is gone with the process that has it open.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_Stamp = tuple[int, int, int, int]


class Hold:
    """Remembers some files as this process left them.

    Args:
        written: files that nobody else writes.
        named: files of which only their names matter.
    """

    def __init__(self, written: Iterable[Path], named: Iterable[Path]) -> None:
        self._written, self._named = tuple(written), tuple(named)
        self.left()

    def left(self) -> None:
        """Take what lies there now for what this process left."""
        self._left = self._look()

    def in_place(self) -> bool:
        """Return whether the same files are found by the same names."""
        return _names(self._look()) == _names(self._left)

    def untouched(self) -> bool:
        """Return whether they are, and nobody else has written them either."""
        return self._look() == self._left

    def _look(self) -> tuple[_Stamp | None, ...]:
        written = (_stamp(path) for path in self._written)
        return (*written, *_names(tuple(_stamp(path) for path in self._named)))


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _names(stamps: tuple[_Stamp | None, ...]) -> tuple[_Stamp | None, ...]:
    """Return only which files these are."""
    return tuple(stamp and (*stamp[:2], 0, 0) for stamp in stamps)
