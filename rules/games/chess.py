"""Chess itself, by the FIDE Laws."""

from __future__ import annotations

from rules.interface import Outcome, Side, Traits
from rules.orthodox import MovesPosition, OrthodoxGame


class ChessPosition(MovesPosition):
    """A position of chess."""

    __slots__ = ()

    def has_insufficient_material(self, side: Side) -> bool:
        """Whether a side has too little material to give mate by any sequence of legal moves.

        Example:
            A king and a knight against a king: neither side can.
        """
        return self._board.has_insufficient_material(side == "white")

    def _early_end(self) -> Outcome | None:
        """Neither side can give mate any more."""
        dead = self._board.is_insufficient_material()
        return Outcome(None, "insufficient-material") if dead else None


class Chess(OrthodoxGame[ChessPosition]):
    """Chess."""

    id = "chess"
    name = "Chess"
    traits = Traits(kings=True, orthodox=True)
    position_type = ChessPosition


GAME = Chess
