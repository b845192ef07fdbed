"""Mockery Chess: a threatened piece beside a friend goes invisible and cannot be captured."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Self

import chess

from firmware_bridge.opponents.chesslike.mind import ChesslikeEngine
from firmware_bridge.opponents.chesslike.search_board import Board, Move
from firmware_bridge.opponents.chesslike.tables import KING, PAWN, reach
from rules.interface import Position

Reach = dict[int, int]
"""What the piece on each square of one side attacks."""
_KING_WON: Final = 20_000  # more than all other pieces are worth together, and no mate's score
_ALL: Final = chess.BB_ALL
_NOT_A: Final[int] = _ALL & ~chess.BB_FILE_A
_NOT_H: Final[int] = _ALL & ~chess.BB_FILE_H


class MockeryBoard(Board):
    """A position of Mockery Chess.

    Attributes:
        invisible: the squares of the invisible pieces of both sides.
        reached, reached_back: what each piece of the side to act, and of the other, attacks.
        seen, seen_back: what the visible ones among them attack.
    """

    __slots__ = ("invisible", "reached", "reached_back", "seen", "seen_back")

    invisible: int
    reached: Reach
    reached_back: Reach
    seen: int
    seen_back: int

    @classmethod
    def hiding(cls, board: chess.Board, invisible: int) -> Self:
        """Return the position of a board with these invisible pieces."""
        self = cls.of(board)
        self.invisible = invisible
        self.reached, self.reached_back = (
            {
                square: reach(self.cells[square] & 7, square, board.occupied, white=white)
                for square in chess.scan_forward(mask)
            }
            for mask, white in ((self.own, self.side), (self.other, not self.side))
        )
        self._see()
        return self

    def _see(self) -> None:
        """Work out anew what the visible pieces attack."""
        self.seen = seen(self.reached, self.invisible)
        self.seen_back = seen(self.reached_back, self.invisible)

    @property
    def key(self) -> Hashable:
        """All that makes positions different."""
        if self._key is None:
            white = self.own if self.side else self.other
            rest = (self.side, self.castling, self.passed_over, self.invisible)
            self._key = (*self.kinds, white, *rest)
        return self._key

    @property
    def check(self) -> bool:
        """Whether a visible enemy attacks the king of the side to act, and he is visible."""
        return bool(self.kinds[KING] & self.own & ~self.invisible & self.seen_back)

    @property
    def ended(self) -> int | None:
        """Lost without a king; a draw where nothing but kings is left."""
        if not self.kinds[KING] & self.own:
            return -1
        return super().ended

    def _allowed(self, loud: list[tuple[int, Move]]) -> list[tuple[int, Move]]:
        """Return the captures of visible pieces; only invisible ones capture a king."""
        hidden, king = self.invisible, self.kinds[KING] & self.other
        result = []
        for gain, move in loud:
            source, target = move & 63, move >> 6 & 63
            if target == self.passed_over and self.cells[source] & 7 == PAWN:
                target += -8 if self.side else 8
            if hidden >> target & 1:
                continue
            if king >> target & 1:
                if not hidden >> source & 1:
                    continue
                gain += _KING_WON  # noqa: PLW2901 - what it wins is known only here
            result.append((gain, move))
        return result

    def _unseen(self, passed: int) -> bool:
        """Whether the king may castle over a square: no visible enemy attacks it."""
        return not self.check and not self.seen_back >> passed & 1

    def made(self, move: Move) -> Self | None:
        """Return the settled position after a move, `None` when it leaves the king in check."""
        after = self._moved(move)
        if not after.kinds[KING] & after.own:
            after.castling &= ~(chess.BB_RANK_1 if after.side else chess.BB_RANK_8)
            return after
        return None if after.kinds[KING] & after.other & ~after.invisible & after.seen else after

    def _moved(self, move: Move) -> Self:
        """Return the position after a move, with everybody's flags settled."""
        after = super()._moved(move)
        gone = self.own & ~after.other
        come = after.other & ~self.own
        changed = gone | come | self.other & ~after.own
        after.reached = _reach_after(self.reached_back, after, after.own, changed, after.side)
        after.reached_back = _reach_after(self.reached, after, after.other, changed, self.side)
        flags = self.invisible
        if flags & gone:
            flags = _carried(flags & ~come, move, gone, come)
        elif flags:
            flags &= ~come
        after.invisible = flags & (after.own | after.other)
        after._settle()  # noqa: SLF001 - it is one of us
        return after

    def _settle(self) -> None:
        """Have everybody come back or vanish who must; who has just moved vanishes first."""
        self._see()
        self._recover()
        hidden = self.invisible
        fresh = sheltered(self.other, self.seen, hidden) & ~hidden
        if fresh:
            self.invisible |= fresh
            self.seen_back = seen(self.reached_back, self.invisible)
        more = sheltered(self.own, self.seen_back, self.invisible) & ~self.invisible
        if more:
            self.invisible |= more
            self.seen = seen(self.reached, self.invisible)
        if fresh or more:
            self._recover()

    def _recover(self) -> None:
        """Have all come back that nothing threatens or supports, again and again."""
        while self.invisible:
            staying = sheltered(self.own, self.seen_back, self.invisible)
            staying |= sheltered(self.other, self.seen, self.invisible)
            if not self.invisible & ~staying:
                break
            self.invisible &= staying
            self._see()

    def passed(self) -> Self | None:
        """Return the position with the other side to act and everybody as visible as now."""
        after = super().passed()
        if after is not None:
            after.invisible = self.invisible
            after.reached, after.reached_back = self.reached_back, self.reached
            after.seen, after.seen_back = self.seen_back, self.seen
        return after


def seen(reached: Reach, invisible: int) -> int:
    """Return the squares that the visible pieces of a side attack."""
    squares = 0
    if invisible:
        for square, attacked in reached.items():
            if not invisible >> square & 1:
                squares |= attacked
    else:
        for attacked in reached.values():
            squares |= attacked
    return squares


def _reach_after(before: Reach, after: Board, side: int, changed: int, white: bool) -> Reach:
    """Return what each piece of a side attacks once some squares have been emptied or filled."""
    kinds, cells = after.kinds, after.cells
    occupied = after.own | after.other
    sliders = kinds[3] | kinds[4] | kinds[5]
    result = {}
    for square, attacked in before.items():
        bit = 1 << square
        if bit & changed:
            continue
        if attacked & changed and bit & sliders:
            result[square] = reach(cells[square] & 7, square, occupied, white=white)
        else:
            result[square] = attacked
    fresh = changed & side
    while fresh:
        bit = fresh & -fresh
        fresh ^= bit
        square = bit.bit_length() - 1
        result[square] = reach(cells[square] & 7, square, occupied, white=white)
    return result


def _carried(flags: int, move: Move, gone: int, come: int) -> int:
    """Return the flags with those of the pieces that moved, the castled rook's included."""
    source, target = 1 << (move & 63), 1 << (move >> 6 & 63)
    result = flags & ~gone
    if flags & source:
        result |= target
    if flags & gone & ~source:
        result |= come & ~target
    return result


def sheltered(side: int, attacked: int, flags: int) -> int:
    """Return the pieces of a side that are threatened and supported.

    `attacked` is what the visible enemies attack, `flags` are the invisible pieces.
    """
    threatened = side & attacked
    if not threatened:
        return 0
    calm = side & ~flags & ~threatened
    beside = (calm & _NOT_A) >> 1 | (calm & _NOT_H) << 1
    row = calm | beside
    return threatened & (beside | (row << 8 | row >> 8) & _ALL)


class MockeryEngine(ChesslikeEngine):
    """Plays Mockery Chess."""

    node = MockeryBoard

    def node_of(self, position: Position) -> MockeryBoard:
        """Return the node of a position, its invisible pieces read from the seventh field."""
        *_, field = str(position).split()
        names = () if field == "-" else field.split(",")
        mask = sum(1 << chess.parse_square(name) for name in names)
        return MockeryBoard.hiding(chess.Board(position.fen), mask)


ENGINE = MockeryEngine
