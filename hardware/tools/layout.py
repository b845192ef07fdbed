"""Where everything lies, in millimetres: cells on the plate, and what is under each cell.

Plate: x from its left edge, y from its lower edge, seen from above with White below. Cell: from
its middle. White's reserve cells lie right of the board, from the first rank up; Black's left of
it, from the last rank down: each at the owner's right hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from drivers.description import BoardDescription, Mechanics
from hardware.tools.catalogue import parts

WALL = 1.6
"""Of the light grid between the cells (`light_grid.scad`)."""
GRID_DEPTH = 16
"""Of the light grid: what lies under a cell has so much room."""
HOLDER_DEPTH = 4.0
"""Of the reed's holder, glass and all (`reed_holder.scad`)."""
_HOLDER_MORE, _HOLDER_WIDTH = 6.0, 19.2
"""What the holder is longer than the glass, and its width over the ears."""
EARS = 6.3
"""From the glass to the middle of an ear's hole."""
_AIR = 0.5
LED_ROOM, LED_DEPTH, LED_HOLE = 10.0, 3.5, 5.0
"""Width and depth of an LED on its small board, and of the hole it shines through."""
_LED_EDGE = 8.0
"""From the edge of the cell to the middle of an LED."""
COIL_OFF = 3.0
"""So far may a coil be off the middle of its cell, or tags at its edge are not read."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle from its middle; `top` and `depth` are counted down from under the plate."""

    x: float
    y: float
    width: float
    height: float
    top: float
    depth: float

    @property
    def reach(self) -> float:
        """How far it goes from the middle of the cell, along either side."""
        return max(abs(self.x) + self.width / 2, abs(self.y) + self.height / 2)

    def meets(self, other: Box) -> bool:
        """Whether both would be in the same place."""
        return (
            abs(self.x - other.x) * 2 < self.width + other.width
            and abs(self.y - other.y) * 2 < self.height + other.height
            and self.top < other.top + other.depth
            and other.top < self.top + self.depth
        )


def plate(description: BoardDescription) -> tuple[float, float]:
    """Return width and height of all cells together: the part of the plate that counts here."""
    cell, grid = description.mechanics.cell_mm, description.grid
    return (grid.files + sum(reserve_columns(description))) * cell, grid.ranks * cell


def reserve_columns(description: BoardDescription) -> tuple[int, int]:
    """Return how many columns of reserve cells lie left (Black's) and right (White's)."""
    ranks, reserve = description.grid.ranks, description.reserve
    return -(-reserve.black // ranks), -(-reserve.white // ranks)


def places(description: BoardDescription) -> dict[str, tuple[float, float]]:
    """Return the middle of every cell on the plate, by its name as built."""
    side, grid = description.mechanics.cell_mm, description.grid
    left, _ = reserve_columns(description)
    found = {}
    for cell in description.built:
        if len(cell) == 2:
            column, row = left + "abcdefgh".index(cell[0]), int(cell[1]) - 1
        else:
            number = int(cell[2:]) - 1
            out, row = divmod(number, grid.ranks)
            column = left + grid.files + out
            if cell.startswith("hb"):
                column, row = left - 1 - out, grid.ranks - 1 - row
        found[cell] = ((column + 0.5) * side, (row + 0.5) * side)
    return found


def holder(sizes: Mechanics) -> Box:
    """Return the holder of the reed, right under the plate, its glass along x."""
    long = sizes.reed_mm + _HOLDER_MORE
    return Box(sizes.reed_offset_mm, 0, long, _HOLDER_WIDTH, 0, HOLDER_DEPTH)


def lamps(description: BoardDescription) -> tuple[Box, ...]:
    """Return the LEDs of a cell, in its corners: beside the feet of the pieces."""
    if description.leds is None or description.leds.driver == "own":
        return ()
    at = description.mechanics.cell_mm / 2 - _LED_EDGE
    corners = ((-at, -at), (-at, at), (at, -at), (at, at))
    return tuple(
        Box(x, y, LED_ROOM, LED_ROOM, 0, LED_DEPTH) for x, y in corners[: description.leds.per_cell]
    )


def reader(description: BoardDescription) -> tuple[Box, Box] | None:
    """Return a reader's board and its coil, under the reed; the coil as near the middle as it goes.

    Boards whose one reader serves several cells lie elsewhere, and `None` is returned.
    """
    tags = description.tags
    if tags is None or tags.multiplexing == "antenna":
        return None
    part = parts()[tags.kind]
    width, height, depth = part.size or (0, 0, 0)
    width, height = description.mechanics.reader_mm or (width, height)
    if height > width:
        width, height = height, width
    coil = min(part.coil, height)
    room = description.mechanics.cell_mm / 2 - WALL / 2 - _AIR
    # The coil is at one end: the board is shifted until it is in the middle, or the wall is near.
    middle = max(0.0, min((width - coil) / 2 - 1, room - width / 2))
    under = HOLDER_DEPTH + _AIR
    board = Box(middle, 0, width, height, under, depth)
    return board, Box(middle - (width - coil) / 2 + 1, 0, coil, coil, under, 0.1)


def misfits(description: BoardDescription) -> Iterator[str]:
    """Say what does not fit under a cell."""
    if description.reeds is None:
        return
    sizes = description.mechanics
    room = sizes.cell_mm / 2 - WALL / 2
    inner = f"{2 * room:g} mm between the walls of a cell of {sizes.cell_mm:g} mm (cell_mm)"
    reed = holder(sizes)
    if reed.reach > room:
        yield (
            f"mechanics: the reed's holder ends {reed.reach:g} mm from the middle, but there are "
            f"{inner}; take shorter reeds (reed_mm) or larger cells."
        )
    for lamp in lamps(description):
        if lamp.meets(reed):
            yield f"mechanics: LED and reed's holder meet; there are {inner}."
    yield from _reader_misfits(description, room, inner)


def _reader_misfits(description: BoardDescription, room: float, inner: str) -> Iterator[str]:
    found = reader(description)
    if found is None:
        return
    board, coil = found
    whole = parts()[description.tags.kind].coil if description.tags else 0
    if coil.width < whole:
        yield (
            f"tags: a reader's coil of {whole:g} mm has no room on a board of {board.width:g} x "
            f"{board.height:g} mm (mechanics.reader_mm); the range was worked out with it."
        )
    if board.reach + _AIR > room:
        yield (
            f"tags: a reader's board of {board.width:g} x {board.height:g} mm does not fit the "
            f"{inner}; take smaller boards (mechanics.reader_mm) or larger cells."
        )
    elif abs(coil.x) > COIL_OFF:
        yield (
            f"tags: the reader's coil would be {abs(coil.x):.1f} mm off the middle of its cell, "
            f"{COIL_OFF:g} are the most; take smaller boards or larger cells."
        )
    if (deep := board.top + board.depth) > GRID_DEPTH:
        yield f"tags: reed and reader are {deep:g} mm deep; the light grid has {GRID_DEPTH}."
