"""What is wired to what: every part of a board with a net at each of its pins.

Drawings, parts list, currents and the checks of a bus's loads are all read from here; what is put
together, and why, stands in `circuits.py`.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, NamedTuple

from drivers.bus_speed import MOST_LOADS
from hardware.tools.catalogue import HARDWARE, parts

Kind = Literal["i", "o", "t", "x", "p", "s", "g", "n"]
"""Input, output, output that can let go, either, takes supply, gives supply, ground, left open."""
GROUND = "GND"
SUPPLIES = {
    "3V3": "3.3 V",
    "5V": "5 V (USB)",
    "LED": "5 V (fused)",
    "readers": "3.3 V (readers)",
    "supply": "5 V (before the fuse)",
}
"""Net of a supply -> how drawings call it."""


class Pin(NamedTuple):
    """One pin of a kind of part."""

    number: int
    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Pinout:
    """The pins of a kind of part, by number from 1, and the housing that has them so."""

    housing: str
    pins: tuple[Pin, ...]


@cache
def pinouts() -> dict[str, Pinout]:
    """Return the pinouts of all parts that are wired, by part id."""
    return read_pinouts(tomllib.loads((HARDWARE / "pinouts.toml").read_text(encoding="utf-8")))


def read_pinouts(data: dict[str, dict[str, str]]) -> dict[str, Pinout]:
    """Return the pinouts of their file."""
    return {
        part: Pinout(each["housing"], tuple(_pins(each["pins"]))) for part, each in data.items()
    }


def _pins(text: str) -> Iterator[Pin]:
    for number, word in enumerate(text.split(), start=1):
        name, _, kind = word.rpartition("/")
        yield Pin(number, name, kind)  # type: ignore[arg-type] # a test holds the file to it


@dataclass(frozen=True)
class Component:
    """One part in its place.

    Attributes:
        ref: what drawings and lists call it: `U3`, `R17`, `reed a1`.
        part: its id in the catalogue.
        sheet: the drawing that shows it.
        nets: the net at each pin, by number; empty for pins left open.
        why: what it is for.
        at: the chip beside which a capacitor sits, if one.
    """

    ref: str
    part: str
    sheet: str
    nets: tuple[str, ...]
    why: str
    at: str = ""

    @cached_property
    def pins(self) -> tuple[tuple[Pin, str], ...]:
        """Every pin with its net."""
        return tuple(zip(pinouts()[self.part].pins, self.nets, strict=True))

    def net(self, name: str) -> str:
        """Return the net at a pin, by the pin's name."""
        return next(net for pin, net in self.pins if pin.name == name)

    @cached_property
    def supply(self) -> str:
        """The net this takes its supply from; empty for parts without one."""
        return next((net for pin, net in self.pins if pin.kind == "p" and net), "")


class End(NamedTuple):
    """A pin that hangs on a net."""

    component: Component
    pin: Pin


@dataclass(frozen=True)
class Netlist:
    """All parts of a board."""

    components: tuple[Component, ...]

    @cached_property
    def nets(self) -> dict[str, tuple[End, ...]]:
        """Net -> everything that hangs on it."""
        found: dict[str, list[End]] = defaultdict(list)
        for component in self.components:
            for pin, net in component.pins:
                if net:
                    found[net].append(End(component, pin))
        return {net: tuple(ends) for net, ends in found.items()}

    @cached_property
    def gives(self) -> dict[str, float]:
        """Supply -> the most volts that a part gives it."""
        return {
            net: max(
                (parts()[e.component.part].gives[e.pin.name].volts
                 for e in self.nets.get(net, ()) if e.pin.kind == "s"),
                default=0.0,
            )
            for net in SUPPLIES
        }  # fmt: skip

    def driver(self, net: str) -> End | None:
        """Return what gives a net its level: a supply, an output, or a pin of the controller."""
        for kinds in ("s", "ot"):
            for end in self.nets[net]:
                if end.pin.kind in kinds:
                    return end
        return next((e for e in self.nets[net] if e.component.part in {"pico", "pi"}), None)

    def leads(self, net: str) -> bool:
        """Whether a net is ground, or an output or the controller drives it."""
        end = self.driver(net) if net in self.nets else None
        return net == GROUND or bool(end and end.pin.kind != "s")

    def loads(self, net: str) -> tuple[End, ...]:
        """Return what the driver of a net has to move: inputs, and other outputs that let go."""
        driver = self.driver(net)
        return tuple(e for e in self.nets[net] if e.pin.kind in "iot" and e != driver)


def overloads(netlist: Netlist) -> Iterator[str]:
    """Say which output moves more pins than it can."""
    for net in netlist.nets:
        if net == GROUND or net in SUPPLIES:
            continue
        if len(loads := netlist.loads(net)) > MOST_LOADS:
            names = sorted({end.component.part for end in loads})
            listed = ", ".join(names)
            yield f"{net} leads to {len(loads)} pins ({listed}); {MOST_LOADS} are the most."


def as_csv(netlist: Netlist) -> str:
    """Return every connection as a line `net,part,pin,name`, to tick off while wiring."""
    lines = ["net,at,part,pin,name"]
    for net, ends in netlist.nets.items():
        lines += [
            f"{net},{e.component.ref},{e.component.part},{e.pin.number},{e.pin.name}" for e in ends
        ]
    return "\n".join([*lines, ""])
