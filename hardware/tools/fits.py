"""Whether what goes into something still fits when both are made as badly as they may be.

The parts' own sources say what has to fit (`fits.scad`), from the very sizes that they are drawn
with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TOLERANCES = {
    "printed": 0.15,
    "printed twice": 0.3,
    "bought": 0.1,
    "blown": 0.05,
    "cut": 0.2,
    "sawn": 0.5,
    "given": 0.0,
    "laid": 1.0,
}
"""How something is made -> millimetres that it may be larger or smaller: a tuned printer with a
nozzle of 0.4 mm, goods as sold, glass, scissors, a circular saw with a stop, and tiles in a row."""
_SAID = re.compile(r'ECHO: "fit: ([^"]*)"')


@dataclass(frozen=True, slots=True)
class Fit:
    """A part and where it goes; sizes in millimetres, how each is made, and how loose it may be."""

    name: str
    hole: float
    hole_made: str
    part: float
    part_made: str
    loose: float

    @property
    def free(self) -> tuple[float, float]:
        """The least and the most that is free around the part, in millimetres."""
        nominal = self.hole - self.part
        spread = TOLERANCES[self.hole_made] + TOLERANCES[self.part_made]
        return nominal - spread, nominal + spread

    @property
    def fault(self) -> str:
        """What is wrong, as a sentence; empty if it fits."""
        least, most = self.free
        if least < -1e-6:
            return f"{self.name}: may be {-least:.2f} mm too tight."
        if most > self.loose + 1e-6:
            return f"{self.name}: may be {most:.2f} mm loose, {self.loose:g} at most."
        return ""


def fits(said: str) -> tuple[Fit, ...]:
    """Return the fits in what OpenSCAD said of a part."""
    found = []
    for line in _SAID.findall(said):
        name, hole, hole_made, part, part_made, loose = line.split(";")
        found.append(Fit(name, float(hole), hole_made, float(part), part_made, float(loose)))
    return tuple(found)
