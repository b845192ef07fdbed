"""A circuit as KiCad's diagram: what KiCad 8 or newer holds to its rules, and the board against.

Every part is a column of pins, each with the name of its net; nothing is drawn for the eye.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import NamedTuple

from hardware.tools.pcb.copper import Circuit, Role
from hardware.tools.pcb.kicad import library_name

_KINDS: dict[Role, str] = {
    "supply": "power_in",
    "input": "input",
    "output": "output",
    "passive": "passive",
    "switch": "passive",
    "source": "passive",
    "unused": "no_connect",
}
"""What KiCad calls a pin. A plug's may be anything: a supply that comes in there has a flag."""
_GRID, _COLUMN = 2.54, 50.8
_FONT = "(effects (font (size 1.27 1.27)))"
_NAMESPACE = uuid.UUID("0b2b6a1d-6d0e-4c5b-9f0a-3f1c2f6a9d10")


class _Pin(NamedTuple):
    number: str
    name: str
    kind: str
    net: str


class _Drawn(NamedTuple):
    """What stands for one part; a flag has neither value nor footprint."""

    reference: str
    pins: tuple[_Pin, ...]
    value: str = "flag"
    footprint: str = ""


def diagram_file(circuit: Circuit) -> str:
    """Return the `.kicad_sch` of a circuit."""
    drawn = tuple(_drawn(circuit))
    lines = ["(kicad_sch (version 20211123) (generator firmware_bridge)"]
    lines += [f"(uuid {_stamp('sheet')})", '(paper "A0")', "(lib_symbols"]
    lines += [line for part in drawn for line in _symbol(part)]
    lines.append(")")
    for column, part in enumerate(drawn):
        lines += _placed(part, _COLUMN * (1 + column % 20), 127.0 * (1 + column // 20))
    return "\n".join([*lines, '(sheet_instances (path "/" (page "1")))', ")", ""])


def _drawn(circuit: Circuit) -> Iterator[_Drawn]:
    """Yield every part, and a flag for each supply that comes in at a plug."""
    roles: dict[str, set[Role]] = {net: set() for net in circuit.nets}
    for part in circuit.parts:
        pins = part.component.pins.items()
        drawn = (_Pin(n, name, _KINDS[role], part.nets.get(name, "")) for n, (name, role) in pins)
        footprint = library_name(part.component.footprint)
        yield _Drawn(part.reference, tuple(drawn), part.component.value, footprint)
        for _, (name, role) in pins:
            if net := part.nets.get(name):
                roles[net].add(role)
    for number, (net, found) in enumerate(roles.items(), 1):
        if found >= {"source", "supply"}:
            yield _Drawn(f"#FLG{number}", (_Pin("1", "pwr", "power_out", net),))


def _symbol(part: _Drawn) -> Iterator[str]:
    yield f'(symbol "fb:{part.reference}" (in_bom yes) (on_board yes)'
    yield from _properties(part, "U", 0, 0)
    yield f'(symbol "{part.reference}_1_1"'
    for row, pin in enumerate(part.pins):
        named = f'(name "{pin.name}" {_FONT}) (number "{pin.number}" {_FONT})'
        yield f"(pin {pin.kind} line (at 0 {-row * _GRID:g} 0) (length 2.54) {named})"
    yield "))"


def _placed(part: _Drawn, x: float, y: float) -> Iterator[str]:
    reference = part.reference
    yield f'(symbol (lib_id "fb:{reference}") (at {x:g} {y:g} 0) (unit 1)'
    yield f"(in_bom yes) (on_board yes) (uuid {_stamp(reference)})"
    yield from _properties(part, reference, x, y)
    sheet = f'(path "/{_stamp("sheet")}" (reference "{reference}") (unit 1))'
    yield f'(instances (project "" {sheet})))'
    for row, pin in enumerate(part.pins):
        if pin.net:
            at = f"(at {x:g} {y + row * _GRID:g} 180)"
            stamp = _stamp(f"{reference}.{pin.number}")
            yield f'(global_label "{pin.net}" (shape passive) {at} {_FONT} (uuid {stamp}))'


def _properties(part: _Drawn, reference: str, x: float, y: float) -> Iterator[str]:
    texts = (("Reference", reference), ("Value", part.value), ("Footprint", part.footprint))
    for key, text in texts:
        yield f'(property "{key}" "{text}" (at {x:g} {y:g} 0) {_FONT})'


def _stamp(name: str) -> uuid.UUID:
    return uuid.uuid5(_NAMESPACE, name)
