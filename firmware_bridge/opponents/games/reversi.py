"""Reversi Chess: a capture may turn the enemies between the capturing piece and a friend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, Self

import chess

from firmware_bridge.opponents.chesslike.mind import ChesslikeEngine
from firmware_bridge.opponents.chesslike.search_board import Board, Move
from firmware_bridge.opponents.chesslike.tables import KING, PAWN, Worths

_ANCHOR: Final = 15
"""Where in a move the anchor stands, its square plus one; 0 for none."""
# By regression on what came of games (docs/tables/opponents.md). A pawn can be no anchor, and is
# worth less than half of what it is in chess.
_WORTHS: Final = Worths((0, 40, 320, 320, 520, 1080, 0), (0, 60, 310, 320, 480, 1020, 0))
_BETWEEN: Final = tuple(tuple(chess.between(a, b) for b in range(64)) for a in range(64))


def _ray(square: int, across: int, up: int) -> int:
    """Return the squares from one to the edge in one direction."""
    mask, file, rank = 0, (square & 7) + across, (square >> 3) + up
    while 0 <= file < 8 and 0 <= rank < 8:
        mask |= 1 << (rank << 3 | file)
        file, rank = file + across, rank + up
    return mask


_UPWARD: Final = tuple(
    tuple(_ray(s, x, y) for x, y in ((1, 0), (-1, 1), (0, 1), (1, 1))) for s in range(64)
)
_DOWNWARD: Final = tuple(
    tuple(_ray(s, x, y) for x, y in ((-1, 0), (1, -1), (0, -1), (-1, -1))) for s in range(64)
)


class ReversiBoard(Board):
    """A position of Reversi Chess; a move holds its anchor as well."""

    __slots__ = ()

    WORTHS: ClassVar = _WORTHS

    def _allowed(self, loud: list[tuple[int, Move]]) -> list[tuple[int, Move]]:
        """Return every capture without and with each of its conversions."""
        cells, other, worth = self.cells, self.other, self.worths.early
        result = list(loud)
        for gain, move in loud:
            target = move >> 6 & 63
            enemies = other & ~(1 << target)
            if not cells[target]:
                if target != self.passed_over or cells[move & 63] & 7 != PAWN:
                    continue
                enemies &= ~(1 << target + (-8 if self.side else 8))
            for anchor, inside in self._segments(target, self.own & ~(1 << (move & 63)), enemies):
                won = sum(worth[cells[square] & 7] for square in chess.scan_forward(inside))
                result.append((gain + 2 * won, move | anchor + 1 << _ANCHOR))
        return result

    def _segments(self, target: int, friends: int, enemies: int) -> Iterator[tuple[int, int]]:
        """Yield the anchors of a capture with the enemies, as a mask, that each would turn."""
        barred = self.kinds[PAWN]
        kings = self.kinds[KING]
        for ray in _UPWARD[target]:
            met = ray & friends
            if met and ray & enemies:
                bit = met & -met
                inside = ray & enemies & bit - 1
                if inside and not bit & barred and not inside & kings:
                    yield bit.bit_length() - 1, inside
        for ray in _DOWNWARD[target]:
            met = ray & friends
            if met and ray & enemies:
                anchor = met.bit_length() - 1
                inside = ray & enemies & _BETWEEN[target][anchor]
                if inside and not barred >> anchor & 1 and not inside & kings:
                    yield anchor, inside

    def _moved(self, move: Move) -> Self:
        """Return the position after a move and its conversion."""
        after = super()._moved(move)
        anchor = move >> _ANCHOR
        if anchor:
            inside = after.own & _BETWEEN[move >> 6 & 63][anchor - 1]
            after.own ^= inside
            after.other |= inside
            cells, placed = after.cells, after.worths.placed
            while inside:
                bit = inside & -inside
                inside ^= bit
                square = bit.bit_length() - 1
                piece = cells[square]
                cells[square] = piece ^ 8
                after.score += placed[piece ^ 8][square] - placed[piece][square]
        return after

    def text(self, move: Move) -> str:
        """Return the text of a move's turn, the anchor's square behind it."""
        anchor = move >> _ANCHOR
        return super().text(move) + (f"~{chess.SQUARE_NAMES[anchor - 1]}" if anchor else "")


class ReversiEngine(ChesslikeEngine):
    """Plays Reversi Chess."""

    node = ReversiBoard


ENGINE = ReversiEngine
