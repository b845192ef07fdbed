"""Grid Chess: the board is sixteen fields of four squares, and whoever moves leaves his field.

By Walter Stead, 1953.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import chess

from rules.interface import IllegalTurn, Outcome, Square
from rules.orthodox import MovesPosition, OrthodoxGame, after, bare_kings, king_attackers
from rules.orthodox.conversion import NAMES, squares_of

_CORNERS = [8 * rank + file for rank in range(0, 8, 2) for file in range(0, 8, 2)]
_FIELDS = tuple(0b11 << corner | 0b11 << corner + 8 for corner in _CORNERS)
_FIELD_OF = tuple(
    next(field for field in _FIELDS if field >> square & 1) for square in chess.SQUARES
)


class GridBoard(chess.Board):
    """A board on which nothing moves, attacks or gives check inside its field."""

    def attackers_mask(
        self, color: chess.Color, square: chess.Square, occupied: int | None = None
    ) -> int:
        """Return who attacks a square from outside its field."""
        return super().attackers_mask(color, square, occupied) & ~_FIELD_OF[square]

    def generate_legal_moves(
        self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Yield the moves that leave a field, and no king attacked.

        What python-chess concludes from pins does not hold here: it is looked at instead.
        """
        for move in self.generate_pseudo_legal_moves(from_mask, to_mask):
            if not stays(move) and not king_attackers(after(self, move), self.turn):
                yield move


def stays(move: chess.Move) -> bool:
    """Whether a move ends in the field that it began in."""
    return bool(_FIELD_OF[move.from_square] >> move.to_square & 1)


class GridPosition(MovesPosition):
    """A position of Grid Chess."""

    __slots__ = ()

    def _bar(self, move: chess.Move) -> IllegalTurn | None:
        """Return why a piece may not stay in its field."""
        if not stays(move):
            return None
        ends = NAMES[move.from_square], NAMES[move.to_square]
        message = f"From {ends[0]} to {ends[1]} no line is crossed."
        return IllegalTurn("no-line-crossed", message, ends)

    def _early_end(self) -> Outcome | None:
        """Nothing but two kings is left."""
        return Outcome(None, "bare-kings") if bare_kings(self._board) else None


class Grid(OrthodoxGame[GridPosition]):
    """Grid Chess."""

    id = "grid"
    name = "Grid Chess"
    own_reasons = MappingProxyType({"no-line-crossed": "Every turn crosses a line of the grid."})
    position_type = GridPosition
    board_type = GridBoard

    @property
    def regions(self) -> tuple[tuple[Square, ...], ...]:
        """The fields."""
        return tuple(squares_of(field) for field in _FIELDS)


GAME = Grid
