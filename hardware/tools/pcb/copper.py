"""What a printed circuit is made of: parts with pads, tracks, vias and an outline.

Millimetres, x to the right and y *down*, as fabricators' programs count; layers `F` and `B`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Layer = Literal["F", "B"]
Turn = Literal[0, 90, 180, 270]
Role = Literal["supply", "input", "output", "passive", "switch", "source", "unused"]
"""What a pin is to its net: takes current, listens, drives, joins it to another net always or now
and then, comes from elsewhere (a connector: it may drive and listen), or has to stay free."""


class Point(NamedTuple):
    """A place on the board."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle, from its upper left to its lower right corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Pad:
    """One pad, relative to its part; `drill` is 0 for one on the surface."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0


@dataclass(frozen=True, slots=True)
class Footprint:
    """Where a part is soldered: pads, the room it takes, and what is printed around it.

    One that is `below` stands on the lower side, its pins looking up through the board; it is drawn
    as seen from above like all others.
    """

    name: str
    pads: tuple[Pad, ...]
    room: Box
    print: tuple[tuple[Point, Point], ...] = ()
    below: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """A part as it is bought.

    Attributes:
        value: what is written beside it.
        maker: who makes it, and
        order: under which number; empty where any will do.
        pins: pad number -> name and role.
        lcsc: under which number a board house's own store has it; empty where we do not know.
        assembled: whether the fabricator's machine places it.
    """

    value: str
    maker: str
    order: str
    footprint: Footprint
    pins: dict[str, tuple[str, Role]]
    assembled: bool = True
    lcsc: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A component on the board; `nets` leads from the names of its pins to their nets."""

    reference: str
    component: Component
    at: Point
    nets: dict[str, str]
    turned: Turn = 0

    def where(self, pin: str) -> Point:
        """Return the middle of the pad of a pin, by the pin's name."""
        for pad in self.component.footprint.pads:
            if self.component.pins[pad.number][0] == pin:
                return self.place(pad.x, pad.y)
        raise KeyError(pin)

    def place(self, x: float, y: float) -> Point:
        """Return where a point of the footprint lies on the board."""
        for _ in range(self.turned // 90):  # a quarter against the clock, y pointing down
            x, y = y, -x
        return Point(round(self.at.x + x, 4), round(self.at.y + y, 4))


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper."""

    net: str
    layer: Layer
    start: Point
    end: Point
    width: float


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole from one layer to the other."""

    net: str
    at: Point


@dataclass(frozen=True, slots=True)
class Label:
    """Something printed on the upper side, or below; `size` is the height of its letters."""

    text: str
    at: Point
    size: float = 1.0
    turned: Turn = 0
    below: bool = False


@dataclass(frozen=True, slots=True)
class Circuit:
    """One printed circuit. The lower layer is filled with `plane` wherever nothing else is."""

    name: str
    width: float
    height: float
    plane: str
    parts: tuple[Placed, ...]
    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]
    holes: tuple[Point, ...]
    labels: tuple[Label, ...]

    @property
    def nets(self) -> tuple[str, ...]:
        """Every net, in the order of the alphabet."""
        return tuple(sorted({net for part in self.parts for net in part.nets.values()}))


VIA, VIA_DRILL = 0.6, 0.3
"""Diameter and hole of a via."""
HOLE = 3.2
"""Diameter of the holes for M3 screws."""
EDGE = 0.5
"""So far from the edge begins copper."""
CLEARANCE, THINNEST = 0.2, 0.25
"""The least between two nets, and the thinnest track: what every fabricator makes."""
