"""One cell to scale: what lies where under it, its section, and where its reed feels a piece."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from drivers.description import BoardDescription, Mechanics, Tier
from hardware.tools import layout, magnetics
from hardware.tools.svg import box, circle, drawing, path, text

_SCALE = 8
"""Pixels a millimetre."""
_EDGE = 60
_COLOURS = {
    "reader": "#d5e3d0",
    "coil": "#6a9a58",
    "holder": "#e6c79c",
    "glass": "#8fb7d9",
    "LED": "#f2d24b",
    "magnet": "#9aa3ab",
    "plate": "#d8b98a",
}
_STEP = 1.0
"""Millimetres from one place of the map to the next."""
_FELT, _SOME, _NOT = "#7fb069", "#e6d36b", "#ffffff"
_TAG, _FELT_CLOTH = 0.5, 1.0


def cell_drawings(description: BoardDescription) -> dict[str, str]:
    """Return the drawings of a cell: name -> SVG; none for boards without reeds."""
    if description.reeds is None:
        return {}
    return {
        "cell": plan(description),
        "section": _section(description),
        "sensed": sensed(description.mechanics, description.tier),
    }


class _Paper:
    """Turns millimetres from the middle of a cell into pixels."""

    def __init__(self, wide: float, above: float, below: float) -> None:
        self.middle_x = _EDGE + wide / 2 * _SCALE
        self.middle_y = _EDGE + above * _SCALE
        self.size = (wide * _SCALE + 2 * _EDGE + 330, (above + below) * _SCALE + 2 * _EDGE)
        self.shapes: list[str] = []
        self._notes: list[tuple[float, float, str]] = []

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a place is drawn; y counts upwards."""
        return round(self.middle_x + x * _SCALE, 1), round(self.middle_y - y * _SCALE, 1)

    def box(self, x: float, y: float, width: float, height: float, **style: str | float) -> None:
        """Draw a rectangle from its middle."""
        left, top = self.at(x - width / 2, y + height / 2)
        style = {"stroke": "black", **style}
        self.shapes.append(box(left, top, width * _SCALE, height * _SCALE, **style))

    def circle(self, x: float, y: float, across: float, **style: str | float) -> None:
        """Draw a circle of that diameter."""
        style = {"stroke": "black", "fill": "none", **style}
        middle_x, middle_y = self.at(x, y)
        self.shapes.append(circle(middle_x, middle_y, across / 2 * _SCALE, **style))

    def line(self, *places: tuple[float, float], **style: str | float) -> None:
        """Draw a line from place to place."""
        steps = "L".join("{:g} {:g}".format(*self.at(*place)) for place in places)
        self.shapes.append(path(f"M{steps}", **style))

    def note(self, x: float, y: float, words: str) -> None:
        """Name a place, in a column beside the drawing."""
        start_x, start_y = self.at(x, y)
        self._notes.append((start_y, start_x, words))

    def _noted(self) -> Iterator[str]:
        end_x = self.size[0] - 325
        for n, (start_y, start_x, words) in enumerate(sorted(self._notes)):
            end_y = _EDGE + n * 26
            yield path(f"M{start_x:g} {start_y:g}L{end_x:g} {end_y:g}", stroke="#777777")
            yield circle(start_x, start_y, 2.5)
            yield text(end_x + 6, end_y + 4, words)

    def svg(self, title: str) -> str:
        """Return the drawing."""
        return drawing(
            *self.size, [text(_EDGE, 30, title, font_size=16), *self.shapes, *self._noted()]
        )


def outline(sizes: Mechanics) -> tuple[tuple[float, float], ...]:
    """Return the corners of the reed's holder, whose arrow points at the middle of the cell."""
    found = layout.holder(sizes)
    left, right, half, ear = found.x - found.width / 2, found.x + found.width / 2, 2.8, 3.3
    side, tip = found.height / 2, left - 4
    upper = [(tip, 0.0), (left, 2 * half), (left, half), (found.x - ear, half)]
    upper += [(found.x - ear, side), (found.x + ear, side), (found.x + ear, half), (right, half)]
    return (*upper, *((x, -y) for x, y in reversed(upper)))


def plan(description: BoardDescription) -> str:
    """Return the cell from above, to scale."""
    sizes = description.mechanics
    cell, offset, reed = sizes.cell_mm, sizes.reed_offset_mm, sizes.reed_mm
    paper = _Paper(cell, cell / 2, cell / 2)
    paper.box(0, 0, cell, cell, fill="#eeeeee")
    paper.box(0, 0, cell - layout.WALL, cell - layout.WALL, fill="white")
    if found := layout.reader(description):
        board, coil = found
        paper.box(board.x, 0, board.width, board.height, fill=_COLOURS["reader"])
        paper.box(coil.x, 0, coil.width, coil.height, stroke=_COLOURS["coil"], fill="none")
        end = board.x + board.width / 2
        paper.note(end - 3, -board.height / 2 + 3, f"reader, {board.width:g} x {board.height:g} mm")
        paper.note(coil.x - coil.width / 2, -8, "its coil, as near the middle as it goes")
    paper.line(*outline(sizes), outline(sizes)[0], fill=_COLOURS["holder"], fill_opacity=0.8)
    paper.box(offset, 0, reed, 2.2, fill=_COLOURS["glass"])
    paper.note(offset + reed / 2, 0, f"reed, {reed:g} mm, pointing at the middle")
    paper.note(offset, 6.3, "its holder; the arrow points at the middle")
    for lamp in layout.lamps(description):
        paper.circle(lamp.x, lamp.y, lamp.width, fill=_COLOURS["LED"])
        paper.circle(lamp.x, lamp.y, layout.LED_HOLE, fill="white")
        paper.note(lamp.x, lamp.y, f"LED, under a hole of {layout.LED_HOLE:g} mm")
    paper.circle(0, 0, sizes.magnet_mm, stroke_dasharray="6 4")
    paper.note(-sizes.magnet_mm / 2.9, sizes.magnet_mm / 2.9, "magnet of a centred piece")
    within = magnetics.WITHIN * cell
    paper.circle(0, 0, 2 * within, stroke_dasharray="2 5")
    paper.note(0, -within, f"middles of pieces: up to {within:g} mm off")
    paper.line((-3, 0), (3, 0))
    paper.line((0, -3), (0, 3))
    _measure(paper, (0, cell / 2 - 3), (offset, cell / 2 - 3), f"{offset:g}")
    for lamp in layout.lamps(description)[:1]:
        _measure(paper, (lamp.x, -cell / 2 + 1.5), (0, -cell / 2 + 1.5), f"{-lamp.x:g}")
    paper.shapes.append(text(*paper.at(-cell / 2, -cell / 2 - 3), f"cell: {cell:g} x {cell:g} mm"))
    return paper.svg("One cell from above, White below, to scale: what lies under the plate")


def _measure(
    paper: _Paper, start: tuple[float, float], end: tuple[float, float], words: str
) -> None:
    paper.line(start, end)
    for x, y in (start, end):
        paper.line((x, y - 1), (x, y + 1))
    paper.shapes.append(text(*paper.at((start[0] + end[0]) / 2, start[1] + 0.6), words, "middle"))


def _section(description: BoardDescription) -> str:
    """Cut a cell along its reed, a piece standing in the middle; heights count from the plate."""
    sizes = description.mechanics
    cell, top = sizes.cell_mm, sizes.top_mm
    deep = top + layout.GRID_DEPTH
    paper = _Paper(cell, 12, deep + 2)
    tag, magnet = _TAG if description.tags else 0, sizes.magnet_height_mm
    foot = _FELT_CLOTH + tag
    paper.box(0, foot + 4.5, 24, 9, fill="#f0e8d8")
    paper.note(9, foot + 7, "foot of a piece")
    paper.box(0, foot + magnet / 2, sizes.magnet_mm, magnet, fill=_COLOURS["magnet"])
    paper.note(0, foot + magnet / 2, f"magnet, {sizes.magnet_mm:g} x {magnet:g} mm")
    if description.tags:
        paper.box(0, _FELT_CLOTH + tag / 2, 25, tag, fill="#4f7cac")
        paper.note(12, _FELT_CLOTH + tag / 2, "tag with ferrite on its back, 25 mm")
    paper.box(0, _FELT_CLOTH / 2, 25, _FELT_CLOTH, fill="#5d8a4a", stroke="none")
    paper.note(11, _FELT_CLOTH / 2, "felt, 1 mm")
    paper.box(0, -top / 2, cell, top, fill=_COLOURS["plate"])
    paper.note(cell / 2 - 3, -top / 2, f"plate, {top:g} mm")
    _under(paper, description)
    for side in (-1, 1):
        x = side * (cell - layout.WALL / 2) / 2
        paper.box(
            x, -top - layout.GRID_DEPTH / 2, layout.WALL / 2, layout.GRID_DEPTH, fill="#eeeeee"
        )
    paper.note(cell / 2, -deep + 1, f"light grid, {layout.GRID_DEPTH} mm deep")
    paper.line((-cell / 2, -deep), (cell / 2, -deep), stroke_dasharray="4 4")
    return paper.svg("The same cell cut through its middle along the reed, to scale")


def _under(paper: _Paper, description: BoardDescription) -> None:
    sizes = description.mechanics
    top, held = sizes.top_mm, layout.holder(sizes)
    paper.box(held.x, -top - held.depth / 2, held.width, held.depth, fill=_COLOURS["holder"])
    paper.box(held.x, -top - 1.2, sizes.reed_mm, 2.2, fill=_COLOURS["glass"])
    paper.note(held.x + 2, -top - 1.2, "reed, its glass against the plate")
    for lamp in layout.lamps(description)[:1]:
        paper.box(lamp.x, -top / 2, layout.LED_HOLE, sizes.top_mm, fill="white")
        paper.box(lamp.x, -top - lamp.depth / 2, lamp.width, lamp.depth, fill=_COLOURS["LED"])
        paper.note(lamp.x, -top - lamp.depth, "LED (in the corner of the cell, behind)")
    if found := layout.reader(description):
        board, coil = found
        under = -top - board.top
        paper.box(
            board.x, under - board.depth / 2, board.width, board.depth, fill=_COLOURS["reader"]
        )
        paper.box(coil.x, under - 0.1, coil.width, 0.4, fill=_COLOURS["coil"], stroke="none")
        high = _FELT_CLOTH + top + board.top
        words = f"reader's coil: {high:g} mm under the tag"
        paper.note(coil.x - coil.width / 2 + 1, under, words)


@cache
def sensed(sizes: Mechanics, tier: Tier) -> str:
    """Return the map of where a piece's middle may be and this reed still closes."""
    cell, reed = sizes.cell_mm, magnetics.reed(sizes, tier)
    paper = _Paper(2 * cell, cell, cell)
    for y, runs in _rows(reed, cell):
        for start, end, colour in runs:
            paper.box((start + end) / 2, y, end - start, _STEP + 0.1, fill=colour, stroke="none")
            if y:
                paper.box(
                    (start + end) / 2, -y, end - start, _STEP + 0.1, fill=colour, stroke="none"
                )
    for border in (-cell / 2, cell / 2):
        paper.line((border, -cell), (border, cell), stroke_opacity=0.4)
        paper.line((-cell, border), (cell, border), stroke_opacity=0.4)
    paper.line(*outline(sizes), outline(sizes)[0], stroke_opacity=0.5)
    paper.box(sizes.reed_offset_mm, 0, sizes.reed_mm, 2.2, fill=_COLOURS["glass"])
    within = magnetics.WITHIN * cell
    paper.circle(0, 0, 2 * within, stroke_dasharray="6 4")
    paper.note(within * 0.7, within * 0.7, f"pieces: middles up to {within:g} mm off")
    middle = reed.field(0, 0) * 1e3
    low, high = (reed.closing(turns) * 1e3 for turns in magnetics.CLOSES)
    lines = [
        f"green: every reed closes ({high:.2f} mT, 15 AT)",
        f"yellow: only sensitive ones ({low:.2f} mT, 10 AT)",
        "white: none",
        f"in the middle: {middle:.1f} mT along the glass",
        f"of pieces as hands put them {reed.felt:.0%} are felt",
        "in the narrow strip the field crosses the glass",
    ]
    for n, words in enumerate(lines):
        paper.shapes.append(text(paper.size[0] - 325, _EDGE + 60 + 24 * n, words))
    title = "Where a piece's magnet closes this cell's reed: the cell and half of each neighbour"
    return paper.svg(title)


def _rows(
    reed: magnetics.Reed, cell: float
) -> Iterator[tuple[float, list[tuple[float, float, str]]]]:
    """Yield the upper half of the map, row by row, as runs of a colour; the lower is its mirror."""
    low, high = (reed.closing(turns) for turns in magnetics.CLOSES)
    steps = int(cell / _STEP)
    for row in range(steps + 1):
        y = row * _STEP
        runs: list[tuple[float, float, str]] = []
        for column in range(-steps, steps + 1):
            x = column * _STEP
            field = reed.field(x, y)
            colour = _FELT if field >= high else _SOME if field >= low else _NOT
            if runs and runs[-1][2] == colour:
                runs[-1] = (runs[-1][0], x + _STEP / 2, colour)
            else:
                runs.append((x - _STEP / 2, x + _STEP / 2, colour))
        yield y, [run for run in runs if run[2] != _NOT]
