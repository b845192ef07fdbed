"""The head circuit of a board of printed ranks: what lies between the Pico, ranks and supply.

Signals leave the Pico between its legs and run to the right on the upper layer; the lower one is
ground. The supply comes in at the right, through its fuse.
"""

from __future__ import annotations

from drivers.description import BoardDescription
from hardware.tools.netlist import pinouts
from hardware.tools.pcb import components
from hardware.tools.pcb import head_components as own
from hardware.tools.pcb.copper import Circuit, Label, Point
from hardware.tools.pcb.drawing import Drawing
from hardware.tools.pcb.rank import RankError, misfits
from hardware.tools.pins import PICO

WIDTH, HEIGHT = 102.0, 62.0
_PINS = {"leds.data": 22, "buttons.0": 10, "buttons.1": 11, "buzzer": 21, "reeds.clock": 6}
_PINS |= {"reeds.data": 4, "reeds.load": 5}
"""What its copper is drawn for: purpose -> GPIO."""
_NETS = {22: "LIGHT", 10: "BUTTON_1", 11: "BUTTON_2", 21: "BUZZ", 6: "CLOCK", 4: "DATA", 5: "LOAD"}
_AT = (10.0, 6.0)
"""Leg 1 of the Pico."""


def head(description: BoardDescription) -> Circuit:
    """Return the head circuit of a board; raise RankError where it was not drawn for its pins."""
    if wrong := (*misfits(description), *_otherwise(description)):
        raise RankError("\n".join(wrong))
    return _Head(description.name).circuit()


def _otherwise(description: BoardDescription) -> tuple[str, ...]:
    """Say which pins of a board are not those that the copper leads to."""
    found: dict[str, int | None] = {}
    for number, button in enumerate(description.buttons):
        found[f"buttons.{number}"] = button.pin
    if description.buzzer:
        found["buzzer"] = description.buzzer.pin
    for section in ("leds", "reeds"):
        part = getattr(description, section)
        if part:
            pins = {name: gpio for name, gpio in part.pins.items() if name != "idle"}
            found |= {f"{section}.{name}": gpio for name, gpio in pins.items()}
    return tuple(
        f"{name}: the head circuit leads GPIO {_PINS.get(name)} there, not {found.get(name)}."
        for name in sorted(_PINS.keys() | found.keys())
        if _PINS.get(name) != found.get(name)
    )


class _Head(Drawing):
    """Draws the circuit, part by part."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def circuit(self) -> Circuit:
        """Return the whole circuit."""
        self._pico()
        self._ranks()
        self._shifter()
        self._panel()
        self._supply()
        corners = (Point(x, y) for x in (4.0, WIDTH - 4) for y in (4.0, HEIGHT - 4))
        return Circuit(
            name=f"{self._name}-head",
            width=WIDTH,
            height=HEIGHT,
            plane="GND",
            parts=tuple(self._parts.values()),
            tracks=tuple(self._tracks),
            vias=tuple(self._vias),
            holes=tuple(corners),
            labels=(
                Label("USB", Point(19, 2), 1.5),
                Label(f"{self._name}: head", Point(50, 59), 1.5),
                Label("to the ranks", Point(63, 12), 1.2),
                Label("5 V +", Point(81, 47), 1.2),
                Label("+", Point(81.5, 22.6), 1.2),
                Label("K", Point(81.85, 34), 1.2),
                Label("-", Point(83, 52), 1.2),
                Label("buttons", Point(33, 60.8), 1),
                Label("buzzer", Point(56, 55), 1),
            ),
        )

    def _pico(self) -> None:
        legs = {PICO.legs[gpio]: net for gpio, net in _NETS.items()} | {PICO.power["3V3"]: "3V3"}
        component = own.pico(legs)
        nets = {component.pins[str(leg)][0]: net for leg, net in legs.items()}
        for pin in pinouts()["pico"].pins:
            if pin.kind == "g":
                nets[component.pins[str(pin.number)][0]] = "GND"
        self._put("U1", component, _AT, nets)

    def _leaves(self, gpio: int) -> tuple[Point, ...]:
        """Return the way from a GPIO's leg to the right of the Pico."""
        leg = self._parts["U1"].where(f"GP{gpio}")
        if leg.x > _AT[0]:
            return (leg,)
        between = leg.y + own.PITCH / 2  # the legs of the right row lie at the same heights
        return leg, Point(leg.x + 2, leg.y), Point(leg.x + 2, between), Point(leg.x + 20, between)

    def _ranks(self) -> None:
        nets = {name: name for name in components.PLUG_PINS}
        plug = self._put("J1", components.PLUG, (70, 32), nets, 90)
        power = self._parts["U1"].where("3V3")
        for net, way, turn in (
            ("3V3", (power,), 60.0),
            ("DATA", self._leaves(4), 58.0),
            ("CLOCK", self._leaves(6), 50.0),
        ):
            end = plug.where(net)
            self._wire(net, "F", *way, (turn, way[-1].y), (turn, end.y), end)
        # The plug has LOAD below CLOCK: it passes under it.
        way, end, below = self._leaves(5), plug.where("LOAD"), 29.2
        self._wire("LOAD", "F", *way, (45, way[-1].y))
        self._wire("LOAD", "B", (45, way[-1].y), (45, below))
        self._via("LOAD", 45, way[-1].y)
        self._via("LOAD", 45, below)
        self._wire("LOAD", "F", (45, below), (62, below), (62, end.y), end)

    def _shifter(self) -> None:
        grounded = ("1OE", "2OE", "2A", "3OE", "3A", "4OE", "4A", "GND")
        nets = dict.fromkeys(grounded, "GND") | {"1A": "LIGHT", "1Y": "LED", "VCC": "5V"}
        chip = self._put("U2", own.SHIFTER, (45, 42), nets)
        for pin in grounded:
            pad = chip.where(pin)
            self._ground(pad, (pad.x + (1.6 if pad.x > chip.at.x else -1.6), pad.y))
        (leg,), into = self._leaves(22), chip.where("1A")
        self._wire("LIGHT", "F", leg, (36, leg.y), (36, into.y), into)
        pull = self._put(
            "R1", components.PULL, (33, leg.y + 0.95), {"1": "LIGHT", "2": "GND"}, 270
        ).where("2")
        self._ground(pull, (pull.x, pull.y + 1.4))
        out, end = chip.where("1Y"), self._parts["J1"].where("LED")
        self._wire("LED", "F", out, (45.8, out.y), (45.8, 35.5), (66, 35.5), (66, end.y), end)
        supply = chip.where("VCC")
        store = self._put(
            "C1", components.DECOUPLING, (supply.x + 3, supply.y), {"1": "5V", "2": "GND"}
        )
        feed, ground = store.where("1"), store.where("2")
        self._wire("5V", "F", supply, feed)
        self._wire("5V", "F", feed, (feed.x, 36.6), (76, 36.6), width=0.6)
        self._ground(ground, (ground.x + 1.4, ground.y))

    def _panel(self) -> None:
        buttons = self._put(
            "J2",
            own.plug(3, "B3B-XH-A"),
            (33, 55),
            {"1": "BUTTON_2", "2": "BUTTON_1", "3": "GND"},
        )
        for gpio, turn, low, pin in ((11, 31.0, 52.0, "1"), (10, 32.5, 51.0, "2")):
            way, end = self._leaves(gpio), buttons.where(pin)
            self._wire(_NETS[gpio], "F", *way, (turn, way[-1].y), (turn, low), (end.x, low), end)
        buzzer = self._put("J3", own.plug(2, "B2B-XH-A"), (46, 55), {"1": "TONE", "2": "GND"})
        (leg,) = self._leaves(21)
        spare = self._put("R2", own.BUZZER_OHM, (42, 49), {"1": "BUZZ", "2": "TONE"})
        start, out, end = spare.where("1"), spare.where("2"), buzzer.where("1")
        self._wire("BUZZ", "F", leg, (34, leg.y), (34, start.y), start)
        self._wire("TONE", "F", out, (end.x, out.y), end)

    def _supply(self) -> None:
        fuse = self._put("F1", own.FUSE, (84, 12), {"1": "5V", "2": "SUPPLY"})
        store = self._put("C2", own.STORE, (84, 25), {"1": "5V", "2": "GND"})
        guard = self._put("D1", own.GUARD, (84, 36.6), {"1": "5V", "2": "GND"})
        terminal = self._put("J4", own.TERMINAL, (90, 47), {"+": "SUPPLY", "-": "GND"}, 270)
        out, plug = fuse.where("1"), self._parts["J1"].where("5V")
        rail = 76.0
        self._wire("5V", "F", out, (rail, out.y), (rail, 36.6), width=2)
        self._wire("5V", "F", plug, (rail, plug.y), width=1.6)
        self._wire("5V", "F", store.where("1"), (rail, store.at.y), width=2)
        self._wire("5V", "F", guard.where("1"), (rail, guard.at.y), width=2)
        ground = guard.where("2")
        for down in (-1.0, 1.0):
            self._ground(ground, (ground.x, ground.y + down), (ground.x + 2.2, ground.y + down))
        came, into = terminal.where("+"), fuse.where("2")
        self._wire("SUPPLY", "F", came, (98, came.y), (98, into.y), into, width=2)
