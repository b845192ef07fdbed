"""Who vanishes and who comes back: the settling of Mockery Chess after every move.

Squares are bit masks. A *reach* tells for each piece which squares it attacks, visible or not;
en passant is no attack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import chess

Reach = dict[chess.Square, int]

_NOT_A = chess.BB_ALL & ~chess.BB_FILE_A
_NOT_H = chess.BB_ALL & ~chess.BB_FILE_H


def reach_of(board: chess.Board) -> Reach:
    """Return what every piece on the board attacks."""
    return {square: board.attacks_mask(square) for square in chess.scan_forward(board.occupied)}


def reach_after(reach: Reach, board: chess.Board, changed: int) -> Reach:
    """Return what every piece attacks after a move, by the squares that it emptied or filled.

    Only the pieces on the changed squares and the sliders that saw one of them attack otherwise
    than before.
    """
    sliders = board.bishops | board.rooks | board.queens
    result = {}
    for square, attacked in reach.items():
        bit = 1 << square
        if bit & changed:
            continue
        if bit & sliders and attacked & changed:
            result[square] = board.attacks_mask(square)
        else:
            result[square] = attacked
    for square in chess.scan_forward(changed & board.occupied):
        result[square] = board.attacks_mask(square)
    return result


@dataclass(frozen=True, slots=True)
class Visibility:
    """What decides who is invisible, once the move is made.

    Attributes:
        sides: the squares of Black's and of White's pieces.
        reach: what every piece attacks.
    """

    sides: tuple[int, int]
    reach: Mapping[chess.Square, int]

    def attacked(self, by: chess.Color, invisible: int) -> int:
        """Return the squares attacked by the visible pieces of a side."""
        visible = self.sides[by] & ~invisible
        squares = 0
        for square, attacked in self.reach.items():
            if visible >> square & 1:
                squares |= attacked
        return squares

    def sheltered(self, side: chess.Color, invisible: int) -> int:
        """Return the pieces of a side that are threatened and supported."""
        own = self.sides[side]
        threatened = own & self.attacked(not side, invisible)
        return threatened & neighbours(own & ~invisible & ~threatened)

    def settle(self, invisible: int, mover: chess.Color) -> int:
        """Return the invisible pieces once all have recovered and vanished that must.

        The flags of the invisible were carried along by the move; the mover's pieces vanish first.
        """
        invisible = self._recover(invisible)
        for side in (mover, not mover):
            invisible |= self.sheltered(side, invisible)
        return self._recover(invisible)

    def _recover(self, invisible: int) -> int:
        """Return who stays invisible when all come back that nothing threatens or supports."""
        while invisible:
            sheltered = self.sheltered(chess.WHITE, invisible) | self.sheltered(
                chess.BLACK, invisible
            )
            if not invisible & ~sheltered:
                break
            invisible &= sheltered
        return invisible


def neighbours(squares: int) -> int:
    """Return the squares that touch one of `squares`, by side or by corner."""
    beside = (squares & _NOT_A) >> 1 | (squares & _NOT_H) << 1
    row = squares | beside
    return beside | (row << 8 | row >> 8) & chess.BB_ALL
