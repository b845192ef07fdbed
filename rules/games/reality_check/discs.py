"""The flippable pieces: their names, their faces, and the two ways of writing them.

A *name* is two capital letters in the order of the list of pieces (`PN`), and says what the piece
is. A *cell* is what stands on a square: up-face and down-face, capitals for White and small
letters for Black (`NP`, `np`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rules.interface import Label, Side

Name = str
Cell = str

FACES = "PNBR"
NAMES: tuple[Name, ...] = ("PP", "PN", "PB", "PR", "NN", "NB", "NR", "BB", "BR", "RR")
"""The ten pieces of a side, in the order in which texts list them."""

_RANK = {name: rank for rank, name in enumerate(NAMES)}
_NAME_OF: dict[Cell, Name] = {
    cell: name for name in NAMES for upper in (name, name[::-1]) for cell in (upper, upper.lower())
}
CELLS: frozenset[Cell] = frozenset(_NAME_OF)
"""Every cell there can be: each piece of each side, either face up."""

TRUE_CELLS: dict[Side, frozenset[Cell]] = {
    "white": frozenset(face * 2 for face in FACES),
    "black": frozenset(face.lower() * 2 for face in FACES),
}
"""The true pieces of each side, as cells."""


def owner(cell: Cell) -> Side:
    """Return whose piece a cell holds."""
    return "white" if cell.isupper() else "black"


def name_of(cell: Cell) -> Name:
    """Return the name of the piece on a cell, whichever face is up."""
    return _NAME_OF[cell]


def cell_of(faces: str, side: Side) -> Cell:
    """Return the cell of a side's piece from its two capital letters, up-face first."""
    return faces if side == "white" else faces.lower()


def is_true(piece: Cell | Name) -> bool:
    """Return whether both faces are the same."""
    return piece[0] == piece[1]


def in_order(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the names in the order of the list of pieces."""
    return tuple(sorted(names, key=_RANK.__getitem__))


@cache
def placed_label(cell: Cell) -> Label:
    """Return the label of a piece on the board: `wPN:N` lies with its N down."""
    return f"{owner(cell)[0]}{name_of(cell)}:{cell[1].upper()}"
