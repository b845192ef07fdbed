"""The stages of a board's bring-up: what is measured in each, computed from what is wired."""

from __future__ import annotations

import json
from collections.abc import Iterator

from drivers.bus_speed import BANK
from drivers.description import BoardDescription
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.calibration.stages import Measure, Stage
from hardware.tools.circuits import netlist
from hardware.tools.netlist import Netlist
from hardware.tools.power import Load, budget

_SUPPLY, _USB, _LOGIC = (4.9, 5.25), (4.75, 5.25), (3.2, 3.4)
"""Volts: of a good supply, of USB, of 3.3 V."""
_FAR, _HIGH, _LOW, _LOW_DIODE = (4.7, 5.25), (3.1, 3.4), (0, 0.1), (0, 0.8)
"""Volts: at the end of the LED chain, of a line that is high, of one that is low; over a diode."""
_LIFTED = (4.4, 5.25)
_SHORT = 100
"""Ohms between a supply and ground, below which it stays off."""
_HEAD = """\
# Bring-up: {name}

Made from the description `{name}` by `python -m hardware.tools.generate`. One stage after the
other; do not go on while one is not right. `firmware-bridge setup --only bring-up` walks along, and
listens to the board from the stage on in which it can speak.

Volts are against ground. Currents are sums of published figures for what is wired by then; nobody
has measured them yet. They are measured with a USB meter in the Pico's cable, and with a multimeter
in the line behind the fuse, or behind the step-down."""
_CONTACTS = {"74hc165": "registers", "diode-matrix": "matrix", "mcp23017": "expanders"}


def stages(description: BoardDescription) -> tuple[Stage, ...]:
    """Return the stages of a board, in their order."""
    return tuple(_Stages(description).all())


def as_json(found: tuple[Stage, ...]) -> str:
    """Return the stages as `firmware-bridge setup` reads them."""
    return json.dumps([stage.model_dump() for stage in found], indent=1) + "\n"


def as_page(description: BoardDescription) -> str:
    """Return the stages as a page to tick off."""
    words = words_of("en")
    lines = [_HEAD.format(name=description.name)]
    for number, stage in enumerate(stages(description), start=1):
        lines += ["", f"## {number}. {words.text(stage.title)}", "", words.text(stage.deed), ""]
        lines += [f"- [ ] {measure.line.told(words)}" for measure in stage.measures]
        lines += [f"- [ ] {words.text(stage.sign)}"]
    return "\n".join([*lines, ""])


class _Stages:
    """The stages of one board; each wires some more sheets of its netlist."""

    def __init__(self, description: BoardDescription) -> None:
        self._description = description
        self._wired = netlist(description)
        self._sheets = {"controller", "supply"}

    def all(self) -> Iterator[Stage]:
        """Yield them."""
        described = self._description
        if "supply" in self._wired.nets:
            yield self._supply()
        yield self._controller()
        if described.reeds:
            self._sheets.add("reeds")
            kind = described.reeds.kind
            rail = Measure(at="shortlogic", unit="Ohm", low=_SHORT, high=0)
            opened = _volts("open", _HIGH)
            row = sum(pin.startswith("row") for pin in described.reeds.pins) == 1
            yield _stage("row" if row else _CONTACTS[kind], rail, opened, *self._usb())
            diodes = kind == "diode-matrix" and not row
            yield _stage("reeds", _volts("closed", _LOW_DIODE if diodes else _LOW))
        if described.leds and described.leds.driver != "own":
            self._sheets.add("lights")
            yield self._lights()
        if described.tags:
            yield from self._readers()
        self._sheets.add("panel")
        if described.buttons or described.buzzer:
            yield _stage("panel", _volts("open", _HIGH), _volts("pressed", _LOW))
        yield _stage("whole", _volts("logic", _LOGIC), *self._usb(), *self._fused())

    def _loads(self, wired: Netlist | None = None) -> dict[str, Load]:
        wired = wired or self._wired
        here = Netlist(tuple(c for c in wired.components if c.sheet in self._sheets))
        return {load.rail: load for load in budget(self._description, here)}

    def _usb(self) -> Iterator[Measure]:
        if self._description.controller == "pico":
            yield _current("usb", self._loads()["5V"])

    def _fused(self) -> Iterator[Measure]:
        if "LED" in self._wired.nets:
            yield _current("fused", self._loads()["LED"])

    def _supply(self) -> Stage:
        measures = [_volts("supply", _SUPPLY)]
        if "readers" in self._wired.nets:
            measures.append(_volts("stepdown", _LOGIC))
        return Stage(name="supply", board=False, measures=tuple(measures))

    def _controller(self) -> Stage:
        measures = [_volts("logic", _LOGIC), *self._usb()]
        name = "pico" if self._description.controller == "pico" else "header"
        return Stage(name=name, board=False, measures=tuple(measures))

    def _lights(self) -> Stage:
        leds = self._description.leds
        driver = leds.driver if leds else ""
        if driver == "ws2812":
            return _stage("strip", _volts("farend", _FAR), *self._fused())
        measures = [_volts("driver", _USB)]
        if driver == "max7219":
            measures.append(_volts("load", _LIFTED))
        return _stage("lamps", *measures, *self._usb())

    def _readers(self) -> Iterator[Stage]:
        described = self._description
        tags = described.tags
        self._sheets.add("readers")
        if tags and "enable" in tags.pins and tags.count > BANK:
            first = described.model_copy(update={"tags": tags.model_copy(update={"count": BANK})})
            short = Measure(at="shortreaders", unit="Ohm", low=_SHORT, high=0)
            flows = _current("readers", self._loads(netlist(first))["readers"])
            rails = (_volts("readers", _LOGIC), _volts("select", _HIGH), _volts("reset", _HIGH))
            yield _stage("bank", short, *rails, flows)
        flows = _current("readers", self._loads()["readers"])
        yield _stage("readers", _volts("readers", _LOGIC), flows, *self._fused())


def _stage(name: str, *measures: Measure) -> Stage:
    return Stage(name=name, board=True, measures=measures)


def _volts(at: str, bounds: tuple[float, float]) -> Measure:
    return Measure(at=at, unit="V", low=bounds[0], high=bounds[1])


def _current(at: str, load: Load) -> Measure:
    most = max(load.current.most, load.current.start)
    return Measure(at=f"{at}current", unit="mA", low=round(load.current.typical), high=round(most))
