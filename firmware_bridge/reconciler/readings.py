"""What every cell of the board reads, what an event changes, and lifts that may be nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.port import CellEvent, Snapshot
from firmware_bridge.reconciler.identities import label_of_kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.settings import Sensing


class Readings:
    """The readings of all cells, tidied up.

    A tag stands in one place only, so its older reading is stale. When the newer place loses the
    tag while the older one has reported nothing since, the older one counts again.
    """

    def __init__(self, sensing: Sensing, readings: Mapping[str, Reading]) -> None:
        self._sensing = sensing
        self._readings: dict[str, Reading] = {}
        self._cell_of: dict[str, str] = {}
        self._stale: dict[str, str] = {}
        list(self._take_in(readings.items()))

    @property
    def readings(self) -> Mapping[str, Reading]:
        """What every cell reads; empty cells are left out."""
        return self._readings

    @property
    def doubled(self) -> frozenset[tuple[str, str]]:
        """The cells that have read one tag, the older first, and have not told that it is gone."""
        cell_of, stale = self._cell_of, self._stale.items()
        return frozenset((older, cell_of[uid]) for uid, older in stale if uid in cell_of)

    def take_in(self, event: CellEvent | Snapshot) -> Iterator[tuple[str, Reading]]:
        """Return every cell that changes, with its new reading, each as the change is made.

        The changes of a snapshot have no order of their own: pieces go up before they come down.
        """
        if isinstance(event, CellEvent):
            return self._take_in([(event.cell, event.reading)])
        self._stale.clear()
        gone = [(cell, None) for cell in self._readings if event.readings.get(cell) is None]
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
        self._stale = {uid: other for uid, other in self._stale.items() if other != cell}
        before = self._readings.get(cell)
        if before == reading:
            return []
        changes: list[tuple[str, Reading]] = []
        if isinstance(reading, str):
            elsewhere = self._cell_of.get(reading)
            if elsewhere is not None:
                changes.append((elsewhere, None))
                self._stale[reading] = elsewhere
            if isinstance(before, str):
                changes.append((cell, None))
        changes.append((cell, reading))
        if isinstance(before, str) and reading is not True and before in self._stale:
            changes.append((self._stale.pop(before), before))
        return changes

    def _write(self, cell: str, reading: Reading) -> None:
        before = self._readings.pop(cell, None)
        if isinstance(before, str):
            self._cell_of.pop(before, None)
        if reading is not None:
            self._readings[cell] = reading
            if isinstance(reading, str) and label_of_kind(reading) is None:
                self._cell_of[reading] = cell


TAKEN_UP = 2
"""So many pieces a hand takes up at once: one, and the one that it captures."""


class Knocks:
    """Holds lifts back until they have lasted, or a hand does something besides.

    A cell that opens and closes again sooner than `least` seconds has most likely been knocked. So
    that nobody sees anything of it, nobody is told of a lift before.

    Example:
        With `least` 0.15, e2 emptied at 1.00 and filled again at 1.08 was never lifted; emptied at
        1.00 and not filled by 1.15 it was, at 1.00.

    Attributes:
        last_on: the cell of the event last held back.
    """

    def __init__(self, least: float) -> None:
        """Hold nothing yet."""
        self._least = least
        self._held: list[CellEvent] = []
        self._open: dict[str, float] = {}
        self._at = 0.0
        self.last_on: frozenset[str] = frozenset()

    @property
    def due(self) -> float | None:
        """When the oldest lift has lasted, `None` if none is held back."""
        return min(self._open.values()) + self._least if self._open else None

    @property
    def opened(self) -> Collection[str]:
        """The cells that are open, though nobody is told of it yet."""
        return self._open.keys()

    @property
    def _many(self) -> bool:
        """Whether more cells have opened at once than a hand opens: then it is a knock."""
        return len({event.cell for event in self._held}) > TAKEN_UP

    def sift(
        self, event: CellEvent | Snapshot, scene: BoardState, standing: Mapping[str, Reading]
    ) -> list[CellEvent | Snapshot]:
        """Return what is to be taken in now: nothing while this may be part of a knock.

        Where nothing is due, and nothing has left its square, no piece was knocked.

        Args:
            event: what was felt.
            scene: the board, as far as events were let pass.
            standing: what every cell reads, as far as they were.
        """
        in_the_air = len(scene.missing) > len(scene.extra)
        before, self._at = self._at, event.t
        if isinstance(event, Snapshot):
            return [*self.release(), event]
        if isinstance(event.reading, str) and standing.get(event.cell) is True:
            self._forget(event.cell)  # the tag of what stands there is read at last
            return [event]
        if event.reading is True is standing.get(event.cell) and event.cell not in self._open:
            # What closes was open, though nobody said so: since the event before, at most.
            opened = CellEvent(before, event.cell, None)
            return [*self.release(), opened, event] if in_the_air else []
        holds = event.cell in scene.placement or scene.missing
        if not (holds and self._hold(event, standing)):
            # What comes down meanwhile was in the air before, if anything was.
            return [event] if in_the_air and self._many else [*self.release(), event]
        if self._open:
            return []
        knocked = self._many or not in_the_air
        held = self.release()
        return [] if knocked else [*held]  # else something may have come down meanwhile

    def _hold(self, event: CellEvent, standing: Mapping[str, Reading]) -> bool:
        """Hold an event back, if it may be part of a knock; return whether it is held."""
        cell, stood = event.cell, standing.get(event.cell)
        if event.reading is None:
            if stood is None:
                return False
            self._open.setdefault(cell, event.t)
        elif cell in self._open and event.reading in (stood, True):
            del self._open[cell]
        else:
            return False
        self._held.append(event)
        self.last_on = frozenset({cell})
        return True

    def _forget(self, cell: str) -> None:
        """Hold a cell back no longer."""
        self._open.pop(cell, None)
        self._held = [event for event in self._held if event.cell != cell]

    def lasted(self, t: float) -> list[CellEvent]:
        """Return the lifts that have lasted by `t`, with all that a hand did meanwhile."""
        if not self._many:
            return self.release()
        lasted = {cell for cell, at in self._open.items() if at + self._least <= t}
        told = [e for e in self._held if e.cell in lasted and e.t == self._open[e.cell]]
        for cell in lasted:
            self._forget(cell)
        if not self._open:
            self._held.clear()  # all the rest was knocked
        return told

    def done(self) -> list[CellEvent]:
        """Return what was held back if a hand may have done it, and hold it no longer."""
        return [] if self._many else self.release()

    def release(self) -> list[CellEvent]:
        """Return what was held back, in its order, and hold it no longer."""
        held, self._held = self._held, []
        self._open.clear()
        return held
