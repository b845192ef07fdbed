"""The power budget, read from the wiring: whatever takes its supply from a net loads that net.

A supply that is itself fed from another net loads that one in turn, a converter with what it loses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from drivers.description import BoardDescription
from hardware.tools.catalogue import Gives, parts
from hardware.tools.circuits import netlist
from hardware.tools.netlist import GROUND, SUPPLIES, Component, Netlist

HEADROOM = 0.8
"""A supply is planned for four fifths of what it can give."""
_AT_ONCE = 0.3
"""The share of pulled lines that are at their other level, on average of a game."""


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

    rail: str
    volts: float
    current: Current
    limit: int
    supply: str
    lines: tuple[tuple[str, Current], ...]

    @property
    def peak(self) -> float:
        """The most that flows at any time, in milliamperes."""
        return max(self.current.most, self.current.start)


def budget(description: BoardDescription, wired: Netlist | None = None) -> tuple[Load, ...]:
    """Return the load of every supply there is, those that feed others last.

    Args:
        description: the board.
        wired: what of it is wired; by default all.
    """
    return _Budget(description, wired or netlist(description)).loads()


class _Budget:
    """The loads of one board, each computed once."""

    def __init__(self, description: BoardDescription, wired: Netlist) -> None:
        self._description = description
        self._wired = wired
        self._found: dict[str, Load] = {}

    def loads(self) -> tuple[Load, ...]:
        for rail in SUPPLIES:
            if rail in self._wired.nets:
                self._load(rail)
        return tuple(self._found.values())

    def _load(self, rail: str) -> Load:
        if rail not in self._found:
            shares = [*self._shares(rail), *self._fed(rail)] or [("nothing", Current(0, 0, 0))]
            _, gives = self._source(rail)
            total = _total(share for _, share in shares)
            self._found[rail] = Load(
                rail, gives.volts, total, gives.most, gives.said, tuple(shares)
            )
        return self._found[rail]

    def _source(self, rail: str) -> tuple[Component, Gives]:
        for component, pin in self._wired.nets[rail]:
            if pin.kind == "s":
                return component, parts()[component.part].gives[pin.name]
        raise KeyError(f"nothing gives {rail}")

    def _shares(self, rail: str) -> Iterator[tuple[str, Current]]:
        """Yield what each kind of part draws straight from a rail."""
        drawing = Counter(c.part for c in self._wired.components if self._rail_of(c) == rail)
        for part, quantity in drawing.items():
            share = self._share(part, quantity, rail)
            if any(share):
                yield f"{quantity} x {parts()[part].name}", share
            if extra := parts()[part].at_work:
                name = f"1 x {parts()[part].name}, the one at work"
                yield name, Current(extra.typical, extra.most, 0)

    def _fed(self, rail: str) -> Iterator[tuple[str, Current]]:
        """Yield what other supplies take from this one."""
        for other in SUPPLIES:
            if other == rail or other not in self._wired.nets:
                continue
            source, gives = self._source(other)
            if source.supply != rail:
                continue
            volts = self._source(rail)[1].volts
            factor = gives.volts / (volts * gives.kept) if gives.kept < 1 else 1
            yield f"what {gives.said} takes for its loads", self._load(other).current.times(factor)

    def _rail_of(self, component: Component) -> str:
        """Return the rail that feeds a part; one without supply draws from what drives its line."""
        if component.supply:
            return component.supply
        ends = [net for net in component.nets if net and net != GROUND]
        for net in ends:
            if net in SUPPLIES:
                return net
            if driver := self._wired.driver(net):
                given = [n for pin, n in driver.component.pins if pin.kind == "s" and n == "3V3"]
                return given[0] if given else driver.component.supply
        return ""

    def _share(self, part: str, quantity: int, rail: str) -> Current:
        found = parts()[part]
        if found.ohm:
            most = self._source(rail)[1].volts / found.ohm * 1000 * quantity
            return Current(_AT_ONCE * most, most, most)
        start = found.most if found.start is None else found.start
        share = Current(found.typical, found.most, start).times(quantity)
        leds = self._description.leds
        if part == "ws2812" and leds:
            most = share.most * leds.brightness
            if leds.limit_ma:
                most = min(most, leds.limit_ma)
            # A dark one draws as much for itself as when the board is switched on.
            share = share._replace(most=most + share.start)
        return share
