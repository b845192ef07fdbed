"""The power budget, from the lights and readers that are really described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.tools.bill import Line, bill

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from hardware.tools.catalogue import Rail

LIMITS: dict[Rail, tuple[int, str]] = {
    "3V3": (300, "the 3.3 V pin of the Pico (or of the Pi, which gives more)"),
    "5V": (900, "one USB socket of the Pi, shared by Pico and everything on VBUS"),
    "LED": (4000, "the 5 V supply of the lights"),
    "readers": (1000, "the readers' 3.3 V regulator"),
}
"""Rail -> milliamperes it may give, and what it is."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one rail carries, in milliamperes."""

    rail: Rail
    typical: float
    most: float
    limit: int
    supply: str
    lines: tuple[tuple[str, float, float], ...]


def budget(description: BoardDescription) -> tuple[Load, ...]:
    """Return the load of every rail that carries something."""
    lines = bill(description)
    found = []
    for rail, (limit, supply) in LIMITS.items():
        shares = tuple(
            (f"{line.quantity} x {line.part.name}", *_share(description, line))
            for line in lines
            if line.part.rail == rail
        )
        if shares:
            typical = sum(share[1] for share in shares)
            most = sum(share[2] for share in shares)
            found.append(Load(rail, typical, most, limit, supply, shares))
    return tuple(found)


def _share(description: BoardDescription, line: Line) -> tuple[float, float]:
    part, count = line.part, line.quantity
    typical, most = count * part.typical, count * part.most
    leds = description.leds
    if part.id == "ws2812" and leds:
        most *= leds.brightness
        if leds.limit_ma:
            most = min(most, leds.limit_ma)
        most += count * 1.0  # what a dark WS2812 draws for itself
    return typical, most
