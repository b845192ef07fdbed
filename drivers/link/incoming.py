"""What a board reports, put in order: each event once, and snapshots that fit the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.link.codec import Cell

if TYPE_CHECKING:
    from drivers.link.codec import Event, Part, Reading

_SEQUENCE = 65536
"""Events are numbered with two bytes."""


class Incoming:
    """Follows one board's stream of events.

    Attributes:
        expected: sequence number of the next event.
        repeated: events that came again.
        early: events that came before one that was lost; the board sends them again.
        based: whether a snapshot has given the events something to stand on.
    """

    def __init__(self, cells: int) -> None:
        self.expected = 0
        self.repeated = 0
        self.early = 0
        self.based = False
        self._readings: list[Reading] = [None] * cells
        self._cells = cells
        self._parts: dict[int, Part] = {}

    def begin(self, first: int, *, resumed: bool) -> None:
        """Start a session whose first event has this number.

        Unless it goes on where the last one broke off, events are refused until a snapshot gives
        them something to stand on.
        """
        if not resumed:
            self.expected = first
            self.based = False
        self._parts.clear()

    def accept(self, event: Event) -> bool:
        """Return whether this event is the next one; if so, it counts as taken."""
        ahead = (event.seq - self.expected) % _SEQUENCE
        if ahead or not self.based:
            self.repeated += ahead >= _SEQUENCE // 2
            self.early += ahead < _SEQUENCE // 2
            return False
        self.expected = (self.expected + 1) % _SEQUENCE
        if isinstance(event, Cell):
            self._readings[event.cell] = event.reading
        return True

    def assemble(self, part: Part) -> tuple[list[Reading], bool] | None:
        """Take one part of a snapshot.

        Parts with the same sequence number belong to the same state of the board, whichever
        snapshot they came with.

        Returns:
            All readings, and whether they differ from what the events said, once every part is
            there and the snapshot fits between the events; `None` otherwise.
        """
        if self.based and part.next != self.expected:
            return None
        if any(kept.next != part.next for kept in self._parts.values()):
            self._parts.clear()
        self._parts[part.first] = part
        readings: list[Reading] = []
        while len(readings) < self._cells:
            following = self._parts.get(len(readings))
            if following is None:
                return None
            readings.extend(following.readings)
        self._parts.clear()
        if len(readings) > self._cells:
            return None
        differs = not self.based or readings != self._readings
        self.based, self.expected, self._readings = True, part.next, readings
        return readings, differs
