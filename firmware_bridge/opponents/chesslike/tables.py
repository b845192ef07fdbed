"""What pieces attack on which squares, and what they are worth there.

Squares are numbers from a1 = 0 to h8 = 63, sets of them bit masks. A piece is a number: its kind, 1
for a pawn to 6 for a king, and 8 more for Black's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import chess

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
WORTH: Final[tuple[int, ...]] = (0, 100, 320, 330, 500, 950, 0)
"""What a kind is worth where nothing else counts, in hundredths of a pawn."""

KNIGHT_ATTACKS: Final = tuple(chess.BB_KNIGHT_ATTACKS)
KING_ATTACKS: Final = tuple(chess.BB_KING_ATTACKS)
PAWN_ATTACKS: Final[tuple[tuple[int, ...], ...]] = (
    tuple(chess.BB_PAWN_ATTACKS[chess.BLACK]),
    tuple(chess.BB_PAWN_ATTACKS[True]),
)
"""By colour, White's under `True`."""
_DIAGONAL: Final = tuple(zip(chess.BB_DIAG_MASKS, chess.BB_DIAG_ATTACKS, strict=True))
_RANK: Final = tuple(zip(chess.BB_RANK_MASKS, chess.BB_RANK_ATTACKS, strict=True))
_FILE: Final = tuple(zip(chess.BB_FILE_MASKS, chess.BB_FILE_ATTACKS, strict=True))


def diagonal(square: int, occupied: int) -> int:
    """Return what a bishop attacks."""
    mask, attacks = _DIAGONAL[square]
    return attacks[mask & occupied]


def straight(square: int, occupied: int) -> int:
    """Return what a rook attacks."""
    rank, by_rank = _RANK[square]
    file, by_file = _FILE[square]
    return by_rank[rank & occupied] | by_file[file & occupied]


def reach(kind: int, square: int, occupied: int, *, white: bool) -> int:
    """Return what a piece attacks."""
    if kind == PAWN:
        return PAWN_ATTACKS[white][square]
    if kind == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if kind == KING:
        return KING_ATTACKS[square]
    attacked = 0
    if kind != ROOK:
        attacked = diagonal(square, occupied)
    if kind != BISHOP:
        attacked |= straight(square, occupied)
    return attacked


def _middle(square: int) -> int:
    """Return how near the middle a square is: 0 in a corner, 6 in the centre."""
    file, rank = square & 7, square >> 3
    return min(file, 7 - file) + min(rank, 7 - rank)


def _pawn(square: int) -> tuple[int, int]:
    file, rank = square & 7, square >> 3
    centre = (0, 0, 2, 6)[min(file, 7 - file)]
    opening = (0, 0, 2, 8, 16, 30, 60, 0)[rank] + centre * (rank - 1 if rank < 5 else 3)
    return opening, (0, 4, 8, 18, 34, 62, 110, 0)[rank]


def _knight(square: int) -> tuple[int, int]:
    return 9 * _middle(square) - 30, 6 * _middle(square) - 20


def _bishop(square: int) -> tuple[int, int]:
    back = -12 if square < 8 else 0
    return 4 * _middle(square) - 8 + back, 4 * _middle(square) - 12


def _rook(square: int) -> tuple[int, int]:
    file, rank = square & 7, square >> 3
    return 3 * min(file, 7 - file) + (22 if rank == 6 else 0), 8 if rank >= 5 else 0


def _queen(square: int) -> tuple[int, int]:
    return _middle(square) - 2, 4 * _middle(square) - 10


def _king(square: int) -> tuple[int, int]:
    file, rank = square & 7, square >> 3
    sheltered = (30, 36, 12, -6)[min(file, 7 - file)]
    return sheltered - 25 * min(rank, 3), 9 * _middle(square) - 24


_PLACES: Final[tuple[Callable[[int], tuple[int, int]], ...]] = (
    _pawn,
    _knight,
    _bishop,
    _rook,
    _queen,
    _king,
)
# A choice: pawns and rooks grow late in the game.
_LATE_WORTH: Final[tuple[int, ...]] = (0, 120, 310, 330, 540, 980, 0)


def packed(early: int, late: int) -> int:
    """Return two scores in one number, so that one addition adds both."""
    return early + (late << 20)


def unpacked(score: int) -> tuple[int, int]:
    """Return the two scores that were packed and added up: early and late in the game."""
    early = (score + (1 << 19) & (1 << 20) - 1) - (1 << 19)
    return early, score - early >> 20


class Worths:
    """What pieces are worth in a game, in hundredths of a pawn.

    Attributes:
        early: by kind, as long as most pieces are there.
        placed: for each piece its packed score on each square, as White sees it.
    """

    __slots__ = ("early", "placed")

    def __init__(self, early: tuple[int, ...], late: tuple[int, ...]) -> None:
        self.early = early
        self.placed = tuple(
            tuple(_placed(piece, square, early, late) for square in range(64))
            for piece in range(16)
        )


def _placed(piece: int, square: int, early: tuple[int, ...], late: tuple[int, ...]) -> int:
    kind, white = piece & 7, piece < 8
    if not 1 <= kind <= 6:
        return 0
    sooner, later = _PLACES[kind - 1](square if white else square ^ 56)
    both = packed(early[kind] + sooner, late[kind] + later)
    return both if white else -both


IN_CHESS: Final = Worths(WORTH, _LATE_WORTH)
EDGE: Final = tuple(6 - _middle(square) for square in range(64))
"""How far from the middle a square is, 0 to 6."""
DISTANCE: Final = tuple(tuple(chess.square_distance(a, b) for b in range(64)) for a in range(64))
"""How many steps of a king lie between two squares."""
