"""What the games that move as in chess share, on top of python-chess."""

from rules.orthodox.conversion import after, bare_kings, king_attackers, side_of
from rules.orthodox.objections import attacked_king, castling_objection, objection
from rules.orthodox.position import (
    MovesPosition,
    OrthodoxGame,
    OrthodoxPosition,
    OrthodoxTurn,
    move_deed,
    read_move,
)

__all__ = [
    "MovesPosition",
    "OrthodoxGame",
    "OrthodoxPosition",
    "OrthodoxTurn",
    "after",
    "attacked_king",
    "bare_kings",
    "castling_objection",
    "king_attackers",
    "move_deed",
    "objection",
    "read_move",
    "side_of",
]
