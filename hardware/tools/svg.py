"""The few words of SVG that drawings here are made of. Sizes in the drawing's own units."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def drawing(width: float, height: float, shapes: Iterable[str]) -> str:
    """Return a whole drawing on white."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="13">'
    )
    ground = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([head, ground, *shapes, "</svg>", ""])


def text(x: float, y: float, words: str, anchor: str = "start", **style: str | float) -> str:
    """Return a line of text; `style` holds attributes such as `fill`."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{_told(style)}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, **style: str | float) -> str:
    """Return a rectangle."""
    where = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f"<rect {where}{_told(style)}/>"


def circle(x: float, y: float, radius: float, **style: str | float) -> str:
    """Return a circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{_told(style)}/>'


def path(steps: str, **style: str | float) -> str:
    """Return a path in SVG's own words."""
    return f'<path d="{steps}"{_told({"stroke": "black", "fill": "none", **style})}/>'


def _told(style: dict[str, str | float]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
