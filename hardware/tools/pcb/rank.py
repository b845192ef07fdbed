"""One rank of eight cells as a printed circuit: what it is made of and where its copper runs.

Signals run along the board in lanes above the cells and come down to them on the lower layer, which
is ground everywhere else; the lights lie in the cells' corners where the plate has its holes
(`layout.lamps`), their 5 V below them. Every rank is like every other: two
alike plugs at its left end join it to the rank before and the rank behind.
"""

from __future__ import annotations

from collections.abc import Iterator

from drivers.description import BoardDescription
from drivers.errors import DriverError
from hardware.tools import layout
from hardware.tools.pcb import components
from hardware.tools.pcb.copper import Circuit, Component, Label, Placed, Point, Turn
from hardware.tools.pcb.drawing import Drawing

CELLS = 8
HEIGHT = 42.0
LONGEST = 400.0
"""What fabricators make at their usual price, in millimetres."""
_INSET = 4.0
"""A rank ends so far before its cells do: room for the case."""
_MIDDLE = 20.0
"""How far below its upper edge a rank's cells have their middle."""
_LANES, _LANE = 5.6, 0.7
"""Where the uppermost lane runs, and how far apart they are."""
_SER, _DATA, _CLOCK, _LOAD = range(4)
_REED = {7: 1, 6: 2, 5: 3, 4: 4, 3: 5, 2: 6, 1: 7, 0: 4}
"""Cell -> lane of its contact; cell 0 lies to the left of the register, where lane 4 is free."""
_3V3, _BACK = 8, 9
_FEED, _CHAIN = 40.6, 33.6
"""Where the lights' 5 V run, and their data from one to the next."""
_LEADS = 6.0
"""A reed's leads may be bent 3 mm from its glass, and no nearer."""
_PLUG_AT, _NEAR_PLUG, _FAR_PLUG = 3.0, 29.4, 3.6
"""The first pin of the plugs, and where they lie: towards the Pico, and away from it."""
_PASSING = {name: name for name in ("5V", "LOAD", "CLOCK", "3V3", "GND")}
"""What is the same in both plugs."""
_REGISTER_NETS = {
    "PL": "LOAD",
    "CP": "CLOCK",
    "DS": "SERIAL",
    "Q7": "DATA",
    "CE": "GND",
    "GND": "GND",
    "VCC": "3V3",
}
_BEHIND_REED = 7.5
"""From the far end of the first reed to the middle of the register."""
_PAST_REGISTER = 8.5
_NEXT_REED = 15.0
"""From the middle of a cell to what lies left of its reed."""
_LETTERS = "abcdefgh"
_DOWN = {
    "PL": (_LOAD, -7.9),
    "CP": (_CLOCK, -7.1),
    "D4": (_REED[3], -6.3),
    "D5": (_REED[2], -5.5),
    "D6": (_REED[1], -4.7),
    "D7": (_REED[0], -3.9),
    "VCC": (_3V3, -1.1),
    "D3": (_REED[4], -0.3),
    "D2": (_REED[5], 0.5),
    "D1": (_REED[6], 1.3),
    "Q7": (_DATA, 3.9),
    "DS": (_SER, 4.7),
    "D0": (_REED[7], 5.5),
}
"""Pin of the register -> its lane, and how far beside its middle it comes down to the pin: the
lower the pin, the nearer, so that no way crosses another."""
_HOLES = (1, 2, 3, 4, 5, 6)
"""Behind the reeds of these cells a screw holds rank and plate on the rib below."""
_BESIDE_REGISTER = Point(52.0, 28.8)
"""One more where a register lies behind the reed: else the plate would span two cells there."""
RIB = (15.0, 28.0)
"""Width and height of the rib below each rank, from side to side of the board."""


class RankError(DriverError):
    """No rank can be printed for a board; the text says why, and what could be changed."""


def rank(description: BoardDescription) -> Circuit:
    """Return the circuit that all ranks of a board are; raise RankError where none fits."""
    if wrong := misfits(description):
        raise RankError("\n".join(wrong))
    return _Rank(description).circuit()


def misfits(description: BoardDescription) -> tuple[str, ...]:
    """Return why the ranks of a board cannot be printed, each as a sentence; empty if they can."""
    reeds, leds, sizes = description.reeds, description.leds, description.mechanics
    found = []
    if reeds is None or reeds.kind != "74hc165":
        found.append("reeds.kind: a printed rank has a 74hc165.")
    if leds is None or leds.driver != "ws2812" or leds.per_cell != 1:
        found.append("leds.driver: a printed rank has one ws2812 a cell.")
    if description.tags:
        found.append("tags: the copper of a printed rank would blind readers below it.")
    in_ranks = description.squares == description.built and description.grid.files == CELLS
    if not in_ranks or description.led_positions != tuple(range(len(description.built))):
        found.append(
            "grid: printed ranks are for eight files, contacts and lights numbered along the "
            "ranks from a1, without reserve cells."
        )
    if CELLS * sizes.cell_mm - 2 * _INSET > LONGEST:
        found.append(f"mechanics.cell_mm: a rank would be longer than {LONGEST:g} mm.")
    end = sizes.reed_offset_mm + (sizes.reed_mm + _LEADS) / 2
    if sizes.cell_mm - _NEXT_REED < end + _BEHIND_REED + _PAST_REGISTER:
        found.append("mechanics.cell_mm: a cell has no room for reed and register.")
    return tuple(found)


class _Rank(Drawing):
    """Draws one rank, part by part."""

    def __init__(self, description: BoardDescription) -> None:
        super().__init__()
        sizes = description.mechanics
        self._name = description.name
        self._pitch = sizes.cell_mm
        apart = sizes.reed_mm + _LEADS
        self._reed = components.reed(sizes.reed_mm, apart)
        self._offset = sizes.reed_offset_mm
        (self._lamp,) = layout.lamps(description)
        self._near, self._far = (self._offset + side * apart / 2 for side in (-1, 1))
        self._labels: list[Label] = []

    def circuit(self) -> Circuit:
        """Return the whole rank."""
        self._plugs()
        self._register()
        for number in range(CELLS):
            self._contact(number)
            self._light(number)
        self._chain()
        self._feed()
        return Circuit(
            name=f"{self._name}-rank",
            width=CELLS * self._pitch - 2 * _INSET,
            height=HEIGHT,
            plane="GND",
            parts=tuple(self._parts.values()),
            tracks=tuple(self._tracks),
            vias=tuple(self._vias),
            holes=(_BESIDE_REGISTER, *self._screws()),
            labels=tuple(self._labels),
        )

    def _screws(self) -> Iterator[Point]:
        for number in _HOLES:
            yield Point(self._cell(number) + self._far + 7, _MIDDLE)

    def _cell(self, number: int) -> float:
        return self._pitch * (number + 0.5) - _INSET

    def _pair(
        self,
        reference: str,
        component: Component,
        at: tuple[float, float],
        nets: tuple[str, str],
        turned: Turn = 0,
    ) -> tuple[Point, Point]:
        """Put a part with two pads there, and return where they are."""
        part = self._put(reference, component, at, {"1": nets[0], "2": nets[1]}, turned)
        return part.where("1"), part.where("2")

    def _drop(self, net: str, lane: int, x: float, *points: tuple[float, float]) -> None:
        """Lead a lane down on the lower layer."""
        self._via(net, x, _lane(lane))
        self._wire(net, "B", (x, _lane(lane)), *points)

    def _plugs(self) -> None:
        near, far = (
            self._put(reference, components.PLUG, (_PLUG_AT, y), _PASSING | own)
            for reference, y, own in (
                ("J1", _NEAR_PLUG, {"LED": "LED0", "DATA": "DATA"}),
                ("J2", _FAR_PLUG, {"LED": f"LED{CELLS + 1}", "DATA": "SERIAL"}),
            )
        )
        for net, lane in (("LOAD", _LOAD), ("CLOCK", _CLOCK), ("3V3", _3V3)):
            start, end = near.where(net), far.where(net)
            self._wire(net, "B", start, end)
            self._via(net, start.x, _lane(lane))
        self._wire("5V", "B", near.where("5V"), far.where("5V"), width=1.5)
        data, serial = near.where("DATA"), far.where("DATA")
        self._drop("DATA", _DATA, data.x, data)
        self._wire("SERIAL", "F", serial, (serial.x, _lane(_SER)))
        # A rank that nothing follows reads ground, which proves that the whole chain shifts.
        start, ground = self._pair("R9", components.PULL, (26, 3.6), ("SERIAL", "GND"))
        self._wire("SERIAL", "F", start, (start.x, _lane(_SER)))
        self._ground(ground, (ground.x + 1.4, ground.y))
        self._names(near, far)

    def _names(self, near: Placed, far: Placed) -> None:
        for part, y in ((near, 24.0), (far, 10.0)):
            for name in components.PLUG_PINS:
                self._labels.append(Label(name, Point(part.where(name).x, y), 1, 90, below=True))
        whole = f"{self._name}: one rank, {CELLS} cells of {self._pitch:g} mm"
        self._labels += [
            Label("from the Pico", Point(31, 30), 1.5, below=True),
            Label("to the next rank", Point(31, 3), 1.5, below=True),
            Label(whole, Point(100, 30), 1.5),
        ]

    def _register(self) -> None:
        x = self._cell(0) + self._far + _BEHIND_REED
        inputs = {f"D{7 - number}": _contact(number) for number in range(CELLS)}
        nets = inputs | _REGISTER_NETS
        chip = self._put("U1", components.REGISTER, (x, _MIDDLE), nets)
        ends = {"LOAD": "J1", "CLOCK": "J1", "DATA": "J1", "SERIAL": "J2"}
        for pin, (lane, aside) in _DOWN.items():
            pad, net, down = chip.where(pin), nets[pin], x + aside
            self._drop(net, lane, down, (down, pad.y))
            self._via(net, down, pad.y)
            self._wire(net, "F", (down, pad.y), pad)
            if pin in inputs:
                end = self._contact_x(7 - int(pin[1]))
            elif net in ends:
                end = self._parts[ends[net]].where("DATA" if net == "SERIAL" else net).x
            else:
                continue  # 3.3 V runs along all cells
            self._wire(net, "F", (end, _lane(lane)), (down, _lane(lane)))
        vcc, enable, ground = chip.where("VCC"), chip.where("CE"), chip.where("GND")
        at = (vcc.x + 3, vcc.y)
        feed, store = self._pair("C9", components.DECOUPLING, at, ("3V3", "GND"))
        self._wire("3V3", "F", vcc, feed)
        self._wire("GND", "F", enable, (store.x, enable.y), store)
        self._via("GND", store.x, enable.y)
        self._ground(ground, (ground.x - 1.6, ground.y))

    def _contact_x(self, number: int) -> float:
        """Return where a contact's lane comes down to its reed."""
        return self._cell(number) + self._near + 2

    def _contact(self, number: int) -> None:
        net, middle = _contact(number), self._cell(number) + self._offset
        pad, _ = self._pair(f"S{number + 1}", self._reed, (middle, _MIDDLE), (net, "GND"))
        down = self._contact_x(number)
        self._drop(net, _REED[number], down, (down, pad.y), pad)
        top, bottom = self._pair(
            f"R{number + 1}", components.PULL, (pad.x, _MIDDLE - 4), ("3V3", net), 270
        )
        self._wire(net, "F", bottom, pad)
        above = top.y - 1.25
        self._wire("3V3", "F", top, (top.x, above))
        self._via("3V3", top.x, above)
        self._drop("3V3", _3V3, top.x, (top.x, above))
        self._labels.append(Label(_LETTERS[number], Point(middle, _MIDDLE + 3.6), 2))

    def _light(self, number: int) -> None:
        x, y = self._cell(number) + self._lamp.x, _MIDDLE - self._lamp.y
        own = {"DIN": f"LED{number + 1}", "DOUT": f"LED{number + 2}"}
        nets = {"VDD": "5V", "VSS": "GND"} | own
        light = self._put(f"D{number + 1}", components.LIGHT, (x, y), nets, 180)
        feed, ground = light.where("VDD"), light.where("VSS")
        self._wire("5V", "F", feed, (feed.x, _FEED), width=0.6)
        above = ground.y - 1.8
        self._ground(ground, (ground.x, above), (x - 0.75, above))
        store = (x + 5.6, y)
        feed, ground = self._pair(f"C{number + 1}", components.DECOUPLING, store, ("5V", "GND"), 90)
        self._wire("5V", "F", feed, (feed.x, _FEED), width=0.6)
        above = ground.y - 1.65
        self._ground(ground, (ground.x, above), (x + 4.25, above))

    def _chain(self) -> None:
        """Lead the lights' data from light to light, and back to the plug."""
        near, far = (self._parts[name].where("LED") for name in ("J1", "J2"))
        at = (near.x, near.y + 2.8)
        start, end = self._pair("R10", components.SERIES, at, ("LED0", "LED1"))
        first = self._parts["D1"].where("DIN")
        above = near.y + 1.4
        self._wire("LED0", "F", near, (near.x, above), (start.x, above), start)
        self._wire("LED1", "F", end, (end.x, first.y), first)
        for number in range(1, CELLS):
            out = self._parts[f"D{number}"].where("DOUT")
            into = self._parts[f"D{number + 1}"].where("DIN")
            down = into.x - 1.55
            points = (out, (out.x, _CHAIN), (down, _CHAIN), (down, into.y), into)
            self._wire(f"LED{number + 1}", "F", *points)
        last, back = self._parts[f"D{CELLS}"].where("DOUT"), _lane(_BACK)
        self._wire(f"LED{CELLS + 1}", "F", last, (last.x, back), (far.x, back), far)

    def _feed(self) -> None:
        """Lead both supplies along all cells."""
        plug, last = self._parts["J1"], self._parts[f"C{CELLS}"].where("1")
        start = plug.where("5V")
        # Below the first light, its data and all that leads there: 3 A through four vias.
        self._wire("5V", "B", start, (start.x, _FEED), (start.x + 2.4, _FEED), width=1.6)
        for n in range(4):
            self._via("5V", start.x + 0.8 * n, _FEED)
        self._wire("5V", "F", (start.x, _FEED), (last.x, _FEED), width=1.6)
        at = (self._parts["C1"].at.x + 5.4, self._parts["C1"].at.y)
        feed, ground = self._pair("C10", components.BULK, at, ("5V", "GND"))
        self._wire("5V", "F", feed, (feed.x, _FEED), width=0.8)
        self._ground(ground, (ground.x + 1.4, ground.y))
        lane = _lane(_3V3)
        right = self._cell(CELLS - 1) + self._near
        self._wire("3V3", "F", (plug.where("3V3").x, lane), (right, lane))


def _lane(number: int) -> float:
    return _LANES + _LANE * number


def _contact(number: int) -> str:
    return f"CONTACT_{_LETTERS[number].upper()}"
