"""What hands do at a board, act by act, so that whatever else happens can be put in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from random import Random

from drivers.port import CellEvent, Reading
from firmware_bridge.messages import Input
from rules.interface import Position, Square


class Timeline:
    """Acts of hands in the order of time, in seconds from the first.

    Attributes:
        acts: what was felt, pressed and said.
        things: squares on which things are laid that are no pieces, and feel like some.
        taken: squares from which the turns that hands make take pieces off the board.
        plain: whether a press alone tells which of like turns these are.
    """

    def __init__(self, position: Position, standing: Mapping[str, Reading], dice: Random) -> None:
        self.position = position
        self.dice = dice
        self.acts: list[Input] = []
        self.things: set[Square] = set()
        self.taken: tuple[Square, ...] = ()
        self.plain = True
        self._standing = dict(standing)

    @property
    def end(self) -> float:
        """When the last act is done."""
        return max((act.t for act in self.acts), default=0.0)

    @property
    def reads_tags(self) -> bool:
        """Whether the cells tell which piece stands there."""
        return any(isinstance(reading, str) for reading in self._standing.values())

    @property
    def changes(self) -> list[CellEvent]:
        """What the cells feel, in the order of time."""
        return [act for act in self.acts if isinstance(act, CellEvent)]

    def follow(self, changes: Iterable[CellEvent], *, at: float) -> None:
        """Let hands do this, beginning at `at`."""
        self.add(*(replace(change, t=at + change.t) for change in changes))

    def add(self, *acts: Input) -> None:
        """Let this happen, too."""
        self.acts.extend(acts)
        self.acts.sort(key=lambda act: act.t)

    def touch(self, cell: str, since: float, until: float) -> None:
        """Let a cell open and close again."""
        reading = self.standing(since)[cell]
        self.add(CellEvent(since, cell, None), CellEvent(until, cell, reading))

    def pause(self, at: float, seconds: float) -> None:
        """Let all that comes after `at` come so much later."""
        self.acts = [replace(act, t=act.t + seconds) if act.t > at else act for act in self.acts]

    def standing(self, t: float) -> dict[str, Reading]:
        """Return what every cell reads at `t`, empty ones left out."""
        found = dict(self._standing)
        for change in self.changes:
            if change.t <= t:
                found[change.cell] = change.reading
        return {cell: reading for cell, reading in found.items() if reading is not None}

    def still(self, since: float, until: float) -> list[Square]:
        """Return the squares on which a piece rests all this time."""
        busy = self._changed(since, until)
        squares = self.position.game.squares
        return sorted(cell for cell in self.standing(since) if cell in squares - busy)

    def free(self, since: float, until: float) -> list[Square]:
        """Return the squares that are empty all this time."""
        busy = self._changed(since, until)
        return sorted(self.position.game.squares - busy - self.standing(since).keys())

    def _changed(self, since: float, until: float) -> AbstractSet[str]:
        return {change.cell for change in self.changes if since - 0.01 <= change.t <= until}
