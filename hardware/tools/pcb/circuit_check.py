"""Whether a circuit can work, from its nets alone; KiCad judges the copper."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from hardware.tools.pcb.copper import Circuit, Placed, Role

_NEAR = 8.0
"""So near, in millimetres, a chip's capacitor has to be."""
_CAPACITOR = "100n"


class _Pin(NamedTuple):
    part: Placed
    name: str
    role: Role

    def __str__(self) -> str:
        return f"{self.part.reference}.{self.name}"


def faults(circuit: Circuit) -> tuple[str, ...]:
    """Return everything that is electrically wrong, each as a sentence; empty is well."""
    return (*_loose(circuit), *_nets(circuit), *_capacitors(circuit))


def _pins(part: Placed) -> Iterator[_Pin]:
    for name, role in part.component.pins.values():
        yield _Pin(part, name, role)


def _loose(circuit: Circuit) -> Iterator[str]:
    for part in circuit.parts:
        for pin in _pins(part):
            joined = pin.name in part.nets
            if pin.role == "unused" and joined:
                yield f"{pin} has to stay free."
            elif pin.role != "unused" and not joined:
                yield f"{pin} leads nowhere."
        for name in part.nets.keys() - {pin.name for pin in _pins(part)}:
            yield f"{part.reference} has no pin {name}."


def _nets(circuit: Circuit) -> Iterator[str]:
    joined: dict[str, list[_Pin]] = defaultdict(list)
    for part in circuit.parts:
        for pin in _pins(part):
            if net := part.nets.get(pin.name):
                joined[net].append(pin)
    fed = {net for net, pins in joined.items() if any(pin.role == "source" for pin in pins)}
    for net, pins in joined.items():
        names = ", ".join(str(pin) for pin in pins)
        roles = [pin.role for pin in pins]
        if len(pins) < 2:
            yield f"{net}: only {names} is on it."
        if roles.count("output") > 1:
            yield f"{net}: two outputs drive it ({names})."
        if "supply" in roles and net not in fed:
            yield f"{net}: supplies {names}, but comes from no plug."
        if "supply" in roles and "output" in roles:
            yield f"{net}: an output drives a supply ({names})."
        driven = "output" in roles or net in fed or any(_pulled(pin, net, fed) for pin in pins)
        if "input" in roles and not driven:
            yield f"{net}: nothing drives {names}."


def _pulled(pin: _Pin, net: str, fed: set[str]) -> bool:
    return pin.role == "passive" and any(other in fed - {net} for other in pin.part.nets.values())


def _capacitors(circuit: Circuit) -> Iterator[str]:
    stores = [part for part in circuit.parts if part.component.value == _CAPACITOR]
    for part in circuit.parts:
        supplies = {part.nets.get(pin.name) for pin in _pins(part) if pin.role == "supply"}
        if not supplies:
            continue
        if len(supplies) != 2:
            yield f"{part.reference}: its supply pins are on {len(supplies)} nets."
        if not any(
            set(store.nets.values()) == supplies and math.dist(store.at, part.at) < _NEAR
            for store in stores
        ):
            yield f"{part.reference}: no capacitor of {_CAPACITOR} within {_NEAR:g} mm."
