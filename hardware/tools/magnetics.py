"""What a reed feels of the magnets above it, computed before anything is drilled.

A magnet stands upright, so right below it the field is upright too and a reed, which feels along
its glass alone, feels nothing. The reed therefore lies beside the middle of its cell, its glass
pointing at it. The magnet is its two charged faces (Furlani, Permanent Magnet and Electromechanical
Devices, section 3.3), each summed over points; the reed closes where the mean field along its glass
reaches that of the coil which its ampere-turns are counted in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drivers.description import Mechanics

WITHIN = 0.25
"""So far from the middle of its cell, in sides of it, a piece may stand and must be felt."""
FELT_SHARE = 0.9
"""The share of these places at which it is felt: what remains is the ring around the zero."""
NEIGHBOUR = 1.25
"""The most that is let pass of `Reed.neighbour`: both at their worst at once is rare."""
_REMANENCE = 1.17
"""Tesla, of N35, the weakest that the parts list allows."""
_MU0 = 4e-7 * math.pi
CLOSES = (10.0, 15.0)
"""Ampere-turns at which the most and the least sensitive reed of the parts list close."""
_COIL_MM = 25.0
"""Length of the coil in which makers count ampere-turns, leads included."""
_FELT_MM, _GLASS_RADIUS_MM = 1.0, 1.2
_RINGS, _SPOKES = 4, 16
_ALONG = (-0.4, -0.2, 0.0, 0.2, 0.4)
_STEP_MM = 1.25


@dataclass(frozen=True)
class Reed:
    """The reed of one cell, its middle `reed_offset_mm` along x from the cell's; in millimetres."""

    sizes: Mechanics

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

    def field(self, x: float, y: float) -> float:
        """Return the mean field along the glass, in tesla, of a magnet at a place of the cell."""
        below = self.sizes.top_mm + _FELT_MM + _GLASS_RADIUS_MM
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
            dx, dy, dz = (x - at_x) * 1e-3, (y - at_y) * 1e-3, below * 1e-3
            total += area * dx / (dx * dx + dy * dy + dz * dz) ** 1.5
        return _REMANENCE / (4 * math.pi) * total

    @staticmethod
    def closing(ampere_turns: float) -> float:
        """Return the field, in tesla, at which a reed of this sensitivity closes."""
        return _MU0 * ampere_turns / (_COIL_MM * 1e-3)

    @cached_property
    def felt(self) -> float:
        """The share of the places where a piece may stand at which any reed feels it."""
        needed = self.closing(CLOSES[1])
        places = list(_places(WITHIN * self.sizes.cell_mm))
        return sum(self.field(x, y) >= needed for x, y in places) / len(places)

    @cached_property
    def neighbour(self) -> float:
        """How near a piece that stands off its middle is to closing a neighbour's reed; 1 does."""
        nearest = (1 - WITHIN) * self.sizes.cell_mm
        strongest = max(self.field(nearest, 0), self.field(-nearest, 0), self.field(0, nearest))
        return strongest / self.closing(CLOSES[0])


@cache
def reed(sizes: Mechanics) -> Reed:
    """Return the reed of a cell of these sizes; what it feels is computed once."""
    return Reed(sizes)


def _places(radius: float) -> Iterator[tuple[float, float]]:
    steps = int(radius / _STEP_MM)
    for column in range(-steps, steps + 1):
        for row in range(-steps, steps + 1):
            x, y = column * _STEP_MM, row * _STEP_MM
            if math.hypot(x, y) <= radius:
                yield x, y
