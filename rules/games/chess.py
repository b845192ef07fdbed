"""Chess itself, by the FIDE Laws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rules.interface import IllegalTurn, Outcome
from rules.orthodox import (
    OrthodoxGame,
    OrthodoxPosition,
    OrthodoxTurn,
    after,
    attacked_king,
    castling_objection,
    king_attackers,
    objection,
    read_move,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.interface import Side


class ChessPosition(OrthodoxPosition[OrthodoxTurn]):
    """A position of chess."""

    __slots__ = ()

    turn_type = OrthodoxTurn

    def turns(self) -> Iterator[OrthodoxTurn]:
        """Yield every legal turn, each once, lazily."""
        if self._early_end() is None:
            yield from map(OrthodoxTurn, self._board.generate_legal_moves())

    def has_insufficient_material(self, side: Side) -> bool:
        """Whether a side cannot give mate by any sequence of legal moves, as far as material says.

        Example:
            A king and a knight against a king: neither side can.
        """
        return self._board.has_insufficient_material(side == "white")

    def _early_end(self) -> Outcome | None:
        """Neither side can give mate any more."""
        dead = self._board.is_insufficient_material()
        return Outcome(None, "insufficient-material") if dead else None

    def _read(self, text: str) -> OrthodoxTurn:
        return OrthodoxTurn(read_move(text))

    def _objection(self, turn: OrthodoxTurn) -> IllegalTurn | None:
        board, move = self._board, turn.move
        if found := objection(board, move) or castling_objection(board, move):
            return found
        attackers = king_attackers(after(board, move), board.turn)
        return attacked_king(attackers, was_in_check=board.is_check()) if attackers else None

    def _after(self, turn: OrthodoxTurn) -> Self:
        return type(self)(self._game, after(self._board, turn.move))


class Chess(OrthodoxGame[ChessPosition]):
    """Chess."""

    id = "chess"
    name = "Chess"
    position_type = ChessPosition


GAME = Chess
