"""What a reed feels of the magnets above it, computed before anything is drilled.

A magnet stands upright, so right below it the field is upright too and a reed, which feels along
its glass alone, feels nothing. The reed therefore lies beside the middle of its cell, its glass
pointing at it. The magnet is its two charged faces (Furlani, Permanent Magnet and Electromechanical
Devices, section 3.3), each summed over points; the reed closes where the mean field along its glass
reaches that of the coil which its ampere-turns are counted in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from drivers.description import Mechanics, Tier

WITHIN = 0.25
"""So far from the middle of its cell, in sides of it, the drawings show what is felt."""
HANDS_MM = 5.0
"""How far from the middle the hands of the clumsiest put pieces: the standard deviation along each
side; that of most is 3 to 4 mm."""
FELT_SHARE = 0.965
"""The share of pieces, as those hands put them, that must be felt by the least sensitive reed under
the weakest magnet: the rest stands over the strip where the field crosses the glass."""
OFF_MM = 5.0
"""With pieces on all eight neighbours, one so far off its middle, a reed must still open."""
GRADES = {"N35": (1.17, 1.22), "N38": (1.22, 1.26)}
"""Remanence in tesla, lower and upper end, of the magnets that may be bought (makers' tables)."""
WEAKEST = min(low for low, _ in GRADES.values())
STRONGEST = max(high for _, high in GRADES.values())
_MU0 = 4e-7 * math.pi
CLOSES = (10.0, 15.0)
"""Ampere-turns at which the most and the least sensitive reed of the parts list close."""
OPENS = 5.0
"""Ampere-turns below which every reed of the parts list has opened (drop-out, ORD228VL's sheet)."""
_COIL_MM = 25.0
"""Length of the coil in which makers count ampere-turns, leads included."""
_FELT_MM, _TAG_MM, _GLASS_RADIUS_MM = 1.0, 0.5, 1.2
_RINGS, _SPOKES = 4, 16
_ALONG = (-0.4, -0.2, 0.0, 0.2, 0.4)
_STEP_MM = 1.25


@dataclass(frozen=True)
class Reed:
    """The reed of one cell, its middle `reed_offset_mm` along x from the cell's; in millimetres.

    Attributes:
        sizes: the board's sizes.
        tier: what the board feels: tags lie below the magnets of pieces, and in a disc the magnet
            lies in the middle of its height.
    """

    sizes: Mechanics
    tier: Tier = "occupancy"

    @cached_property
    def _charges(self) -> tuple[tuple[float, float, float], ...]:
        """Points of one face: x, y and how much of its charge sits there, in square metres."""
        radius = self.sizes.magnet_mm / 2
        found = []
        for ring in range(_RINGS):
            inner, outer = (radius * edge / _RINGS for edge in (ring, ring + 1))
            share = math.pi * (outer**2 - inner**2) / _SPOKES * 1e-6
            middle = (inner + outer) / 2
            for spoke in range(_SPOKES):
                angle = 2 * math.pi * (spoke + 0.5) / _SPOKES
                found.append((middle * math.cos(angle), middle * math.sin(angle), share))
        return tuple(found)

    @cached_property
    def lifts(self) -> tuple[float, float]:
        """How high the magnet lies above the top, at least and at most, of all that may stand."""
        sizes = self.sizes
        found = [_FELT_MM + (0 if self.tier == "occupancy" else _TAG_MM)]
        if self.tier == "face":
            found.append((sizes.disc_height_mm - sizes.magnet_height_mm) / 2)
        return min(found), max(found)

    def field(self, x: float, y: float, lift: float | None = None) -> float:
        """Return the mean field along the glass, in tesla, of a magnet at a place of the cell.

        Args:
            x: along the glass, from the middle of the cell.
            y: across it.
            lift: how high the magnet lies above the top; by default as high as any does. It is the
                weakest that the parts list allows.
        """
        below = self.sizes.top_mm + (self.lifts[1] if lift is None else lift) + _GLASS_RADIUS_MM
        along = [self.sizes.reed_offset_mm + share * self.sizes.reed_mm for share in _ALONG]
        lower = sum(self._along(place - x, -y, below) for place in along)
        upper = sum(
            self._along(place - x, -y, below + self.sizes.magnet_height_mm) for place in along
        )
        return abs(lower - upper) / len(along)

    def _along(self, x: float, y: float, below: float) -> float:
        """Return the x part of the field of one face of a magnet at 0, 0, so far below it."""
        total = 0.0
        for at_x, at_y, area in self._charges:
            dx, dy = x - at_x, y - at_y
            apart = dx * dx + dy * dy + below * below
            total += area * dx / (apart * math.sqrt(apart))
        return WEAKEST / (4 * math.pi) * total * 1e6  # square millimetres in a square metre

    @staticmethod
    def closing(ampere_turns: float) -> float:
        """Return the field, in tesla, at which a reed of this sensitivity closes."""
        return _MU0 * ampere_turns / (_COIL_MM * 1e-3)

    @cached_property
    def felt(self) -> float:
        """The share of pieces, as hands put them, that any reed feels, with the weakest magnet."""
        needed = self.closing(CLOSES[1])
        weighed = [
            (math.exp(-(x * x + y * y) / (2 * HANDS_MM**2)), self.field(x, y) >= needed)
            for x, y in _places(3 * HANDS_MM)
        ]
        return sum(weight for weight, felt in weighed if felt) / sum(
            weight for weight, _ in weighed
        )

    @cached_property
    def held(self) -> float:
        """How near the neighbours' magnets are to holding an empty cell's reed closed; 1 does.

        All eight are the strongest, lie with the poles that add up (discs are turned over), and the
        nearest is off its middle. A reed that opens below it has not been closed by it either.
        """
        return max(map(self._together, self.lifts)) * STRONGEST / WEAKEST / self.closing(OPENS)

    def _together(self, lift: float) -> float:
        """Return what all neighbours do at once, in tesla, with magnets of the weakest kind."""
        pitch = self.sizes.cell_mm
        columns = (-pitch, 0.0, pitch)
        places = [(x, y) for x in columns for y in columns if (x, y) != (0, 0)]
        sides = ((pitch, 0.0), (-pitch, 0.0), (0.0, pitch))
        share = 1 - OFF_MM / pitch
        nearer = max(
            self.field(x * share, y * share, lift) - self.field(x, y, lift) for x, y in sides
        )
        return sum(self.field(x, y, lift) for x, y in places) + nearer


@cache
def reed(sizes: Mechanics, tier: Tier = "occupancy") -> Reed:
    """Return the reed of a cell of these sizes; what it feels is computed once."""
    return Reed(sizes, tier)


def _places(radius: float) -> Iterator[tuple[float, float]]:
    steps = int(radius / _STEP_MM)
    for column in range(-steps, steps + 1):
        for row in range(-steps, steps + 1):
            x, y = column * _STEP_MM, row * _STEP_MM
            if math.hypot(x, y) <= radius:
                yield x, y
