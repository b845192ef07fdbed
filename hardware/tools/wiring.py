"""Harnesses as WireViz draws them: which wire runs from which leg to where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from hardware.tools.bill import banks, chain_length
from hardware.tools.pins import PICO_LEG, PinUse, pin_uses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drivers.description import BoardDescription

_POWER_LEGS = {"VBUS 5V": 40, "3V3": 36, "GND": 38}
_COLOURS = ("BU", "GN", "YE", "WH", "BN", "OG", "VT", "GY", "PK", "TQ", "BG", "LB", "OL")
_SUPPLIES = {"GND": "BK", "3V3": "RD", "3.3V": "RD", "5V": "RD", "VBUS 5V": "RD"}
"""Ground is black and every supply red; signals take the other colours in turn."""


Wire = tuple[str, int | str, str, int | str]
"""Connector and pin where it begins, connector and pin where it ends."""


class Harness:
    """Collects connectors, cables and connections in WireViz' words."""

    def __init__(self) -> None:
        self._connectors: dict[str, Any] = {}
        self._cables: dict[str, Any] = {}
        self._connections: list[list[dict[str, list[Any]]]] = []

    def connector(
        self, name: str, kind: str, pins: Iterable[tuple[int | str, str]], note: str
    ) -> None:
        """Add a connector; pins are (number, label)."""
        numbers, labels = zip(*pins, strict=True)
        self._connectors[name] = {
            "type": kind,
            "pins": list(numbers),
            "pinlabels": list(labels),
            "notes": note,
        }

    def cable(self, name: str, gauge: str, ends: list[Wire]) -> None:
        """Add a cable; every wire is (connector, pin, connector, pin)."""
        colours = [
            _SUPPLIES.get(str(end[3]), _COLOURS[index % len(_COLOURS)])
            for index, end in enumerate(ends)
        ]
        self._cables[name] = {
            "gauge": gauge,
            "length": 0.4,
            "colors": colours,
            "wirecount": len(ends),
        }
        for start, finish in dict.fromkeys((end[0], end[2]) for end in ends):
            wires = [n for n, end in enumerate(ends) if (end[0], end[2]) == (start, finish)]
            self._connections.append(
                [
                    {start: [ends[n][1] for n in wires]},
                    {name: [n + 1 for n in wires]},
                    {finish: [ends[n][3] for n in wires]},
                ]
            )

    def as_yaml(self) -> str:
        """Return the source that WireViz reads."""
        source = {
            "connectors": self._connectors,
            "cables": self._cables,
            "connections": self._connections,
        }
        text: str = yaml.safe_dump(source, sort_keys=False, allow_unicode=True, width=100)
        return text


def harness(description: BoardDescription) -> str:
    """Return the WireViz source of a board with a Pico."""
    made = Harness()
    uses = [use for use in pin_uses(description) if "nothing" not in use.goes_to]
    made.connector(
        "Pico", "Raspberry Pi Pico", _pico_pins(uses), "legs as printed on its underside"
    )
    _reeds(made, description, uses)
    _readers(made, description, uses)
    _leds(made, description, uses)
    _panel(made, uses)
    return made.as_yaml()


def _pico_pins(uses: list[PinUse]) -> list[tuple[int | str, str]]:
    legs = {PICO_LEG[use.gpio]: f"GP{use.gpio} {use.section} {use.name}" for use in uses}
    legs |= {number: label for label, number in _POWER_LEGS.items()}
    return [(number, legs[number]) for number in sorted(legs)]


def _wires(uses: list[PinUse], section: str, target: str) -> list[Wire]:
    return [
        ("Pico", PICO_LEG[use.gpio], target, use.name) for use in uses if use.section == section
    ]


def _power(target: str, *names: str) -> list[Wire]:
    return [("Pico", _POWER_LEGS[name], target, name) for name in names]


def _labels(wires: list[Wire]) -> list[tuple[int | str, str]]:
    return [(wire[3], str(wire[3])) for wire in wires]


def _reeds(made: Harness, description: BoardDescription, uses: list[PinUse]) -> None:
    if description.reeds is None:
        return
    count = chain_length(len(description.built))
    names = {"74hc165": f"{count} x 74HC165", "diode-matrix": "reeds and diodes"}
    kind = names.get(description.reeds.kind, description.reeds.kind)
    wires = _wires(uses, "reeds", "Reeds") + _power("Reeds", "3V3", "GND")
    made.connector("Reeds", kind, _labels(wires), "serial input of the farthest chip to GND")
    made.cable("W-reeds", "0.14 mm2", wires)


def _readers(made: Harness, description: BoardDescription, uses: list[PinUse]) -> None:
    if description.tags is None:
        return
    wires = _wires(uses, "tags", "Readers") + _power("Readers", "GND")
    pins = [*_labels(wires), ("3.3V", "3.3V")]
    count = banks(description.tags.count)
    made.connector("Readers", f"{count} banks, {description.tags.kind}", pins, "clock below 0.5 m")
    made.cable("W-readers", "0.14 mm2", wires)
    made.connector(
        "Regulator",
        "5 V to 3.3 V, 1 A",
        [("5V", "5V"), ("GND", "GND"), ("3.3V", "3.3V")],
        "its output never touches the Pico's 3V3",
    )
    made.cable("W-3V3", "0.5 mm2", [("Regulator", "3.3V", "Readers", "3.3V")])


def _leds(made: Harness, description: BoardDescription, uses: list[PinUse]) -> None:
    if description.leds is None:
        return
    wires = _wires(uses, "leds", "Lights") + _power("Lights", "GND")
    own_supply = description.leds.driver == "ws2812"
    if not own_supply:
        wires += _power("Lights", "VBUS 5V")
    pins = [*_labels(wires), *([("5V", "5V")] if own_supply else [])]
    shifter = "" if description.leds.driver == "ht16k33" else " behind a 74AHCT125"
    made.connector("Lights", f"{description.leds.driver.upper()}{shifter}", pins, "")
    made.cable("W-lights", "0.14 mm2", wires)
    if own_supply:
        made.connector(
            "Supply",
            "5 V, 4 A",
            [("5V", "5V"), ("GND", "GND")],
            "ground joins the Pico's at one place",
        )
        feeds: list[Wire] = [("Supply", "5V", "Lights", "5V"), ("Supply", "GND", "Lights", "GND")]
        if description.tags:
            feeds += [("Supply", "5V", "Regulator", "5V"), ("Supply", "GND", "Regulator", "GND")]
        made.cable("W-5V", "0.75 mm2", feeds)


def _panel(made: Harness, uses: list[PinUse]) -> None:
    wires = _wires(uses, "button", "Panel") + _wires(uses, "buzzer", "Panel")
    if wires:
        wires += _power("Panel", "GND")
        made.connector("Panel", "buttons and buzzer", _labels(wires), "other legs to GND")
        made.cable("W-panel", "0.14 mm2", wires)


def draw(source: Path) -> None:
    """Draw a harness with WireViz, beside its source, as SVG."""
    # WireViz is a tool of this project's own environment; its arguments are a fixed list.
    subprocess.run(  # noqa: S603
        [str(Path(sys.executable).with_name("wireviz")), "-f", "s", source.name],
        cwd=source.parent,
        check=True,
        capture_output=True,
    )
