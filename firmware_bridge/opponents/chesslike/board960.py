"""A position of Chess960 as a search walks over it: a king castles by taking his rook."""

from __future__ import annotations

from typing import Self

from firmware_bridge.opponents.chesslike.search_board import Board, Move
from firmware_bridge.opponents.chesslike.tables import KING


class Board960(Board):
    """A position in which king and rooks may have begun anywhere on their first rank."""

    __slots__ = ()

    def _castlings(self, quiet: list[Move]) -> None:
        """Add the castlings: all squares on the way are empty, those of the king unattacked."""
        king = (self.kinds[KING] & self.own).bit_length() - 1
        occupied = self.own | self.other
        rooks = self.castling & self.own
        while rooks:
            bit = rooks & -rooks
            rooks ^= bit
            rook = bit.bit_length() - 1
            king_to, rook_to = _ends(king, rook)
            others = occupied & ~(1 << king | bit)
            if others & (_between(king, king_to) | _between(rook, rook_to)) or self.check:
                continue
            first, last = min(king, king_to), max(king, king_to)
            if all(self._unseen(square) for square in range(first, last + 1) if square != king):
                quiet.append(king | rook << 6)

    def _moved(self, move: Move) -> Self:
        """Return the position after a move, the king safe or not."""
        king, rook = move & 63, move >> 6 & 63
        if not self.own >> rook & 1:
            return super()._moved(move)
        king_to, rook_to = _ends(king, rook)
        after = type(self)()
        after.cells, after.kinds = cells, kinds = self.cells[:], self.kinds[:]
        men = (cells[king], king, king_to), (cells[rook], rook, rook_to)
        own, after.score = self.own, self.score
        after.worths = self.worths
        placed = self.worths.placed
        for man, source, _ in men:
            cells[source] = 0
            kinds[man & 7] ^= 1 << source
            own ^= 1 << source
            after.score -= placed[man][source]
        for man, _, target in men:
            cells[target] = man
            kinds[man & 7] ^= 1 << target
            own ^= 1 << target
            after.score += placed[man][target]
        after.own, after.other = self.other, own
        after.side, after.passed_over = not self.side, -1
        after.castling = self.castling & ~self.own
        after._forget()  # noqa: SLF001 - it is one of us
        return after


def _ends(king: int, rook: int) -> tuple[int, int]:
    """Return where king and rook stand after castling."""
    row = king & 56
    return (row + 6, row + 5) if rook > king else (row + 2, row + 3)


def _between(first: int, last: int) -> int:
    """Return the squares of a rank from one to the other, both included."""
    low, high = min(first, last), max(first, last)
    return (1 << high + 1) - (1 << low)
