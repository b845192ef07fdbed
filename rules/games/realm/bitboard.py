"""What stands where, seen by the side to move: bit sets for the search, attacks on a square."""

from __future__ import annotations

from functools import cached_property, lru_cache

import chess

from rules.interface import Square

EMPTY = "."
BETWEEN: tuple[tuple[int, ...], ...] = tuple(
    tuple(chess.between(a, b) for b in range(64)) for a in range(64)
)
"""For two squares the squares strictly between them on a line, else none."""
CASTLERS = {
    "K": chess.BB_E1 | chess.BB_H1,
    "Q": chess.BB_E1 | chess.BB_A1,
    "k": chess.BB_E8 | chess.BB_H8,
    "q": chess.BB_E8 | chess.BB_A8,
}
"""For each castling right the squares of its king and its rook."""


@lru_cache(maxsize=4096)  # the searches ask for the same few sets again and again
def scan(squares: int) -> tuple[int, ...]:
    """Return the squares of a bit set, lowest first."""
    return tuple(chess.scan_forward(squares))


def names_of(squares: int) -> tuple[Square, ...]:
    """Return the names of the squares of a bit set, sorted."""
    return tuple(sorted(chess.SQUARE_NAMES[square] for square in scan(squares)))


def diagonal_reach(square: int, stops: int) -> int:
    """Return the squares seen along the diagonals, up to and with the first of `stops`."""
    return chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & stops]


def straight_reach(square: int, stops: int) -> int:
    """Return the squares seen along file and rank, up to and with the first of `stops`."""
    return (
        chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & stops]
        | chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & stops]
    )


class Board:
    """A board at the beginning of a turn. Squares are numbers, a1 = 0 to h8 = 63.

    Attributes:
        squares: 64 FEN letters, `.` where nothing stands.
        white: whether White is to move.
        castling: the rights, a part of `KQkq`.
        passed: the bit set of squares on which a pawn may be taken en passant.
        own, enemy, occupied: bit sets of the mover's pieces, the opponent's, and both.
        king: the square of the mover's king, `enemy_king` the bit of the other one.
        victims: the pawns that may be taken en passant.
        guarded: where the mover's king and rooks stand as far as they may castle.
    """

    def __init__(self, squares: str, *, white: bool, castling: str = "", passed: int = 0) -> None:
        self.squares = squares
        self._kinds = squares.upper()
        self.white = white
        self.castling = castling
        self.passed = passed
        sets = dict.fromkeys("KQRBNPkqrbnp", 0)
        bit = 1
        for letter in squares:
            if letter != EMPTY:
                sets[letter] |= bit
            bit <<= 1
        mine, theirs = ("KQRBNP", "kqrbnp") if white else ("kqrbnp", "KQRBNP")
        king, queens, rooks, bishops, self._knights, self._pawns = (sets[k] for k in theirs)
        self._straight = queens | rooks
        self._diagonal = queens | bishops
        self.enemy_king = king
        self.enemy = self._straight | self._diagonal | self._knights | self._pawns | king
        self.own = sum(sets[k] for k in mine)
        self.occupied = self.own | self.enemy
        self.king = sets[mine[0]].bit_length() - 1
        self.victims = passed >> 8 if white else passed << 8
        self.guarded = 0
        for right in castling:
            if right in mine:
                self.guarded |= CASTLERS[right]

    def kind(self, square: int) -> str:
        """Return the kind of what stands on `square` (`N`), `.` for nothing."""
        return self._kinds[square]

    def pawn_stride(self, square: int) -> int:
        """Return how many squares a pawn of the mover on `square` may advance: 1, 2 or 3."""
        rank = square >> 3 if self.white else 7 - (square >> 3)
        return max(3 - rank, 1)

    def attackers(self, square: int, occupied: int, taken: int = 0) -> int:
        """Return the enemy pieces that attack `square` on a board with these squares occupied."""
        pawns = chess.BB_PAWN_ATTACKS[self.white][square] & self._pawns
        near = chess.BB_KNIGHT_ATTACKS[square] & self._knights
        near |= chess.BB_KING_ATTACKS[square] & self.enemy_king
        far = self._diagonal and diagonal_reach(square, occupied) & self._diagonal
        far |= self._straight and straight_reach(square, occupied) & self._straight
        return (pawns | near | far) & ~taken

    @cached_property
    def checkers(self) -> int:
        """The enemy pieces that give check now."""
        return self.attackers(self.king, self.occupied)
