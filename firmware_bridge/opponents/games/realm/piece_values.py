"""What a piece is worth, and where it stands well, in hundredths of a pawn.

A pawn near the last rank is worth a lot: most realms on it let the pawn promote by a
rearrangement, which hardly anything can block.
"""

from __future__ import annotations

from firmware_bridge.opponents.chesslike import tables

KINDS = {kind: number for number, kind in enumerate("PNBRQK", 1)}
"""What `tables` calls a kind, by its letter."""
WORTH = {kind: tables.WORTH[number] for kind, number in KINDS.items()}
"""Material by kind; the king is never taken."""
PROMOTION = 800
"""What a pawn that may promote in this turn promises its side."""

_CENTRE = (0, 6, 12, 16, 16, 12, 6, 0)
_PAWN_RANKS = (-10, 0, 6, 16, 36, 90, 260, 0)
"""Choices: the middle is worth a little, a pawn more the nearer it promotes."""


def _placed(kind: str, file: int, rank: int) -> int:
    """Return what a piece is worth on a square, ranks counted from its own side."""
    centre = _CENTRE[file] + _CENTRE[rank]
    if kind == "P":
        return WORTH[kind] + _PAWN_RANKS[rank] + _CENTRE[file] // 2
    if kind == "N":
        return WORTH[kind] + centre - 14
    if kind == "B":
        return WORTH[kind] + centre // 2 - (10 if rank == 0 else 0)
    if kind == "Q":
        return WORTH[kind] + centre // 4
    if kind == "R":
        return WORTH[kind] + _CENTRE[file] // 3 + (15 if rank == 6 else 0)
    return -centre // 2


PLACED = {
    letter: tuple(
        sign * _placed(letter.upper(), square % 8, square // 8 if sign > 0 else 7 - square // 8)
        for square in range(64)
    )
    for letters, sign in (("KQRBNP", 1), ("kqrbnp", -1))
    for letter in letters
}
"""For each FEN letter its worth on each square, positive for White's."""
