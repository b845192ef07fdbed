"""All that a position says: the seven fields of its text as plain data, nothing judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from rules.games.reality_check.discs import TRUE_CELLS, Cell, Name, is_true
from rules.interface import Side, Square


@dataclass(frozen=True, slots=True)
class Awaited:
    """A decision that must come before anything else.

    Attributes:
        kind: `hand` (keep or refuse), `sacrifice`, `roll` or `flip`.
        pieces: with `hand`, the pieces still to be decided on, in the order of the list.
        dice: with `flip`, the dice not yet used, in their order.
        flipped: with `flip`, the square on which the first die's flip was made.
    """

    kind: Literal["hand", "sacrifice", "roll", "flip"]
    pieces: tuple[Name, ...] = ()
    dice: tuple[int, ...] = ()
    flipped: Square | None = None

    def __str__(self) -> str:
        detail = ",".join(self.pieces) or ",".join(map(str, self.dice))
        if self.flipped:
            detail = f"{detail}/{self.flipped}"
        return f"{self.kind}:{detail}" if detail else self.kind


@dataclass(frozen=True)
class State:
    """One position, secrets included. Sharing its parts is safe: nobody changes them.

    Attributes:
        board: what stands on each occupied square.
        side: who acts now.
        hands: the names of the pieces in hand, in the order of the list.
        frozen: squares of the pieces that may not be flipped, sorted.
        awaited: the decision that comes first, if any.
        homes: the squares on which each side may drop, sorted.
        number: of the full move, from 1.
    """

    board: Mapping[Square, Cell] = field(hash=False)
    side: Side
    hands: Mapping[Side, tuple[Name, ...]] = field(hash=False)
    frozen: tuple[Square, ...]
    awaited: Awaited | None
    homes: Mapping[Side, tuple[Square, ...]] = field(hash=False)
    number: int

    @property
    def first_turn(self) -> bool:
        """Whether this is White's first turn, which has rules of its own."""
        return self.number == 1 and self.side == "white"

    @cached_property
    def over_limit(self) -> bool:
        """Whether the side to act holds more pieces than it may, and so must drop one."""
        return len(self.hands[self.side]) > self.limit(self.side)

    def pending(self, side: Side) -> tuple[Name, ...]:
        """Return the captured pieces that await this side's decision."""
        return self.awaited.pieces if self.awaited and side == self.side else ()

    def true_pieces(self, side: Side) -> int:
        """Return how many true pieces of a side are in play: on the board, in hand or awaiting."""
        on_board = TRUE_CELLS[side].intersection(self.board.values())
        return len(on_board) + sum(map(is_true, (*self.hands[side], *self.pending(side))))

    def limit(self, side: Side) -> int:
        """Return how many pieces a side may hold in hand."""
        return self.true_pieces(side) - 1

    def empty_homes(self, side: Side) -> tuple[Square, ...]:
        """Return the home squares on which a side could drop a piece now."""
        return tuple(square for square in self.homes[side] if square not in self.board)
