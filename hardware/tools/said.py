"""Reads the figures that words say: "Fuse 2.5 A, 5 x 20 mm" says 2.5 A, and a size."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

_UNITS: dict[str, tuple[str, float]] = {
    "kOhm": ("Ohm", 1e3),
    "Ohm": ("Ohm", 1),
    "pF": ("F", 1e-12),
    "nF": ("F", 1e-9),
    "uF": ("F", 1e-6),
    "MHz": ("Hz", 1e6),
    "kHz": ("Hz", 1e3),
    "mA": ("A", 1e-3),
    "A": ("A", 1),
    "V": ("V", 1),
    "W": ("W", 1),
    "GB": ("GB", 1),
    "MB": ("GB", 1e-3),
    "mm2 for signals": ("mm2 for signals", 1),
    "mm2 for 5 V": ("mm2 for 5 V", 1),
    "mm2": ("mm2", 1),
    "mm": ("mm", 1),
    "cm": ("mm", 10),
    "m": ("mm", 1e3),
    "inch": ("inch", 1),
    "AT": ("AT", 1),
    "ampere-turns": ("AT", 1),
    "poles": ("poles", 1),
    "wires": ("wires", 1),
    "or newer": ("version", 1),
}
"""How a unit is written -> what it is counted in, and how many of those it is."""
_NUMBER = r"\d+(?:\.\d+)?"
_FIGURE = re.compile(
    rf"(?<![\w.-])(?P<most>at most )?(?P<low>{_NUMBER}(?: x {_NUMBER})*)"
    rf"(?:(?: to |-)(?P<high>{_NUMBER}))? ?(?P<unit>{'|'.join(map(re.escape, _UNITS))})(?!\w)"
    r"(?P<least> or more)?"
)
_CODED = ((r"\bDIP-(\d+)\b", "legs"), (r"\bN(\d\d)\b", "grade"))
"""Figures that are part of a word: a housing's legs, and a magnet's grade."""
_STANDARD = re.compile(r"\b(?:ISO|IEC|DIN) [\d-]+(?: [A-Z]\b)?")
"""Names of standards; their numbers are no figures."""
_QUALITY = re.compile(
    r"\b(?:with|without|not?|only|(?:one|two|four|eight) an?) (?:an? |its |the )?[\w.-]*\w"
)
"""What something has, lacks, or is one of: a word more or less turns it round."""
_SAME = 1e-6


class Figure(NamedTuple):
    """One figure: what it counts, and for each of its sides the least and the most it may be."""

    unit: str
    least: tuple[float, ...]
    most: tuple[float, ...]
    words: str

    def covers(self, other: Figure) -> bool:
        """Whether whatever the other figure allows, this one allows too."""
        return (
            self.unit == other.unit
            and len(self.least) == len(other.least)
            and all(mine <= its + _SAME * its
                    for mine, its in zip(self.least, other.least, strict=True))
            and all(its <= mine + _SAME * mine
                    for mine, its in zip(self.most, other.most, strict=True))
        )  # fmt: skip


def figures(text: str) -> tuple[Figure, ...]:
    """Return every figure that a text says.

    Example:
        `figures("electrolytic, 10 V or more")[0].covers(figures("16 V")[0])` is true.
    """
    text = _STANDARD.sub("", text)
    found = [_figure(match) for match in _FIGURE.finditer(text)]
    for pattern, unit in _CODED:
        found += [
            Figure(unit, (float(match[1]),), (float(match[1]),), match[0])
            for match in re.finditer(pattern, text)
        ]
    return tuple(found)


def standards(text: str) -> tuple[str, ...]:
    """Return the names of the standards that a text says: `ISO 14443 A`."""
    return tuple(match[0].strip() for match in _STANDARD.finditer(text))


def qualities(text: str) -> tuple[str, ...]:
    """Return what a text says that something has or lacks: `without a slit`, `one a bank`."""
    return tuple(_QUALITY.findall(text))


def _figure(match: re.Match[str]) -> Figure:
    unit, factor = _UNITS[match["unit"]]
    low = tuple(float(side) * factor for side in match["low"].split(" x "))
    high = (float(match["high"]) * factor,) if match["high"] else low
    if match["least"]:
        high = (math.inf,) * len(low)
    if match["most"]:
        low = (0.0,) * len(low)
    if len(low) > 1:
        unit = " x ".join([unit] * len(low))
    return Figure(unit, low, high, match[0].strip())


def uncovered(these: Iterable[Figure], bounds: Iterable[Figure]) -> tuple[Figure, ...]:
    """Return the figures that none of the bounds covers."""
    known = tuple(bounds)
    return tuple(one for one in these if not any(bound.covers(one) for bound in known))
