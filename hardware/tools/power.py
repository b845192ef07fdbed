"""The power budget, from the lights and readers that are really described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hardware.tools.bill import Line, bill

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drivers.description import BoardDescription
    from hardware.tools.catalogue import Rail

LIMITS: dict[Rail, tuple[int, str]] = {
    "3V3": (300, "the 3.3 V pin of the Pico (or of the Pi, which gives more)"),
    # The sockets of a Pi 5 share 600 mA unless its supply gives 5 A (Raspberry Pi documentation).
    "5V": (600, "one USB socket of the Pi, shared by Pico and everything on VBUS"),
    "readers": (3000, "the readers' 3.3 V step-down"),
    "LED": (2500, "the fuse behind the 5 V supply of lights and readers"),
}
"""Rail -> milliamperes it may give, and what it is. What feeds another rail stands after it."""
STEP_DOWN = 3.3 / (5.0 * 0.85)
"""Milliamperes at the input of the readers' step-down for one at its output, 85 % being kept."""


class Current(NamedTuple):
    """What flows, in milliamperes: in a game, in a game at worst, when the board is switched on."""

    typical: float
    most: float
    start: float

    def times(self, factor: float) -> Current:
        """Return so many times as much."""
        return Current(*(factor * flowing for flowing in self))


def _total(shares: Iterable[Current]) -> Current:
    return Current(*map(sum, zip(*shares, strict=True)))


@dataclass(frozen=True, slots=True)
class Load:
    """What one rail carries, and from what that is summed up."""

    rail: Rail
    current: Current
    limit: int
    supply: str
    lines: tuple[tuple[str, Current], ...]

    @property
    def peak(self) -> float:
        """The most that flows at any time, in milliamperes."""
        return max(self.current.most, self.current.start)


def budget(description: BoardDescription) -> tuple[Load, ...]:
    """Return the load of every rail that carries something."""
    lines = bill(description)
    found: dict[Rail, Load] = {}
    for rail, (limit, supply) in LIMITS.items():
        shares = [
            (f"{line.quantity} x {line.part.name}", _share(description, line))
            for line in lines
            if line.part.rail == rail
        ]
        if rail == "LED" and "readers" in found:
            fed = found["readers"].current.times(STEP_DOWN)
            shares.append(("what the readers take from the step-down", fed))
        if shares:
            total = _total(share for _, share in shares)
            found[rail] = Load(rail, total, limit, supply, tuple(shares))
    return tuple(found.values())


def _share(description: BoardDescription, line: Line) -> Current:
    part, count = line.part, line.quantity
    start = part.most if part.start is None else part.start
    share = Current(part.typical, part.most, start).times(count)
    leds = description.leds
    if part.id == "ws2812" and leds:
        most = share.most * leds.brightness
        if leds.limit_ma:
            most = min(most, leds.limit_ma)
        # A dark one draws as much for itself as when the board is switched on.
        share = share._replace(most=most + share.start)
    return share
