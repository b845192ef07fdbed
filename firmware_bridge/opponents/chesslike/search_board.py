"""An orthodox position as a search walks over it; the other games override what differs."""

from __future__ import annotations

from collections.abc import Hashable
from operator import itemgetter
from typing import ClassVar, Final, Self

import chess

from firmware_bridge.opponents.chesslike.tables import (
    DISTANCE,
    EDGE,
    IN_CHESS,
    KING,
    KING_ATTACKS,
    KNIGHT,
    KNIGHT_ATTACKS,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    Worths,
    diagonal,
    reach,
    straight,
    unpacked,
)
from firmware_bridge.opponents.search import Node

Move = int
"""From (6 bits), to (6 bits), the new kind of a promoted pawn (3 bits), what a game adds (7)."""
_WON_BY: Final = itemgetter(0)
_ALL: Final = chess.BB_ALL
_PROMOTIONS: Final[tuple[int, ...]] = (QUEEN, KNIGHT, ROOK, 3)
_SECOND: Final[tuple[int, ...]] = (chess.BB_RANK_7, chess.BB_RANK_2)
_LAST: Final[tuple[int, ...]] = (chess.BB_RANK_1, chess.BB_RANK_8)
_LATE_AGAIN: Final = 24
"""The weight of all pieces at the start; the fewer are left, the later it is in the game."""
_NAMES: Final = chess.SQUARE_NAMES


class Board(Node[Move]):
    """A position: bit masks by kind and by who is to act, and what stands on each square.

    Attributes:
        cells: the piece on each square, 0 for none.
        kinds: the squares of each kind, of both colours; the first entry is unused.
        own, other: the squares of the side to act and of the other.
        side: whether White is to act.
        castling: the squares of the rooks with which may still be castled.
        passed_over: the square that a pawn may be taken on en passant, -1 for none.
        worths: what pieces are worth.
        score: the packed worth of all pieces, as White sees it.
    """

    __slots__ = (
        "_check",
        "_key",
        "_quiet",
        "castling",
        "cells",
        "kinds",
        "other",
        "own",
        "passed_over",
        "score",
        "side",
        "worths",
    )

    WORTHS: ClassVar[Worths] = IN_CHESS
    """What pieces are worth in a game; each of its positions holds it as `worths`."""

    cells: list[int]
    kinds: list[int]
    own: int
    other: int
    castling: int
    passed_over: int
    worths: Worths
    score: int
    _check: bool | None
    _key: Hashable
    _quiet: list[Move] | None

    @classmethod
    def of(cls, board: chess.Board) -> Self:
        """Return the position of a python-chess board."""
        self = cls()
        self.cells = [0] * 64
        for square, piece in board.piece_map().items():
            self.cells[square] = piece.piece_type + (0 if piece.color else 8)
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        self.kinds = [0, *kinds]
        self.side = board.turn
        self.own, self.other = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        self.castling = board.clean_castling_rights()
        self.passed_over = -1 if board.ep_square is None else board.ep_square
        self.worths = cls.WORTHS
        placed = self.worths.placed
        self.score = sum(placed[piece][square] for square, piece in enumerate(self.cells))
        self._forget()
        return self

    def _forget(self) -> None:
        self._check = self._key = self._quiet = None

    @property
    def key(self) -> Hashable:
        """All that makes positions different."""
        if self._key is None:
            white = self.own if self.side else self.other
            self._key = (*self.kinds, white, self.side, self.castling, self.passed_over)
        return self._key

    @property
    def check(self) -> bool:
        """Whether the king of the side to act is attacked."""
        if self._check is None:
            king = self.kinds[KING] & self.own
            square = king.bit_length() - 1
            self._check = bool(self.attackers(square, self.other, white=not self.side))
        return self._check

    @property
    def ended(self) -> int | None:
        """A draw where nothing but kings is left."""
        return 0 if self.own | self.other == self.kinds[KING] else None

    @property
    def stuck(self) -> int:
        """Lost when in check, else a draw."""
        return -1 if self.check else 0

    @property
    def value(self) -> int:
        """What the position is worth to the side to act, in hundredths of a pawn."""
        _, pawns, knights, bishops, rooks, queens, _ = self.kinds
        early, late = unpacked(self.score)
        weight = (knights | bishops).bit_count() + 2 * rooks.bit_count() + 4 * queens.bit_count()
        weight = min(weight, _LATE_AGAIN)
        value = (early * weight + late * (_LATE_AGAIN - weight)) // _LATE_AGAIN
        if not self.side:
            value = -value
        value += self._pairs(bishops)
        if not pawns or weight < 7:
            value += self._driven(value)
        return value

    def _pairs(self, bishops: int) -> int:
        """Return what it is worth to have both bishops."""
        return 30 * ((bishops & self.own).bit_count() > 1) - 30 * (
            (bishops & self.other).bit_count() > 1
        )

    def _driven(self, value: int) -> int:
        """Return how well the stronger side drives the king of the other to the edge."""
        if -200 < value < 200:
            return 0
        kings = self.kinds[KING]
        mine = (kings & self.own).bit_length() - 1
        theirs = (kings & self.other).bit_length() - 1
        if mine < 0 or theirs < 0:
            return 0
        near = 14 - DISTANCE[mine][theirs]
        if value > 0:
            return 12 * EDGE[theirs] + 5 * near
        return -12 * EDGE[mine] - 5 * near

    def attackers(self, square: int, by: int, *, white: bool) -> int:
        """Return the pieces among `by`, all of one colour, that attack a square."""
        _, pawns, knights, bishops, rooks, queens, kings = self.kinds
        occupied = self.own | self.other
        return by & (
            KNIGHT_ATTACKS[square] & knights
            | KING_ATTACKS[square] & kings
            | PAWN_ATTACKS[not white][square] & pawns
            | diagonal(square, occupied) & (bishops | queens)
            | straight(square, occupied) & (rooks | queens)
        )

    def captures(self) -> list[tuple[int, Move]]:
        """Return captures and promotions with what they win, the best first.

        The moves that go elsewhere are found on the way, and kept for `quiets`.
        """
        quiet: list[Move] = []
        loud: list[tuple[int, Move]] = []
        self._pawn_moves(loud, quiet)
        cells, kinds, own, other = self.cells, self.kinds, self.own, self.other
        occupied, white, worth = own | other, self.side, self.worths.early
        for kind in range(2, 7):
            left = kinds[kind] & own
            while left:
                bit = left & -left
                left ^= bit
                source = bit.bit_length() - 1
                targets = reach(kind, source, occupied, white=white) & ~own
                taken = targets & other
                targets ^= taken
                while taken:
                    bit = taken & -taken
                    taken ^= bit
                    target = bit.bit_length() - 1
                    loud.append((worth[cells[target] & 7], source | target << 6))
                while targets:
                    bit = targets & -targets
                    targets ^= bit
                    quiet.append(source | (bit.bit_length() - 1) << 6)
        if self.castling:
            self._castlings(quiet)
        self._quiet = quiet
        loud = self._allowed(loud)
        loud.sort(key=_WON_BY, reverse=True)
        return loud

    def _allowed(self, loud: list[tuple[int, Move]]) -> list[tuple[int, Move]]:
        """Return what a game makes of the captures of orthodox chess."""
        return loud

    def quiets(self) -> list[Move]:
        """Return the moves that capture nothing and promote nothing."""
        if self._quiet is None:
            self.captures()
        return self._quiet or []

    def _pawn_moves(self, loud: list[tuple[int, Move]], quiet: list[Move]) -> None:
        white, cells, worth = self.side, self.cells, self.worths.early
        pawns = self.kinds[PAWN] & self.own
        empty = _ALL & ~(self.own | self.other)
        forward = 8 if white else -8
        last, attacks = _LAST[white], PAWN_ATTACKS[white]
        goals = self.other | (1 << self.passed_over if self.passed_over >= 0 else 0)
        left = pawns
        while left:
            bit = left & -left
            left ^= bit
            source = bit.bit_length() - 1
            taken = attacks[source] & goals
            while taken:
                to = taken & -taken
                taken ^= to
                target = to.bit_length() - 1
                won = worth[cells[target] & 7] or worth[PAWN]
                if to & last:
                    for kind in _PROMOTIONS:
                        gain = won + worth[kind] - worth[PAWN]
                        loud.append((gain, source | target << 6 | kind << 12))
                else:
                    loud.append((won, source | target << 6))
            target = source + forward
            if not 0 <= target < 64 or not empty >> target & 1:
                continue
            if 1 << target & last:
                for kind in _PROMOTIONS:
                    gain = worth[kind] - worth[PAWN]
                    loud.append((gain, source | target << 6 | kind << 12))
                continue
            quiet.append(source | target << 6)
            if bit & _SECOND[white] and empty >> target + forward & 1:
                quiet.append(source | target + forward << 6)

    def _castlings(self, quiet: list[Move]) -> None:
        """Add the castlings: the way is empty, and the king neither is nor comes into check."""
        home = 4 if self.side else 60
        if not self.kinds[KING] & self.own & 1 << home:
            return
        occupied = self.own | self.other
        for rook, between, target in (
            (home + 3, 0b11 << home + 1, home + 2),
            (home - 4, 0b111 << home - 3, home - 2),
        ):
            if (
                self.castling >> rook & 1
                and not occupied & between
                and self._unseen((home + target) // 2)
            ):
                quiet.append(home | target << 6)

    def _unseen(self, passed: int) -> bool:
        """Whether the king may castle over a square."""
        return not self.check and not self.attackers(passed, self.other, white=not self.side)

    def made(self, move: Move) -> Self | None:
        """Return the position after a move, `None` when it leaves the own king attacked."""
        after = self._moved(move)
        king = (after.kinds[KING] & after.other).bit_length() - 1
        return None if after.attackers(king, after.own, white=after.side) else after

    def _moved(self, move: Move) -> Self:
        """Return the position after a move, the king safe or not."""
        source, target = move & 63, move >> 6 & 63
        after = type(self)()
        cells, kinds = self.cells[:], self.kinds[:]
        own, other, score = self.own, self.other, self.score
        after.worths = self.worths
        placed = self.worths.placed
        piece, taken = cells[source], cells[target]
        kind = piece & 7
        away, there = 1 << source, 1 << target
        passed_over = -1
        if taken:
            kinds[taken & 7] ^= there
            other ^= there
            score -= placed[taken][target]
        if kind == PAWN:
            if target == self.passed_over:
                victim = target + (-8 if self.side else 8)
                kinds[PAWN] ^= 1 << victim
                other ^= 1 << victim
                score -= placed[cells[victim]][victim]
                cells[victim] = 0
            elif abs(target - source) == 16:
                passed_over = (source + target) // 2
        elif kind == KING and abs(target - source) == 2 and source in (4, 60):
            rook = source + 3 if target > source else source - 4
            beside = (source + target) // 2
            if self.castling >> rook & 1:
                cells[beside], cells[rook] = cells[rook], 0
                both = 1 << rook | 1 << beside
                kinds[ROOK] ^= both
                own ^= both
                score += placed[cells[beside]][beside] - placed[cells[beside]][rook]
        becomes = (move >> 12 & 7) + (piece & 8) if move >> 12 & 7 else piece
        cells[source], cells[target] = 0, becomes
        kinds[kind] ^= away
        kinds[becomes & 7] ^= there
        own ^= away | there
        after.score = score + placed[becomes][target] - placed[piece][source]
        after.cells, after.kinds = cells, kinds
        after.own, after.other = other, own
        after.side = not self.side
        after.passed_over = passed_over
        castling = self.castling
        if castling:
            castling &= ~(away | there)
            if kind == KING:
                castling &= _LAST[not self.side] ^ _ALL
        after.castling = castling
        after._forget()  # noqa: SLF001 - it is one of us
        return after

    def passed(self) -> Self | None:
        """Return the position with the other side to act; `None` with few pieces left."""
        heavy = self.own & ~(self.kinds[PAWN] | self.kinds[KING])
        if heavy & (heavy - 1) == 0:
            return None
        after = type(self)()
        after.cells, after.kinds = self.cells, self.kinds
        after.own, after.other = self.other, self.own
        after.side, after.castling, after.score = not self.side, self.castling, self.score
        after.worths = self.worths
        after.passed_over = -1
        after._forget()  # noqa: SLF001 - it is one of us
        return after

    def text(self, move: Move) -> str:
        """Return the text of a move's turn."""
        promotion = move >> 12 & 7
        return _NAMES[move & 63] + _NAMES[move >> 6 & 63] + (" pnbrqk"[promotion].strip())
