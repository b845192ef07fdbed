"""What every cell of the board reads, and what an event changes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.port import CellEvent, Snapshot
from firmware_bridge.reconciler.identities import label_of_kind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.settings import Sensing


class Readings:
    """The readings of all cells, tidied up.

    A tag stands in one place only, so its older readings are stale. When the newest place loses the
    tag, the last of the older ones that have reported nothing since counts again.
    """

    def __init__(self, sensing: Sensing, readings: Mapping[str, Reading]) -> None:
        self._sensing = sensing
        self._readings: dict[str, Reading] = {}
        self._cell_of: dict[str, str] = {}
        self._stale: dict[str, list[str]] = {}
        list(self._take_in(sorted(readings.items())))  # in no order that could tell a secret

    @property
    def readings(self) -> Mapping[str, Reading]:
        """What every cell reads; empty cells are left out."""
        return self._readings

    def without(self, gone: Container[str]) -> Mapping[str, Reading]:
        """Return what every cell reads once these have lost what they read."""
        now = {cell: reading for cell, reading in self._readings.items() if cell not in gone}
        left = (
            (uid, older) for uid, older in self._stale.items() if self._cell_of.get(uid) in gone
        )
        return now | {older[-1]: uid for uid, older in left}

    @property
    def doubled(self) -> list[tuple[str, str]]:
        """The cells that have read one tag, the older first, and have not told that it is gone."""
        cell_of, stale = self._cell_of, self._stale.items()
        return [(old, cell_of[uid]) for uid, older in stale if uid in cell_of for old in older]

    def take_in(self, event: CellEvent | Snapshot) -> Iterator[tuple[str, Reading]]:
        """Return every cell that changes, with its new reading, each as the change is made.

        The changes of a snapshot have no order of their own: pieces go up before they come down.
        """
        if isinstance(event, CellEvent):
            return self._take_in([(event.cell, event.reading)])
        self._stale.clear()
        gone = [(cell, None) for cell in sorted(self._readings) if not event.readings.get(cell)]
        return self._take_in([*gone, *sorted(event.readings.items())])

    def _take_in(self, news: Iterable[tuple[str, Reading]]) -> Iterator[tuple[str, Reading]]:
        for cell, reading in news:
            for changed, now in self._changes(cell, reading):
                self._write(changed, now)
                yield changed, now

    def _changes(self, cell: str, reading: Reading) -> list[tuple[str, Reading]]:
        known = self._sensing.cells
        if known and cell not in known:
            return []
        if reading is not None and self._sensing.tier == "occupancy":
            reading = True
        left = {uid: [c for c in older if c != cell] for uid, older in self._stale.items()}
        self._stale = {uid: older for uid, older in left.items() if older}
        before = self._readings.get(cell)
        if before == reading:
            return []
        changes: list[tuple[str, Reading]] = []
        if isinstance(reading, str):
            elsewhere = self._cell_of.get(reading)
            if elsewhere is not None:
                changes.append((elsewhere, None))
                self._stale.setdefault(reading, []).append(elsewhere)
            if isinstance(before, str):
                changes.append((cell, None))
        changes.append((cell, reading))
        if isinstance(before, str) and reading is not True and before in self._stale:
            *older, last = self._stale.pop(before)
            changes.append((last, before))
            self._stale |= {before: older} if older else {}
        return changes

    def _write(self, cell: str, reading: Reading) -> None:
        before = self._readings.pop(cell, None)
        if isinstance(before, str):
            self._cell_of.pop(before, None)
        if reading is not None:
            self._readings[cell] = reading
            if isinstance(reading, str) and label_of_kind(reading) is None:
                self._cell_of[reading] = cell
