"""What hands do, written down as the changes that the board's cells feel."""

from __future__ import annotations

from random import Random

from drivers.port import CellEvent, Reading
from firmware_bridge.simulation.styles import Style
from firmware_bridge.simulation.supply import Pieces


class Script:
    """Hands at work, quick or slow as the dice will.

    Attributes:
        pieces: the pieces, which are where the hands have put them.
        styles: what may happen on the way.
        changes: what the cells have felt so far, in seconds since the beginning.
        t: seconds since the beginning.
    """

    def __init__(self, pieces: Pieces, dice: Random, styles: frozenset[Style]) -> None:
        self.pieces = pieces
        self.dice = dice
        self.styles = styles
        self.changes: list[CellEvent] = []
        self.t = 0.0
        self._held: dict[str, str] = {}

    def wait(self, least: float, most: float) -> None:
        """Let time pass."""
        self.t += self.dice.uniform(least, most)

    def lift(self, cell: str) -> str:
        """Take the piece off a cell, unless it is in the hand already, and return its tag."""
        if cell in self._held:
            return self._held.pop(cell)
        tag = self.pieces.on.pop(cell)
        self._feel(cell, None)
        return tag

    def put(self, cell: str, tag: str) -> None:
        """Set a piece on a cell, in place of whatever is pushed aside there."""
        pushed = self.pieces.on.pop(cell, None)
        if pushed is not None:
            self.pieces.box[pushed] = None
        self.pieces.on[cell] = tag
        self._feel(cell, self.pieces.reading(tag))

    def take_up(self, cell: str, home: str) -> None:
        """Lift a piece that belongs on `home` and keep it in the hand for the next `lift(home)`."""
        self._held[home] = self.lift(cell)

    def holds(self, home: str) -> bool:
        """Return whether the piece that belongs on `home` is in the hand."""
        return home in self._held

    def cross(self, source: str, target: str) -> None:
        """Draw a piece over a border, both cells being closed for a moment."""
        tag = self.pieces.on.pop(source)
        self.pieces.on[target] = tag
        self._feel(target, self.pieces.reading(tag))
        self.wait(0.005, 0.04)
        self._feel(source, None)

    def to_box(self, tag: str) -> None:
        """Lay a piece aside."""
        self.pieces.box[tag] = None

    def carry(self, source: str, target: str) -> None:
        """Carry a piece from cell to cell."""
        tag = self.lift(source)
        self.wait(0.15, 0.6)
        self.put(target, tag)

    def _feel(self, cell: str, reading: Reading) -> None:
        if reading is None:  # a tag that has not been read by now never is
            self.changes = [c for c in self.changes if c.t <= self.t or c.cell != cell]
        if isinstance(reading, str) and self.styles & {"late-tag", "missing-tag"}:
            self.changes.append(CellEvent(self.t, cell, True))
            if "late-tag" in self.styles:
                self.changes.append(
                    CellEvent(self.t + self.dice.uniform(0.03, 0.14), cell, reading)
                )
        else:
            self.changes.append(CellEvent(self.t, cell, reading))
        if "bounce" in self.styles:
            self._bounce(cell, reading)

    def _bounce(self, cell: str, reading: Reading) -> None:
        """Let the contact chatter for a few milliseconds."""
        before: Reading = True if reading is None else None
        at = self.t
        for _ in range(self.dice.randint(1, 3)):
            self.changes.append(CellEvent(at + 0.002, cell, before))
            self.changes.append(CellEvent(at + 0.005, cell, reading))
            at += 0.006

    def felt(self) -> tuple[CellEvent, ...]:
        """Return what the cells have felt, in the order of time."""
        return tuple(sorted(self.changes, key=lambda change: change.t))
