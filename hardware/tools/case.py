"""The case around a board: how much wood, how many printed parts, and its section, to scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from drivers.description import BoardDescription
from hardware.tools.layout import GRID_DEPTH, WALL, reserve_columns
from hardware.tools.svg import box, drawing, path, text

SIDE, BOTTOM, DEPTH = 12.0, 4.0, 45.0
"""Millimetres: thickness of the sides' plywood and of the bottom's, and the sides' height."""
ROOM = 2.0
"""Millimetres that the inside is wider than all cells."""
AIR, SLOT = 0.8, 4.0
"""Millimetres: felt between the light grid and the plate, and the grid's depth in a pillar."""
TILE = 2
"""Cells along a side of a whole tile of the light grid."""
_SCALE = 3.0
_LEFT, _ABOVE = 20.0, 15.0
_SHOWN = 130.0
"""Millimetres of the case that the section shows."""


@dataclass(frozen=True, slots=True)
class Case:
    """What surrounds so many columns and rows of cells (reserve included); millimetres."""

    columns: int
    rows: int
    cell: float
    top: float

    @property
    def inside(self) -> tuple[float, float]:
        """How wide and how long the case is inside."""
        return self.columns * self.cell + ROOM, self.rows * self.cell + ROOM

    @property
    def outside(self) -> tuple[float, float]:
        """How wide and how long it is outside: the size of plate and bottom, too."""
        width, length = self.inside
        return width + 2 * SIDE, length + 2 * SIDE

    def tiles(self, columns: int, rows: int) -> int:
        """Return how many tiles of the light grid are so many cells wide and long."""
        return _parts(self.columns, columns) * _parts(self.rows, rows)

    @property
    def pillars(self) -> int:
        """How many pillars carry the tiles, one each."""
        return -(-self.columns // TILE) * -(-self.rows // TILE)


def case(description: BoardDescription) -> Case:
    """Return the case of a board."""
    grid, sizes = description.grid, description.mechanics
    return Case(
        grid.files + sum(reserve_columns(description)), grid.ranks, sizes.cell_mm, sizes.top_mm
    )


def _parts(cells: int, side: int) -> int:
    return cells // TILE if side == TILE else cells % TILE


def section(description: BoardDescription) -> str:
    """Return the left part of the case, cut along a rank, as SVG."""
    made = case(description)
    high = BOTTOM + DEPTH + made.top
    width, height = (_SHOWN + 75) * _SCALE, (high + 2 * _ABOVE) * _SCALE
    return drawing(width, height, [*_shapes(made), *_names(made)])


def _shapes(made: Case) -> Iterator[str]:
    """Yield every part, heights counted from the lower edge of the sides."""
    wood, printed = "#d9bd8b", "#8fb3c9"
    yield _box(0, -BOTTOM, _SHOWN, BOTTOM, wood)
    yield _box(0, 0, SIDE, DEPTH, wood)
    yield _box(0, DEPTH, _SHOWN, made.top, wood)
    yield _box(SIDE, 0, 36, DEPTH - GRID_DEPTH - 1, "#c9dbe6")
    low = DEPTH - AIR - GRID_DEPTH
    yield _box(SIDE, low + GRID_DEPTH, _SHOWN - SIDE, AIR, "#a33b3b")
    first = SIDE + ROOM / 2
    middle = first + TILE * made.cell / 2
    if middle + 15 < _SHOWN:
        yield _box(middle - 15, 0, 30, 3, printed)
        yield _box(middle - 9, 0, 18, low + SLOT, printed)
    number = 0
    while first + number * made.cell < _SHOWN - 2:
        yield _box(first + number * made.cell - WALL / 2, low, WALL, GRID_DEPTH, "#3f6f8c")
        number += 1


def _names(made: Case) -> Iterator[str]:
    names = (
        (_SHOWN, DEPTH + made.top / 2, f"top plate, {made.top:g} mm, lies on all four sides"),
        (_SHOWN, DEPTH - AIR / 2, "felt, 1 mm, on the grid's walls"),
        (SIDE + ROOM / 2 + 2 * made.cell, DEPTH - 9, f"light grid, {GRID_DEPTH:g} mm, printed"),
        (SIDE + made.cell + 9, 20, "pillar under each tile, printed"),
        (SIDE + 36, 10, f"corner, printed; behind it a side, {DEPTH:g} mm high"),
        (_SHOWN, -BOTTOM / 2, f"bottom, plywood {BOTTOM:g} mm, screwed on from below"),
    )
    for number, (x, z, name) in enumerate(names):
        start = _place(x, z)
        end = _place(_SHOWN + 6, DEPTH + 10 - 12.5 * number)
        yield path(f"M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}", stroke="#333")
        for line, words in enumerate(_broken(name)):
            yield text(end[0] + 4, end[1] + 4 + 13 * line, words, font_size=12)


def _broken(text: str, most: int = 28) -> list[str]:
    """Break a text into lines of so many letters at most."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], joined] if len(joined) <= most else [*lines, word]
    return lines


def _place(x: float, z: float) -> tuple[float, float]:
    return _LEFT + x * _SCALE, (_ABOVE + DEPTH + 3 - z) * _SCALE


def _box(x: float, z: float, width: float, height: float, colour: str) -> str:
    left, top = _place(x, z + height)
    wide, high = width * _SCALE, height * _SCALE
    return box(left, top, wide, high, fill=colour, stroke="#333", stroke_width=0.5)
