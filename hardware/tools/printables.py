"""Printed parts: rendered by OpenSCAD with the sizes of a description, and drawn for the docs."""

from __future__ import annotations

import math
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from drivers.description import BoardDescription
from hardware.tools.case import case
from hardware.tools.catalogue import HARDWARE, Build

SOURCES = HARDWARE / "printables"
Point = tuple[float, float, float]
Facet = tuple[Point, Point, Point]

_VERTEX = re.compile(r"vertex (\S+) (\S+) (\S+)")
_LIGHT = (0.35, -0.5, 0.79)
_LONGEST = 20.0
"""Millimetres a side of a drawn facet may be long."""
_WIDTH = 480
"""Pixels a picture is wide."""
_DISCS = 20
"""Two-sided discs that Reality Check is played with."""


@dataclass(frozen=True, slots=True)
class Printable:
    """One thing to print: its source, the sizes it takes from a board, and what else is fixed."""

    name: str
    source: str
    sizes: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


_DISC = ("disc", "height", "magnet", "magnet_height")
PRINTABLES = (
    Printable("disc-shell", "disc.scad", _DISC, ('part="shell"',)),
    Printable("disc-core", "disc.scad", _DISC, ('part="core"',)),
    Printable("reed-holder", "reed_holder.scad", ("cell", "reed", "offset", "top")),
    Printable("light-grid", "light_grid.scad", ("cell",)),
    Printable("light-grid-narrow", "light_grid.scad", ("cell",), ("columns=1",)),
    Printable("light-grid-short", "light_grid.scad", ("cell",), ("rows=1",)),
    Printable("light-grid-single", "light_grid.scad", ("cell",), ("columns=1", "rows=1")),
    Printable("pillar", "pillar.scad"),
    Printable("case-corner", "case_corner.scad"),
)


def amounts(description: BoardDescription, build: Build | None) -> dict[Printable, int]:
    """Return how many of each a board needs, those left out of which it needs none."""
    made = case(description)
    discs = build.discs if build else _DISCS * (description.tier == "face")
    counts = {
        "disc-shell": 2 * discs,
        "disc-core": discs,
        "reed-holder": len(description.built) if description.reeds else 0,
        "light-grid": made.tiles(2, 2),
        "light-grid-narrow": made.tiles(1, 2),
        "light-grid-short": made.tiles(2, 1),
        "light-grid-single": made.tiles(1, 1),
        "pillar": made.pillars,
        "case-corner": 4,
    }
    return {each: counts[each.name] for each in PRINTABLES if counts[each.name]}


def command(printable: Printable, description: BoardDescription, out: str) -> list[str]:
    """Return the command that renders one part with a board's sizes."""
    sizes = description.mechanics
    values = {
        "cell": sizes.cell_mm,
        "disc": sizes.disc_mm,
        "height": sizes.disc_height_mm,
        "magnet": sizes.magnet_mm,
        "magnet_height": sizes.magnet_height_mm,
        "reed": sizes.reed_mm,
        "offset": sizes.reed_offset_mm,
        "top": sizes.top_mm,
    }
    options = [f"-D{name}={values[name]:g}" for name in printable.sizes]
    options += [f"-D{value}" for value in printable.fixed]
    return ["openscad", *options, "-o", out, printable.source]


def render(printable: Printable, description: BoardDescription) -> tuple[Facet, ...]:
    """Return the part as OpenSCAD makes it; raise RuntimeError with its message if it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"{printable.name}.stl"
        openscad(command(printable, description, str(out)), out)
        return surface(out)


def said(printable: Printable, description: BoardDescription) -> str:
    """Return what the source of a part says with a board's sizes; nothing is rendered."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"{printable.name}.echo"
        openscad(command(printable, description, str(out)), out)
        return out.read_text(encoding="utf-8")


def openscad(call: list[str], out: Path) -> None:
    """Run a command of OpenSCAD's that writes a file; raise RuntimeError if it refuses."""
    # OpenSCAD is a program of the system; its arguments are numbers and fixed names.
    done = subprocess.run(call, cwd=SOURCES, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode or not out.exists():
        raise RuntimeError(f"{out.stem}: {done.stderr.strip()}")


def surface(part: Path) -> tuple[Facet, ...]:
    """Return the surface in an STL file that OpenSCAD wrote."""
    numbers = [(float(x), float(y), float(z)) for x, y, z in _VERTEX.findall(part.read_text())]
    return tuple(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))


def volume(facets: tuple[Facet, ...]) -> float:
    """Return the volume in cubic millimetres; negative or zero means a broken shape."""
    return sum(_dot(a, _cross(b, c)) for a, b, c in facets) / 6


def holes(facets: tuple[Facet, ...]) -> int:
    """Return how many edges do not belong to exactly two facets: 0 for a printable shape."""
    edges: dict[tuple[Point, Point], int] = {}
    for facet in facets:
        for start, end in zip(facet, (*facet[1:], facet[0]), strict=True):
            edges[start, end] = edges.get((start, end), 0) + 1
    return sum(1 for (a, b), count in edges.items() if edges.get((b, a), 0) != count)


def picture(facets: tuple[Facet, ...]) -> str:
    """Return a shaded view from the front, above and to the right, as SVG."""
    shapes = []
    for facet in _small(facets):
        normal = _unit(_cross(_minus(facet[1], facet[0]), _minus(facet[2], facet[0])))
        points = [_turned(point) for point in facet]
        if _turned(normal)[2] <= 0:
            continue  # seen from behind
        shade = 0.35 + 0.65 * max(0.0, _dot(normal, _LIGHT))
        shapes.append((sum(point[2] for point in points), points, shade))
    shapes.sort(key=lambda shape: shape[0])  # the farthest first
    flat = [point for _, points, _ in shapes for point in points]
    left, right = min(p[0] for p in flat), max(p[0] for p in flat)
    low, high = min(p[1] for p in flat), max(p[1] for p in flat)
    scale = (_WIDTH - 20) / (right - left)
    tall = (high - low) * scale + 20
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {tall:.0f}">']
    for _, points, shade in shapes:
        corners = " ".join(
            f"{(x - left) * scale + 10:.1f},{(high - y) * scale + 10:.1f}" for x, y, _ in points
        )
        colour = "#" + "".join(f"{round(channel * shade):02x}" for channel in (224, 200, 160))
        lines.append(f'<polygon points="{corners}" fill="{colour}" stroke="{colour}"/>')
    return "\n".join([*lines, "</svg>", ""])


def _small(facets: tuple[Facet, ...]) -> list[Facet]:
    """Cut long facets in two until what is in front of what can be told by their middles."""
    waiting, done = list(facets), []
    while waiting:
        facet = waiting.pop()
        sides = [math.dist(facet[n], facet[(n + 1) % 3]) for n in range(3)]
        if max(sides) <= _LONGEST:
            done.append(facet)
            continue
        n = sides.index(max(sides))
        a, b, c = facet[n], facet[(n + 1) % 3], facet[(n + 2) % 3]
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
        waiting += [(a, middle, c), (middle, b, c)]
    return done


def _turned(point: Point) -> Point:
    """Turn the part to a view from 30 degrees to the right and 35 degrees above."""
    x, y, z = point
    side, rise = math.radians(30), math.radians(35)
    x, y = x * math.cos(side) + y * math.sin(side), y * math.cos(side) - x * math.sin(side)
    return x, y * math.sin(rise) + z * math.cos(rise), z * math.sin(rise) - y * math.cos(rise)


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(a: Point) -> Point:
    length = math.sqrt(_dot(a, a)) or 1.0
    return a[0] / length, a[1] / length, a[2] / length
