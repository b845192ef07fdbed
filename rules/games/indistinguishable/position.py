"""A position of Indistinguishable Chess, and the turns that are owed in it."""

from __future__ import annotations

import chess

from rules.interface import IllegalTurn, Outcome, Square
from rules.orthodox import MovesPosition, OrthodoxGame
from rules.orthodox.conversion import NAMES
from rules.orthodox.objections import en_passant_victim


class IndistinguishablePosition(MovesPosition):
    """A position of Indistinguishable Chess.

    Args:
        game: the game, options included.
        board: the python-chess board; from now on nobody may change it.
        owed: the square of the piece that must be captured, if the referee has ruled so. It is no
            part of the position text, but limits the turns.
    """

    __slots__ = ("_owed",)

    def __init__(
        self,
        game: OrthodoxGame[IndistinguishablePosition],
        board: chess.Board,
        owed: chess.Square | None = None,
    ) -> None:
        super().__init__(game, board)
        self._owed = owed

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, IndistinguishablePosition)
            and self._owed == other._owed
            and super().__eq__(other)
        )

    __hash__ = MovesPosition.__hash__

    @property
    def board(self) -> chess.Board:
        """A copy of the python-chess board."""
        return self._board.copy(stack=False)

    @property
    def obligation(self) -> Square | None:
        """The square of the piece that must be captured, if any."""
        return None if self._owed is None else NAMES[self._owed]

    def captures(self, move: chess.Move, square: chess.Square) -> bool:
        """Whether a legal move captures the piece on `square`, en passant included."""
        return square in (move.to_square, en_passant_victim(self._board, move))

    def owing(self, square: chess.Square | None) -> IndistinguishablePosition:
        """Return this position with the piece on `square` to be captured.

        An obligation that no legal capture can meet does not exist.
        """
        free = IndistinguishablePosition(self._game, self._board)
        if square is None or not any(free.captures(turn.move, square) for turn in free.turns()):
            return free
        return IndistinguishablePosition(self._game, self._board, square)

    def _early_end(self) -> Outcome | None:
        """Material with which nobody can ever give mate draws."""
        if self._board.is_insufficient_material():
            return Outcome(None, "insufficient-material")
        return None

    def _bar(self, move: chess.Move) -> IllegalTurn | None:
        """Bar everything but owed captures under an obligation."""
        if self._owed is None or self.captures(move, self._owed):
            return None
        name = NAMES[self._owed]
        return IllegalTurn("must-capture", f"The piece on {name} must be captured.", (name,))
