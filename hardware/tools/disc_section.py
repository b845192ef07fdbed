"""The two-sided disc cut through the middle, drawn to scale with the sizes of a description."""

from __future__ import annotations

from drivers.description import Mechanics
from hardware.tools.svg import box, drawing, path, text

_SCALE = 12  # pixels a millimetre across
_TALL = 30  # pixels a millimetre upwards: the layers would be too thin to see otherwise
_LEFT, _TOP = 20, 30

# Layers from one face to the middle: name, thickness, width less than the disc, colour.
_LAYERS = (
    ("face, 0.8 mm", 0.8, 0.0, "#c9b48c"),
    ("tag, 25 mm", 0.2, 10.6, "#4f7cac"),
    ("ferrite, 30 mm", 0.3, 5.6, "#3d3d3d"),
    ("copper foil, 31 mm", 0.2, 4.6, "#c0703c"),
)


def disc_section(sizes: Mechanics) -> str:
    """Return the section as SVG."""
    width, height = sizes.disc_mm, sizes.disc_height_mm
    picture_width = _LEFT * 2 + width * _SCALE + 190
    picture_height = _TOP * 2 + height * _TALL
    shapes = [_box(0, 0, width, height, "#e6d9bd")]
    labels = []
    at = 0.0
    for number, (name, thickness, less, colour) in enumerate(_LAYERS):
        inset = less / 2
        shapes.append(_box(inset, at, width - less, thickness, colour))
        shapes.append(_box(inset, height - at - thickness, width - less, thickness, colour))
        labels.append(_label(width - inset, at + thickness / 2, number, name, width))
        at += thickness
    middle = height / 2
    left = (width - sizes.magnet_mm) / 2
    top = middle - sizes.magnet_height_mm / 2
    shapes.append(_box(left, top, sizes.magnet_mm, sizes.magnet_height_mm, "#9aa3ab"))
    name = f"magnet, {sizes.magnet_mm:g} x {sizes.magnet_height_mm:g} mm, in the very middle"
    under = middle + sizes.magnet_height_mm / 2 + 0.6
    shapes.append(text(*_place(width / 2, under), name, "middle"))
    again = "the same layers again, the other way up"
    shapes.append(text(*_place(width / 2, height + 0.6), again, "middle"))
    title = f"<title>Section of a {width:g} mm disc, {height:g} mm high</title>"
    return drawing(picture_width, picture_height, [title, *shapes, *labels])


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return box(*_place(x, y), width * _SCALE, height * _TALL, fill=colour)


def _place(x: float, y: float) -> tuple[float, float]:
    return _LEFT + x * _SCALE, _TOP + y * _TALL


def _label(x: float, y: float, number: int, name: str, width: float) -> str:
    """Name a layer beside the disc, with a line to it; the names are farther apart than layers."""
    end_x, end_y = _LEFT + width * _SCALE + 30, _TOP + number * 22
    start_x, start_y = _place(x, y)
    line = path(f"M{start_x:g} {start_y:g}L{end_x:g} {end_y:g}")
    return line + text(end_x + 6, end_y + 4, name)
