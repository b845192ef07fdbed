"""Puts a board together from its description: which parts, and which net at each of their pins.

Every chip has its supply, ground and capacitor; every input has a level at all times, also while
the controller starts or is unplugged; and no output moves more pins than `MOST_LOADS`.
"""

from __future__ import annotations

from itertools import count

from drivers.bus_speed import BANK, MOST_LOADS, banks
from drivers.description import BoardDescription, Leds, Reeds, TagReaders
from hardware.tools.netlist import GROUND, SUPPLIES, Component, Netlist, pinouts

REGISTER = 8
"""Contacts on one 74HC165."""
MCP_INPUTS = 14
"""Two of the MCP23017's sixteen pins must not be inputs (data sheet of 2022)."""
_GATES = 4
"""Buffers in one 74HC125."""


def chain_length(cells: int) -> int:
    """Return how many 74HC165 hold that many contacts."""
    return -(-cells // REGISTER)


def netlist(description: BoardDescription) -> Netlist:
    """Return everything that is wired on a board."""
    return _Board(description).made()


class _Board:
    """One board as it is put together."""

    def __init__(self, description: BoardDescription) -> None:
        self._description = description
        self._components: list[Component] = []
        self._numbers = {prefix: count(1) for prefix in "URC"}

    def made(self) -> Netlist:
        description = self._description
        self._supplies()
        if description.reeds:
            self._contacts(description.reeds)
        if description.tags:
            self._readers(description.tags)
        if description.leds:
            self._lights(description.leds)
        self._panel()
        self._components.insert(0, self._controller())
        return Netlist(tuple(self._components))

    # Placing parts.

    def _add(
        self, part: str, sheet: str, why: str, nets: dict[str, str], ref: str = "", at: str = ""
    ) -> str:
        """Place a part; pins that are not named are ground, open, or outputs nobody needs."""
        made = []
        for pin in pinouts()[part].pins:
            if pin.name in nets:
                made.append(nets[pin.name])
            elif pin.kind == "g":
                made.append(GROUND)
            elif pin.kind in "otxn":
                made.append("")
            else:
                raise KeyError(f"{part}: nothing leads to its pin {pin.name}")
        if not ref:
            prefix = {"resistor": "R", "capacitor": "C"}.get(part.partition("-")[0], "U")
            ref = f"{prefix}{next(self._numbers[prefix])}"
        self._components.append(Component(ref, part, sheet, tuple(made), why, at))
        return ref

    def _chip(self, part: str, sheet: str, why: str, supply: str, nets: dict[str, str]) -> str:
        """Place a chip with its supply and the capacitor at its supply pins."""
        pin = next(pin.name for pin in pinouts()[part].pins if pin.kind == "p")
        ref = self._add(part, sheet, why, nets | {pin: supply})
        both = {"1": supply, "2": GROUND}
        self._add("capacitor-100n", sheet, "one at the supply pins of every chip", both, at=ref)
        return ref

    def _resistor(self, sheet: str, why: str, ends: tuple[str, str], part: str = "10k") -> None:
        self._add(f"resistor-{part}", sheet, why, {"1": ends[0], "2": ends[1]})

    def _pull(self, net: str, to: str, sheet: str) -> None:
        """Give a line a level while nothing drives it."""
        self._resistor(sheet, "gives a line its level while nothing drives it", (net, to))

    def _buffers(
        self, part: str, sheet: str, why: str, supply: str, gates: list[tuple[str, str]]
    ) -> None:
        """Place as many 74x125 as these buffers, (from, to), need; spare gates are switched off."""
        for first in range(0, len(gates), _GATES):
            nets: dict[str, str] = {}
            for n in range(_GATES):
                used = gates[first + n : first + n + 1]
                for source, target in used or [(GROUND, "")]:
                    nets |= {f"{n + 1}A": source, f"{n + 1}Y": target}
                nets[f"{n + 1}OE"] = GROUND if used else supply
            self._chip(part, sheet, why, supply, nets)

    def _spread(self, sheet: str, supply: str, lines: list[str], ends: int) -> list[list[str]]:
        """Return for every end the nets that carry these lines to it, with buffers where needed."""
        if ends <= MOST_LOADS:
            return [lines] * ends
        groups = -(-ends // MOST_LOADS)
        copies = [[f"{line}-{'ABCDEF'[group]}" for line in lines] for group in range(groups)]
        gates = [(line, copy[n]) for n, line in enumerate(lines) for copy in copies]
        self._buffers("74hc125", sheet, "shares lines that lead to many", supply, gates)
        size = -(-ends // groups)
        return [copies[end // size] for end in range(ends)]

    def _numbered(self, pins: dict[str, int], name: str) -> list[str]:
        numbers = sorted(int(pin.removeprefix(name)) for pin in pins if pin.startswith(name))
        return [f"GP{pins[f'{name}{number}']}" for number in numbers]

    # What there is.

    def _supplies(self) -> None:
        description = self._description
        if description.controller == "pico":
            self._add("usb-cable", "supply", "from the Pi to the Pico", {"VBUS": "5V"}, "USB")
        if not description.tags and not (description.leds and description.leds.driver == "ws2812"):
            return
        why = "5 V for lights and readers"
        self._add("supply-5v4a", "supply", why, {"5V": "supply"}, "supply")
        nets = {"IN": "supply", "OUT": "LED"}
        self._add("fuse", "supply", "behind the supply of lights and readers", nets, "F1")
        if description.tags:
            nets = {"IN": "LED", "OUT": "readers"}
            self._add("regulator-3v3", "supply", "3.3 V for the readers", nets, "step-down")

    def _controller(self) -> Component:
        """Return the Pico, or the Pi, with all nets that lead to its pins."""
        part = "pi" if self._description.controller == "pi-header" else "pico"
        used = {net for component in self._components for net in component.nets}
        power = {"VBUS": "5V", "3V3": "3V3", "5V": "5V"}
        nets = []
        for pin in pinouts()[part].pins:
            net = GROUND if pin.kind == "g" else power.get(pin.name, pin.name)
            nets.append(net if pin.kind in "gp" or (pin.kind != "n" and net in used) else "")
        ref = part.capitalize()
        return Component(ref, part, "controller", tuple(nets), "scans the board")

    def _contacts(self, reeds: Reeds) -> None:
        {
            "74hc165": self._chain,
            "diode-matrix": self._matrix,
            "mcp23017": self._expanders,
        }[reeds.kind](reeds)

    def _reed(self, cell: str, ends: tuple[str, str]) -> None:
        self._add("reed", "reeds", "one a cell", {"1": ends[0], "2": ends[1]}, f"reed {cell}")

    def _chain(self, reeds: Reeds) -> None:
        cells = self._description.built
        chips = chain_length(len(cells))
        clock, load = (f"GP{reeds.pins[name]}" for name in ("clock", "load"))
        lines = self._spread("reeds", "3V3", [clock, load], chips)
        for chip, (clocked, loaded) in enumerate(lines):
            out = f"GP{reeds.pins['data']}" if chip == 0 else f"chain {chip}"
            into = f"chain {chip + 1}" if chip + 1 < chips else GROUND
            nets = {"PL": loaded, "CP": clocked, "CE": GROUND, "Q7": out, "DS": into}
            inputs = [*cells[chip * REGISTER :][:REGISTER]]
            spare = [f"spare {n + 1}" for n in range(REGISTER - len(inputs))]
            for bit, name in enumerate([*inputs, *spare]):
                nets[f"D{7 - bit}"] = name
                self._resistor("reeds", "pull-up of every input, used or not", (name, "3V3"))
            self._chip("74hc165", "reeds", "contacts of the cells, eight a chip", "3V3", nets)
            for cell in inputs:
                self._reed(cell, (cell, GROUND))

    def _matrix(self, reeds: Reeds) -> None:
        """Rows are pulled low one after the other; the columns' pull-ups are the controller's.

        Diodes keep three contacts from faking a fourth; where there is one row alone none can.
        """
        rows = self._numbered(reeds.pins, "row")
        columns = [f"GP{reeds.pins['column0'] + 7 - column}" for column in range(8)]
        for number, cell in enumerate(self._description.built[: 8 * len(rows)]):
            if len(rows) == 1:
                self._reed(cell, (columns[number], rows[0]))
                continue
            self._reed(cell, (columns[number % 8], cell))
            nets = {"A": cell, "K": rows[number // 8]}
            self._add("diode-1n4148", "reeds", "one a reed", nets, f"diode {cell}")

    def _expanders(self, reeds: Reeds) -> None:
        """The contacts' pull-ups are the expanders' own."""
        cells = self._description.built
        clock, data = (
            f"GP{reeds.pins.get(name, gpio)}" for name, gpio in (("clock", 3), ("data", 2))
        )
        for number, address in enumerate(reeds.addresses):
            nets = {f"A{bit}": "3V3" if address >> bit & 1 else GROUND for bit in range(3)}
            nets |= {"SCL": clock, "SDA": data, "RESET": "3V3"}
            for n, cell in enumerate(cells[number * MCP_INPUTS :][:MCP_INPUTS]):
                nets[f"GP{'AB'[n // 7]}{n % 7}"] = cell
                self._reed(cell, (cell, GROUND))
            self._chip("mcp23017", "reeds", "contacts of the cells", "3V3", nets)

    def _readers(self, tags: TagReaders) -> None:
        if "enable" in tags.pins:
            self._decoded(tags)
        else:
            self._direct(tags)

    def _reader(self, tags: TagReaders, number: int, nets: dict[str, str]) -> None:
        cells = self._description.built
        antenna = tags.multiplexing == "antenna"
        name = f"reader {number}" if antenna or number >= len(cells) else f"reader {cells[number]}"
        select = {"mfrc522": "NSS", "pn532": "SS"}[tags.kind]
        supply = {"mfrc522": "3V3", "pn532": "VCC"}[tags.kind]
        nets = nets | {select: nets["select"], supply: "readers"}
        known = {pin.name for pin in pinouts()[tags.kind].pins}
        nets = {pin: net for pin, net in nets.items() if pin in known}
        self._add(tags.kind, "readers", "readers" if antenna else "one a cell", nets, name)

    def _direct(self, tags: TagReaders) -> None:
        bus = {pin: f"GP{tags.pins[name]}" for pin, name in _BUS.items()}
        self._pull(bus["MISO"], "readers", "readers")
        for pin in ("SCK", "MOSI"):
            self._pull(bus[pin], GROUND, "readers")
        bus["RST"] = self._reset(tags)
        for number, select in enumerate(self._numbered(tags.pins, "select")[: tags.count]):
            self._pull(select, "readers", "readers")
            self._reader(tags, number, bus | {"select": select})
        both = {"+": "readers", "-": GROUND}
        for _ in range(banks(tags.count)):
            self._add("capacitor-10u", "readers", "one for eight readers", both)

    def _reset(self, tags: TagReaders) -> str:
        """Return the readers' reset line: low, and all of them asleep, until the Pico says else."""
        if "reset" not in tags.pins:
            return "readers"
        net = f"GP{tags.pins['reset']}"
        self._pull(net, GROUND, "readers")
        return net

    def _decoded(self, tags: TagReaders) -> None:
        number = banks(tags.count)
        clock, mosi, miso = (f"GP{tags.pins[name]}" for name in _BUS.values())
        address, enable = self._numbered(tags.pins, "address"), f"GP{tags.pins['enable']}"
        for line in (clock, mosi, *address):
            self._pull(line, GROUND, "readers")
        self._pull(enable, "readers", "readers")
        reset = self._reset(tags)
        nets = {f"A{n}": GROUND for n in range(4)}
        nets |= {f"A{n}": line for n, line in enumerate(address[3:])}
        nets |= {f"Y{n}": f"SELECT {n}" for n in range(number)} | {"E0": enable, "E1": GROUND}
        self._chip("74hc154", "readers", "chooses the bank", "readers", nets)
        spread = [clock, mosi, *address[:3], *([] if reset in SUPPLIES else [reset])]
        lines = self._spread("readers", "readers", spread, number)
        answers = self._gathered(miso, number)
        for bank, (carried, answer) in enumerate(zip(lines, answers, strict=True)):
            self._bank(tags, bank, [*carried, reset][:6], answer)

    def _gathered(self, miso: str, ends: int) -> list[str]:
        """Return the net on which each bank answers: two where one would hold too many outputs.

        A half whose banks all let go is pulled high, so that the gate passes the other one on.
        """
        if ends < MOST_LOADS + 1:
            self._pull(miso, "readers", "readers")
            return [miso] * ends
        halves = [f"{miso}-A", f"{miso}-B"]
        for half in halves:
            self._pull(half, "readers", "readers")
        nets = {f"{n}{pin}": GROUND for n in (2, 3, 4) for pin in "AB"}
        nets |= {"1A": halves[0], "1B": halves[1], "1Y": miso}
        self._chip("74hc08", "readers", "joins the answers of both halves", "readers", nets)
        size = -(-ends // 2)
        return [halves[end // size] for end in range(ends)]

    def _bank(self, tags: TagReaders, bank: int, lines: list[str], answer: str) -> None:
        """Place eight readers: decoder, buffer, and the levels of what the buffer lets go."""
        clock, mosi, *address, reset = lines
        select = f"SELECT {bank}"
        first = bank * BANK
        here = range(min(BANK, tags.count - first))
        nets = {f"A{n}": line for n, line in enumerate(address)}
        nets |= {"E1": select, "E2": select, "E3": "readers"}
        nets |= {f"Y{n}": f"NSS {first + n}" for n in here}
        self._chip("74hc138", "readers", "one a bank", "readers", nets)
        bus = {pin: f"{pin} {bank}" for pin in _BUS} | {"RST": f"RST {bank}"}
        nets = {"1A": clock, "1Y": bus["SCK"], "2A": mosi, "2Y": bus["MOSI"]}
        nets |= {"3A": bus["MISO"], "3Y": answer, "4A": reset, "4Y": bus["RST"]}
        nets |= {"1OE": select, "2OE": select, "3OE": select, "4OE": GROUND}
        ref = self._chip("74hc125", "readers", "one a bank", "readers", nets)
        for pin in _BUS:
            self._pull(bus[pin], GROUND, "readers")
        both = {"+": "readers", "-": GROUND}
        self._add("capacitor-10u", "readers", "one a bank of readers", both, at=ref)
        for n in here:
            self._reader(tags, first + n, bus | {"select": f"NSS {first + n}"})

    def _lights(self, leds: Leds) -> None:
        {"ws2812": self._ws2812, "max7219": self._max7219, "ht16k33": self._ht16k33}.get(
            leds.driver, lambda _: None
        )(leds)

    def _lamps(self) -> list[str]:
        """Return the name of every LED in the order of the chain."""
        described, per_cell = self._description, 1
        if described.leds:
            per_cell = described.leds.per_cell
        found: dict[int, str] = {}
        for cell, first in zip(described.built, described.led_positions, strict=True):
            if first is not None:
                for n in range(per_cell):
                    found[first + n] = f"LED {cell}" if per_cell == 1 else f"LED {cell}.{n + 1}"
        return [found[position] for position in sorted(found)]

    def _ws2812(self, leds: Leds) -> None:
        data = f"GP{leds.pins['data']}"
        self._pull(data, GROUND, "lights")
        why = "lifts the LED data line to 5 V"
        self._buffers("74ahct125", "lights", why, "LED", [(data, "LED data")])
        self._resistor("lights", "in the LED data line", ("LED data", "light 0"), "330")
        both = {"+": "LED", "-": GROUND}
        self._add("capacitor-1000u", "lights", "at the start of the LED chain", both)
        lamps = self._lamps()
        for n, name in enumerate(lamps):
            after = f"light {n + 1}" if n + 1 < len(lamps) else ""
            nets = {"VDD": "LED", "DIN": f"light {n}", "DOUT": after}
            self._add("ws2812", "lights", "lights of the cells", nets, name)

    def _max7219(self, leds: Leds) -> None:
        lines = [f"GP{leds.pins[name]}" for name in ("data", "clock", "select")]
        for line in lines:
            self._pull(line, GROUND, "lights")
        lifted = ["DIN", "CLK", "LOAD"]
        why = "lifts the lines to the MAX7219 to 5 V"
        self._buffers("74ahct125", "lights", why, "5V", list(zip(lines, lifted, strict=True)))
        lamps = self._lamps()
        chips = -(-len(lamps) // 64)
        for chip in range(chips):
            here = lamps[chip * 64 : chip * 64 + 64]
            nets = {"DIN": "DIN" if chip == 0 else f"DOUT {chip}", "CLK": "CLK", "LOAD": "LOAD"}
            nets |= {
                "DOUT": f"DOUT {chip + 1}" if chip + 1 < chips else "",
                "ISET": f"ISET {chip + 1}",
            }
            nets |= {f"DIG{n}": f"digit {chip + 1}.{n}" for n in range(-(-len(here) // 8))}
            nets |= {f"SEG{s}": f"segment {chip + 1}.{s}" for s in _SEGMENTS[: len(here)]}
            ref = self._chip("max7219", "lights", "64 LEDs a chip", "5V", nets)
            self._resistor("lights", "one a MAX7219", (f"ISET {chip + 1}", "5V"), "27k")
            both = {"+": "5V", "-": GROUND}
            self._add("capacitor-10u", "lights", "one a MAX7219", both, at=ref)
            for n, name in enumerate(here):
                digit, segment = (
                    f"digit {chip + 1}.{n // 8}",
                    f"segment {chip + 1}.{_SEGMENTS[n % 8]}",
                )
                self._add(
                    "led-single", "lights", "lights of the cells", {"A": segment, "K": digit}, name
                )

    def _ht16k33(self, leds: Leds) -> None:
        """LED n is output n % 16 of common line n // 16.

        At 5 V the chip takes for high what is above 3.5 V, and its board pulls the bus up to 5 V,
        which no pin of the controller bears: so a shifter with pull-ups to both sides is between.
        """
        lamps = self._lamps()[:128]
        lines = {"1": f"GP{leds.pins['clock']}", "2": f"GP{leds.pins['data']}"}
        lifted = {"LV": "3V3", "HV": "5V", "HV1": "SCL", "HV2": "SDA"}
        lifted |= {f"LV{n}": line for n, line in lines.items()}
        self._add("i2c-shifter", "lights", "between 3.3 V and the LED driver's 5 V", lifted)
        nets = {"SCL": "SCL", "SDA": "SDA", "VDD": "5V"}
        nets |= {f"A{n}": f"output {n}" for n in range(min(16, len(lamps)))}
        nets |= {f"C{n}": f"common {n}" for n in range(-(-len(lamps) // 16))}
        self._add("ht16k33", "lights", "128 LEDs a chip", nets, "LED driver")
        for n, name in enumerate(lamps):
            nets = {"A": f"output {n % 16}", "K": f"common {n // 16}"}
            self._add("led-single", "lights", "lights of the cells", nets, name)

    def _panel(self) -> None:
        """The buttons' pull-ups are the controller's own."""
        for button in self._description.buttons:
            if button.pin is not None:
                nets = {"1": f"GP{button.pin}", "2": GROUND}
                why = "buttons of the description"
                self._add("button", "panel", why, nets, f"button {button.name}")
        buzzer = self._description.buzzer
        if buzzer and buzzer.pin is not None:
            nets = {"1": f"GP{buzzer.pin}", "2": "buzzer"}
            self._add("buzzer", "panel", "sounds", nets, "buzzer")
            self._resistor("panel", "spares the pin the buzzer's edges", ("buzzer", GROUND), "100")


_BUS = {"SCK": "clock", "MOSI": "mosi", "MISO": "miso"}
"""A reader's pin -> what the description calls the line to it."""
_SEGMENTS = ("DP", "A", "B", "C", "D", "E", "F", "G")
"""The MAX7219's segments in the order of a byte's bits, highest first."""
