"""When to read which tag: where a reed just closed first, the others slowly in turn.

A UID counts when two reads in a row agree on it: neighbours couple, and a single read may be
garbled. One reader works at a time, and never makes the scan wait.
"""

from boardware import ticks
from boardware.readers import Unclear

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Callable, Generator, Sequence
    from typing import Protocol

    class Reader(Protocol):
        """A tag reader, see `boardware.readers`."""

        def set_up(self) -> Generator[None, None, bool]:
            """Set it up; return whether it answered."""
            ...

        def renew(self) -> Generator[None, None, bool]:
            """Make sure that it is as it was left; return whether it is."""
            ...

        def read(self) -> Generator[None, None, bytes]:
            """Read the UID above."""
            ...


TRIES = 8
"""Reads of a newly placed piece before it is left to the background check."""
AGREE = 2
"""Equal reads in a row that make a UID count."""
BACKGROUND_MS = 240
"""The pause between background checks: 32 pieces are all looked at in about eight seconds."""
PATROL_MS = 16
"""The pause between two readers that are asked whether they are well: 92 of them in 1.5 seconds."""


class TagScheduler:
    """Decides whose turn it is to be read, and what has been found.

    Args:
        readers: sensor number -> its reader.

    Attributes:
        found: called with (sensor number, UID) when a cell's tag is established or changes; with an
            empty UID when it turns out to have gone although something still stands there.
        clear_reads: sensor number -> reads that gave a UID.
        unclear_reads: sensor number -> reads that gave something that cannot be trusted.
        faulty: sensors whose reader did not answer when it was last set up.
    """

    def __init__(self, readers: "Sequence[Reader]") -> None:
        self.found: Callable[[int, bytes], object] | None = None
        self._readers = readers
        self._occupied: list[int] = []  # in the order of the background check
        self._waiting: list[int] = []  # just placed, oldest first
        self._known: dict[int, bytes] = {}
        self._asked: list[int] = []  # cells whose tag was read elsewhere: is it still here?
        self._refused: list[int] = []  # cells that read a tag which stands elsewhere
        self._cell = -1
        self._work: Generator[None, None, bytes | None] | None = None
        self._candidate = b""
        self._agreed = 0
        self._tries = 0
        self._checked = 0
        self._patrolled = 0
        self._asked_last = -1  # the reader that was asked last whether it is well
        self.faulty: set[int] = set()
        self.clear_reads = [0] * len(readers)
        self.unclear_reads = [0] * len(readers)

    def placed(self, cell: int) -> None:
        """Something now stands on the cell: read it as soon as possible."""
        if cell < len(self._readers) and cell not in self._occupied:
            self._occupied.append(cell)
            self._waiting.append(cell)

    def lifted(self, cell: int) -> None:
        """Nothing stands on the cell any more: forget it, also in the middle of a read."""
        self._known.pop(cell, None)
        for cells in (self._occupied, self._waiting, self._asked, self._refused):
            if cell in cells:
                cells.remove(cell)
        self._refused.clear()  # whoever read across may be asked anew
        if cell == self._cell:
            self._drop()

    def step(self, now_ms: int) -> None:
        """Do a little: go on with the read under way, or begin the next one."""
        if self._work is None and not self._begin(now_ms):
            return
        assert self._work is not None  # noqa: S101 - `_begin` has just made it
        try:
            next(self._work)
        except StopIteration as done:
            if done.value is None:  # no cell was read
                self._work = None
            else:
                self._judge(done.value, now_ms)
        except Unclear:
            self.unclear_reads[self._cell] += 1
            self._judge(b"", now_ms)

    def _begin(self, now_ms: int) -> bool:
        if self._waiting:
            self._choose(self._waiting.pop(0), TRIES)
        elif self._occupied and ticks.diff(now_ms, self._checked) >= BACKGROUND_MS:
            self._checked = now_ms
            cell = self._occupied.pop(0)
            self._occupied.append(cell)
            self._choose(cell, AGREE)
        elif ticks.diff(now_ms, self._patrolled) >= PATROL_MS:
            self._patrolled = now_ms
            self._asked_last = (self._asked_last + 1) % len(self._readers)
            self._work = self._patrol(self._asked_last)
        else:
            return False
        return True

    def _patrol(self, cell: int) -> "Generator[None, None, None]":
        """Look after a reader that nobody uses: named when it is ill, used again when it is not."""
        reader = self._readers[cell]
        if (yield from reader.set_up() if cell in self.faulty else reader.renew()):
            self.faulty.discard(cell)
        else:
            self.faulty.add(cell)

    def _choose(self, cell: int, tries: int) -> None:
        self._cell = cell
        self._candidate, self._agreed, self._tries = b"", 0, tries
        self._work = self._readers[cell].read()

    def _judge(self, uid: bytes, now_ms: int) -> None:
        """Weigh one finished read: enough of them, another one, or given up for now."""
        cell = self._cell
        self._tries -= 1
        if uid:
            self.clear_reads[cell] += 1
        self._agreed = self._agreed + 1 if uid and uid == self._candidate else (1 if uid else 0)
        self._candidate = uid
        if uid and uid == self._known.get(cell):
            self._drop()
        elif self._agreed >= AGREE:
            self._drop()
            self._established(cell, uid)
        elif self._tries > 0 or self._agreed:
            self._work = self._readers[cell].read()
        else:
            self._checked = now_ms
            self._drop()
            if cell in self._asked:  # its tag was read elsewhere, and is indeed no longer here
                self._asked.remove(cell)
                self._tell(cell, b"")

    def _established(self, cell: int, uid: bytes) -> None:
        """A cell's tag is clear; but a tag that is known elsewhere must first be gone there."""
        holder = -1
        for other, known in self._known.items():
            if known == uid and other != cell:
                holder = other
        if holder >= 0:
            if cell not in self._refused:
                self._refused.append(cell)
                self._known.pop(holder)
                self._asked.append(holder)
                self._waiting = [holder] + self._waiting + [cell]
            return
        self._known[cell] = uid
        if cell in self._asked:
            self._asked.remove(cell)
        if cell in self._refused:
            self._refused.remove(cell)
        self._tell(cell, uid)

    def _tell(self, cell: int, uid: bytes) -> None:
        if self.found:
            self.found(cell, uid)

    def _drop(self) -> None:
        if self._work is not None:
            self._work.close()  # switches the field off
        self._work = None
        self._cell = -1
