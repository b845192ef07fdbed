"""The gate between what anybody may set up and what can be played.

An `Arrangement` may hold anything: a heap of pieces is one. Only the gate makes it a position, and
when it cannot, it says everything that is wrong, by code and square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.fen import FILES, SQUARES, Fen
from rules.interface import Label, Problem, Side, Square
from rules.values import SIDES

Arrangement = Fen
"""What stands where and what is said about it, nothing judged yet."""

_ROOKS: Mapping[str, tuple[Square, Square]] = {
    "K": ("e1", "h1"),
    "Q": ("e1", "a1"),
    "k": ("e8", "h8"),
    "q": ("e8", "a8"),
}
"""For each castling right the squares of its king and its rook."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What a game with kings asks of an arrangement.

    Attributes:
        pawn_ranks: for each side the ranks on which its pawns can stand.
        kingless: whether the side to move may have lost its king (a king can be captured).
        chess960: whether king and rooks may have begun anywhere on the first rank.
    """

    pawn_ranks: Mapping[Side, str] = field(
        default_factory=lambda: {"white": "234567", "black": "234567"}
    )
    kingless: bool = False
    chess960: bool = False

    def problems(self, arrangement: Arrangement) -> list[Problem]:
        """Return everything that keeps the arrangement from being played, checks aside."""
        found = strays(arrangement.placement)
        if found:
            return found
        return [
            *self._kings(arrangement),
            *self._pawns(arrangement.placement),
            *(castling_problems_960 if self.chess960 else castling_problems)(arrangement),
            *en_passant_problems(arrangement),
        ]

    def _kings(self, arrangement: Arrangement) -> list[Problem]:
        found = []
        for side in SIDES:
            kings = _squares_of(arrangement.placement, side[0] + "K")
            may_lack = self.kingless and side == arrangement.side
            if not kings and not may_lack:
                found.append(Problem("no-king", (), f"{side} has no king"))
            if len(kings) > 1:
                found.append(Problem("many-kings", kings, f"{side} has {len(kings)} kings"))
        return found

    def _pawns(self, placement: Mapping[Square, Label]) -> list[Problem]:
        wrong = tuple(
            square
            for side, ranks in self.pawn_ranks.items()
            for square in _squares_of(placement, side[0] + "P")
            if square[1] not in ranks
        )
        return [Problem("pawn-rank", wrong, "no pawn can stand there")] if wrong else []


def strays(placement: Mapping[Square, Label]) -> list[Problem]:
    """Return a problem for what is no chess piece and one for what stands beside the board."""
    found = []
    off = tuple(sorted(square for square in placement if square not in SQUARES))
    if off:
        found.append(Problem("off-board", off, "there is no such square on this board"))
    odd = tuple(sorted(s for s, x in placement.items() if x[:1] not in "wb" or x[1:] not in _KINDS))
    if odd:
        found.append(Problem("unknown-piece", odd, "no piece of this game"))
    return found


def castling_problems(arrangement: Arrangement) -> list[Problem]:
    """Return a problem for each castling right whose king or rook does not stand at home."""
    found = []
    for right in arrangement.castling:
        side = "w" if right.isupper() else "b"
        king, rook = _ROOKS[right]
        wanted = {king: side + "K", rook: side + "R"}
        lacking = tuple(s for s, label in wanted.items() if arrangement.placement.get(s) != label)
        if lacking:
            text = f"the castling right {right} needs its king and rook at home"
            found.append(Problem("castling-rights", lacking, text))
    return found


def castling_problems_960(arrangement: Arrangement) -> list[Problem]:
    """Return a problem for each castling right of Chess960 that no king and rook can have."""
    found = []
    wings: set[tuple[str, bool]] = set()
    for right in arrangement.castling:
        side, rank = ("w", "1") if right.isupper() else ("b", "8")
        there = {file: arrangement.placement.get(file + rank) for file in FILES}
        king = next((file for file in FILES if there[file] == side + "K"), None)
        rooks = [file for file in FILES if there[file] == side + "R"]
        rook = king and _rook_of_right(right.upper(), king, rooks)
        if not king or not rook or (side, rook > king) in wings:
            squares = tuple(file + rank for file in (king, rook) if file)
            text = f"the castling right {right} needs a king and a rook of its own on rank {rank}"
            found.append(Problem("castling-rights", squares, text))
        else:
            wings.add((side, rook > king))
    return found


def _rook_of_right(right: str, king: str, rooks: list[str]) -> str | None:
    """Return the file of the rook that a right names: by its file, or the outermost by K or Q."""
    if right == "K":
        return max((file for file in rooks if file > king), default=None)
    if right == "Q":
        return min((file for file in rooks if file < king), default=None)
    return right.lower() if right.lower() in rooks else None


def en_passant_problems(arrangement: Arrangement) -> list[Problem]:
    """Return a problem when no double step can just have passed over the en passant square."""
    squares = arrangement.en_passant
    if len(squares) > 1:
        return [Problem("en-passant", squares, "only one pawn can just have passed over a square")]
    for square in squares:
        file = square[0]
        white_moves = arrangement.side == "white"
        rank, start, stop, pawn = ("6", "7", "5", "bP") if white_moves else ("3", "2", "4", "wP")
        holds = [arrangement.placement.get(file + r) for r in (start, square[1], stop)]
        if square[1] != rank or holds != [None, None, pawn]:
            return [Problem("en-passant", (square,), "no pawn can just have passed over there")]
    return []


_KINDS = ("K", "Q", "R", "B", "N", "P")


def _squares_of(placement: Mapping[Square, Label], label: Label) -> tuple[Square, ...]:
    return tuple(sorted(square for square, there in placement.items() if there == label))
