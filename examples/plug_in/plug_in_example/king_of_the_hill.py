"""King of the Hill: chess in which a king on one of the four centre squares has won.

Here nobody else may step there.
"""

from __future__ import annotations

from types import MappingProxyType

import chess

from rules import IllegalTurn, Outcome
from rules.orthodox import MovesPosition, OrthodoxGame, bare_kings, side_of


class HillPosition(MovesPosition):
    """A position of King of the Hill."""

    __slots__ = ()

    def _bar(self, move: chess.Move) -> IllegalTurn | None:
        """Nobody but a king steps on the hill."""
        steps_on = chess.BB_CENTER >> move.to_square & 1
        if not steps_on or self._board.kings >> move.from_square & 1:
            return None
        square = chess.square_name(move.to_square)
        return IllegalTurn("kings-hill", f"{square} is for kings alone.", (square,))

    def _early_end(self) -> Outcome | None:
        """A king on the hill wins, two bare kings draw."""
        if arrived := self._board.kings & chess.BB_CENTER:
            return Outcome(
                side_of(bool(arrived & self._board.occupied_co[chess.WHITE])), "on-the-hill"
            )
        return Outcome(None, "bare-kings") if bare_kings(self._board) else None


class KingOfTheHill(OrthodoxGame[HillPosition]):
    """King of the Hill."""

    id = "king-of-the-hill"
    name = "King of the Hill"
    own_reasons = MappingProxyType({"kings-hill": "Only a king may step on the hill."})
    position_type = HillPosition


GAME = KingOfTheHill
