"""Harnesses as WireViz draws them: which wire runs from which leg to where."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from drivers.bus_speed import banks
from drivers.description import BoardDescription
from hardware.tools.circuits import chain_length
from hardware.tools.pins import controller, pin_uses

_COLOURS = ("BU", "GN", "YE", "WH", "BN", "OG", "VT", "GY", "PK", "TQ", "BG", "LB", "OL")
_SUPPLIES = {
    "GND": "BK",
    "GND supply": "BK",
    "3V3": "RD",
    "3.3V": "RD",
    "5V": "RD",
    "VBUS 5V": "RD",
}
"""Ground is black and every supply red; signals take the other colours in turn."""


Wire = tuple[str, int | str, str, str]
"""Connector and pin where it begins, connector and label of the terminal where it ends."""
_THIN = "0.14 mm2"


class Harness:
    """Collects connectors, cables and connections in WireViz' words.

    Terminals are numbered from 1 in the order of their labels; the controller's are its legs.
    """

    def __init__(self) -> None:
        self._connectors: dict[str, Any] = {}
        self._cables: dict[str, Any] = {}
        self._connections: list[list[dict[str, list[Any]]]] = []

    def connector(
        self, name: str, kind: str, labels: dict[int, str] | Iterable[str], note: str
    ) -> None:
        """Add a connector: its labels by number, or in the order in which they are numbered."""
        pins = labels if isinstance(labels, dict) else dict(enumerate(labels, start=1))
        self._connectors[name] = {
            "type": kind,
            "pins": list(pins),
            "pinlabels": list(pins.values()),
            "notes": note,
        }

    def _number(self, connector: str, pin: int | str) -> int:
        if isinstance(pin, int):
            return pin
        made = self._connectors[connector]
        number: int = made["pins"][made["pinlabels"].index(pin)]
        return number

    def cable(self, name: str, gauge: str, ends: list[Wire]) -> None:
        """Add a cable between connectors that are there already."""
        colours = [
            _SUPPLIES.get(end[3], _COLOURS[index % len(_COLOURS)]) for index, end in enumerate(ends)
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
                    {start: [self._number(start, ends[n][1]) for n in wires]},
                    {name: [n + 1 for n in wires]},
                    {finish: [self._number(finish, ends[n][3]) for n in wires]},
                ]
            )

    def wires(self) -> tuple[int, int]:
        """Return how many thin and how many thick wires there are."""
        thin = sum(c["wirecount"] for c in self._cables.values() if c["gauge"] == _THIN)
        return thin, sum(c["wirecount"] for c in self._cables.values()) - thin

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
    """Return the WireViz source of a board."""
    return _Wiring(description).made().as_yaml()


def harness_wires(description: BoardDescription) -> tuple[int, int]:
    """Return how many thin wires (signals) and how many thick ones (supply) the harness has."""
    return _Wiring(description).made().wires()


class _Wiring:
    """The harness of one board, part by part."""

    def __init__(self, description: BoardDescription) -> None:
        self._description = description
        self._controller = controller(description)
        self._uses = [use for use in pin_uses(description) if "nothing" not in use.goes_to]
        self._made = Harness()

    def made(self) -> Harness:
        self._made.connector(
            self._controller.name, self._controller.kind, self._legs(), "legs as counted on it"
        )
        self._reeds()
        self._readers()
        self._leds()
        self._supply()
        self._panel()
        return self._made

    def _legs(self) -> dict[int, str]:
        legs = {number: label for label, number in self._controller.power.items()}
        for use in self._uses:
            number = self._controller.legs[use.gpio]
            name = f"{use.section} {use.name}"
            legs[number] = f"{legs[number]}, {name}" if number in legs else f"GP{use.gpio} {name}"
        return dict(sorted(legs.items()))

    def _wires(self, section: str, target: str) -> list[Wire]:
        return [
            (self._controller.name, self._controller.legs[use.gpio], target, use.name)
            for use in self._uses
            if use.section == section
        ]

    def _power(self, target: str, *names: str) -> list[Wire]:
        power = self._controller.power
        return [(self._controller.name, power[name], target, name) for name in names]

    def _reeds(self) -> None:
        reeds = self._description.reeds
        if reeds is None:
            return
        count = chain_length(len(self._description.built))
        names = {
            "74hc165": (f"{count} x 74HC165", "serial input of the farthest chip to GND"),
            "diode-matrix": ("reeds", "in rows of eight; a diode a reed where rows are several"),
            "mcp23017": (f"{len(reeds.addresses)} x MCP23017", "addresses as described"),
        }
        wires = self._wires("reeds", "Reeds")
        if reeds.kind != "diode-matrix":  # which lies between the controller's pins alone
            wires += self._power("Reeds", "3V3", "GND")
        kind, note = names[reeds.kind]
        self._made.connector("Reeds", kind, _labels(wires), note)
        self._made.cable("W-reeds", _THIN, wires)

    def _readers(self) -> None:
        tags = self._description.tags
        if tags is None:
            return
        wires = self._wires("tags", "Readers") + self._power("Readers", "GND")
        pins = [*_labels(wires), "3.3V", "GND supply"]
        kind = f"{banks(tags.count)} banks, {tags.kind}"
        self._made.connector("Readers", kind, pins, "clock below 0.5 m")
        self._made.cable("W-readers", _THIN, wires)
        self._made.connector(
            "Regulator",
            "step-down, 5 V to 3.3 V, 3 A",
            ["5V", "GND", "3.3V"],
            f"its output never touches the {self._controller.name}'s 3V3",
        )
        # What the readers draw goes back here, and not through the controller.
        feeds: list[Wire] = [("Regulator", "3.3V", "Readers", "3.3V")]
        feeds += [("Regulator", "GND", "Readers", "GND supply")]
        self._made.cable("W-3V3", "0.5 mm2", feeds)

    def _leds(self) -> None:
        leds = self._description.leds
        if leds is None:
            return
        wires = self._wires("leds", "Lights") + self._power("Lights", "GND")
        own_supply = leds.driver == "ws2812"
        if not own_supply:
            wires += self._power("Lights", "VBUS 5V")
        pins = [*_labels(wires), *(["5V"] if own_supply else [])]
        shifter = "an I2C level shifter" if leds.driver == "ht16k33" else "a 74AHCT125"
        self._made.connector("Lights", f"{leds.driver.upper()} behind {shifter}", pins, "")
        self._made.cable("W-lights", _THIN, wires)

    def _supply(self) -> None:
        leds = self._description.leds
        fed = ["Lights"] if leds is not None and leds.driver == "ws2812" else []
        fed += ["Regulator"] if self._description.tags else []
        if not fed:
            return
        self._made.connector(
            "Supply",
            "5 V, 4 A, behind a fuse of 2.5 A",
            ["5V", "GND"],
            f"ground joins the {self._controller.name}'s at one place",
        )
        feeds: list[Wire] = [("Supply", pin, name, pin) for name in fed for pin in ("5V", "GND")]
        self._made.cable("W-5V", "0.75 mm2", feeds)

    def _panel(self) -> None:
        wires = self._wires("button", "Panel") + self._wires("buzzer", "Panel")
        if wires:
            wires += self._power("Panel", "GND")
            self._made.connector("Panel", "buttons and buzzer", _labels(wires), "other legs to GND")
            self._made.cable("W-panel", _THIN, wires)


def _labels(wires: list[Wire]) -> list[str]:
    return [wire[3] for wire in wires]


def draw(source: Path) -> None:
    """Draw a harness with WireViz, beside its source, as SVG."""
    # WireViz is a tool of this project's own environment; its arguments are a fixed list.
    subprocess.run(  # noqa: S603
        [str(Path(sys.executable).with_name("wireviz")), "-f", "s", source.name],
        cwd=source.parent,
        check=True,
        capture_output=True,
    )
    # Graphviz leaves room for Arial; where that is missing, what stands in for it is wider.
    drawn = source.with_suffix(".svg")
    drawn.write_text(drawn.read_text(encoding="utf-8").replace('size="14.00"', 'size="12.00"'))
