"""Lifts that may be nothing: a knock on the table, a contact that chatters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.port import CellEvent, Snapshot

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState

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
        if isinstance(event, Snapshot):
            return [*self.release(), event]
        if isinstance(event.reading, str) and standing.get(event.cell) is True:
            self._forget(event.cell)  # the tag of what stands there is read at last
            return [event]
        before, self._at = self._at, event.t
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
