"""King of the Hill: chess in which a king on one of the four centre squares has won.

Here nobody else may step there.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import chess

from rules import IllegalTurn, Outcome
from rules.orthodox import (
    OrthodoxGame,
    OrthodoxPosition,
    OrthodoxTurn,
    after,
    attacked_king,
    bare_kings,
    castling_objection,
    king_attackers,
    objection,
    read_move,
    side_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


class HillPosition(OrthodoxPosition[OrthodoxTurn]):
    """A position of King of the Hill."""

    __slots__ = ()

    turn_type = OrthodoxTurn

    def turns(self) -> Iterator[OrthodoxTurn]:
        """Yield every legal turn, each once, lazily."""
        if self._early_end() is None:
            for move in self._board.generate_legal_moves():
                if not self._profane(move):
                    yield OrthodoxTurn(move)

    def _profane(self, move: chess.Move) -> bool:
        """Whether anybody but a king steps on the hill."""
        steps_on = chess.BB_CENTER >> move.to_square & 1
        return bool(steps_on) and not self._board.kings >> move.from_square & 1

    def _early_end(self) -> Outcome | None:
        """A king on the hill wins, two bare kings draw."""
        if arrived := self._board.kings & chess.BB_CENTER:
            return Outcome(
                side_of(bool(arrived & self._board.occupied_co[chess.WHITE])), "on-the-hill"
            )
        return Outcome(None, "bare-kings") if bare_kings(self._board) else None

    def _read(self, text: str) -> OrthodoxTurn:
        return OrthodoxTurn(read_move(text))

    def _objection(self, turn: OrthodoxTurn) -> IllegalTurn | None:
        board, move = self._board, turn.move
        if found := objection(board, move) or castling_objection(board, move):
            return found
        if self._profane(move):
            square = chess.square_name(move.to_square)
            return IllegalTurn("kings-hill", f"{square} is for kings alone.", (square,))
        attackers = king_attackers(after(board, move), board.turn)
        return attacked_king(attackers, was_in_check=board.is_check()) if attackers else None

    def _after(self, turn: OrthodoxTurn) -> Self:
        return type(self)(self._game, after(self._board, turn.move))


class KingOfTheHill(OrthodoxGame[HillPosition]):
    """King of the Hill."""

    id = "king-of-the-hill"
    name = "King of the Hill"
    own_reasons = MappingProxyType({"kings-hill": "Only a king may step on the hill."})
    position_type = HillPosition


GAME = KingOfTheHill
