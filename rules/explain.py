"""From what a board shows to the legal turns that explain it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import Label, Position, Square, Turn


@dataclass(frozen=True, slots=True)
class Seen:
    """What the board shows now, in the words of the rules.

    Attributes:
        occupied: squares on which something stands.
        known: the label of what stands there, where the board can tell: nothing on the occupancy
            tier, (nearly) every occupied square on the others. A piece that was left standing
            where it should have changed (a promoted pawn, a converted piece) shows its old label.
    """

    occupied: frozenset[Square]
    known: Mapping[Square, Label] = field(default_factory=dict)


class Explainer(Protocol):
    """The legal turns of one position, searchable by what the board shows.

    A turn *fits* when the occupied squares are those of its result and every known label is that
    of the result, or, on a square that merely `becomes` (see `Deed`), still the old one.
    """

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[Turn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""

    def leading_to(self, seen: Seen, limit: int = 1) -> tuple[Turn, ...]:
        """Return turns of which the board may show the beginning.

        Such a turn explains every square that now holds something other than before (everything
        put down so far has arrived where the turn wants it). Squares now empty may be pieces in
        the air, whether the turn moves them or not; untouched squares may still change.
        """


class TableExplainer:
    """The plain way: every legal turn with its result, indexed once."""

    def __init__(self, position: Position) -> None:
        self.position = position
