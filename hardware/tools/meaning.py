"""What the wires mean: which sensor, reader, light and button the controller finds where.

Followed from pin to pin as the chips pass it on, and held against the description, which is what
the firmware goes by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from drivers.description import BoardDescription, Leds, Reeds, TagReaders
from hardware.tools.logic import Levels, follows
from hardware.tools.netlist import GROUND, Component, Netlist
from hardware.tools.pins import pin_uses

_SEGMENTS = ("DP", "A", "B", "C", "D", "E", "F", "G")
"""The MAX7219's segments in the order of a byte's bits, highest first."""
_SELECT = {"mfrc522": "NSS", "pn532": "SS"}
_OUTPUTS, _EXPANDED = 16, 7
"""Outputs of an HT16K33, and inputs on each side of an MCP23017."""


def misread(description: BoardDescription, wired: Netlist) -> Iterator[str]:
    """Yield a sentence for everything that lies elsewhere on the wires than in the description."""
    used = {f"GP{use.gpio}" for use in pin_uses(description) if use.name != "idle"}
    for component in wired.components:
        if component.part in {"pico", "pi"}:
            for pin, net in component.pins:
                own = {pin.name} if pin.name in used else {pin.name, ""}
                if pin.name.startswith("GP") and net not in own:
                    yield f"{component.ref} {pin.name}: {net or 'nothing'} hangs on it."
    follow = _Follow(description, wired)
    if description.reeds:
        yield from follow.contacts(description.reeds)
    if description.tags:
        yield from follow.readers(description.tags)
    if description.leds:
        yield from follow.lights(description.leds)
    yield from follow.panel()


class _Follow:
    """One list of connections, followed."""

    def __init__(self, description: BoardDescription, wired: Netlist) -> None:
        self._description = description
        self._wired = wired

    def _on(self, net: str, part: str, pin: str = "") -> list[Component]:
        """Return the parts of a kind of which that pin, or any, hangs on a net."""
        return [end.component for end in self._wired.nets.get(net, ())
                if end.component.part == part and pin in ("", end.pin.name)]  # fmt: skip

    def _parts(self, part: str) -> list[Component]:
        return [component for component in self._wired.components if component.part == part]

    def _lost(self, section: str, chips: list[Component], pins: dict[str, str]) -> Iterator[str]:
        """Say which pin of these chips does not follow the controller's pin for it."""
        named = getattr(self._description, section).pins
        for name, pin in pins.items():
            for chip in chips if name in named else ():
                if not follows(self._wired, chip.net(pin), f"GP{named[name]}"):
                    where = f"{chip.ref} ({chip.part}) {pin}"
                    yield f"{where}: {section}.pins.{name} does not reach it."

    def contacts(self, reeds: Reeds) -> Iterator[str]:
        """Follow the contacts from the controller's pins to the reeds."""
        found = {"74hc165": self._shifted, "mcp23017": self._expanded, "diode-matrix": self._matrix}
        if reeds.kind == "74hc165":
            chips = self._parts("74hc165")
            yield from self._lost("reeds", chips, {"clock": "CP", "load": "PL"})
            if not any(chip.net("DS") == GROUND for chip in chips):
                yield "reeds: the last register's DS has to be at ground; the chain is known by it."
        for chip in self._parts("mcp23017"):
            for name, pin, gpio in (("clock", "SCL", 3), ("data", "SDA", 2)):
                if chip.net(pin) != f"GP{reeds.pins.get(name, gpio)}":
                    yield f"{chip.ref} (mcp23017) {pin}: reeds.pins.{name} does not reach it."
        built = self._description.built
        yield from _compared("reeds", built, found[reeds.kind](reeds)[: len(built)])

    def _felt(self, net: str, far: str = GROUND) -> str:
        """Return the cell whose reed leads a net to another one; empty where none or two do."""
        reeds = [reed for reed in self._on(net, "reed") if net and far in reed.nets]
        return reeds[0].ref.removeprefix("reed ") if len(reeds) == 1 else ""

    def _shifted(self, reeds: Reeds) -> list[str]:
        net, found, seen = f"GP{reeds.pins['data']}", [], set[str]()
        while chips := [c for c in self._on(net, "74hc165", "Q7") if c.ref not in seen]:
            seen.add(chips[0].ref)
            found += [self._felt(chips[0].net(f"D{bit}")) for bit in range(7, -1, -1)]
            net = chips[0].net("DS")
        return found

    def _expanded(self, reeds: Reeds) -> list[str]:
        found = []
        for address in reeds.addresses:
            bits = {f"A{bit}": bool(address >> bit & 1) for bit in range(3)}
            levels = Levels(self._wired, {})
            chips = [
                chip
                for chip in self._parts("mcp23017")
                if all(levels[chip.net(pin)] is high for pin, high in bits.items())
            ]
            found += [
                self._felt(chips[0].net(f"GP{side}{n}")) if len(chips) == 1 else ""
                for side in "AB"
                for n in range(_EXPANDED)
            ]
        return found

    def _matrix(self, reeds: Reeds) -> list[str]:
        found = []
        for row in range(sum(pin.startswith("row") for pin in reeds.pins)):
            low = f"GP{reeds.pins[f'row{row}']}"
            ends = [d.net("A") for d in self._on(low, "diode-1n4148", "K")] or [low]
            for column in range(7, -1, -1):
                net = f"GP{reeds.pins['column0'] + column}"
                found.append("".join(self._felt(net, end) for end in ends))
        return found

    def readers(self, tags: TagReaders) -> Iterator[str]:
        """Choose every reader by the pins that choose it, and follow its bus from there."""
        readers, pins = self._parts(tags.kind), tags.pins
        select, has = _SELECT[tags.kind], {pin.name for pin, _ in readers[0].pins}
        lines = {name: pin for pin, name in _BUS.items() if pin in has}
        selects = [(reader, reader.net(select)) for reader in readers]
        answered: list[str] = []
        for number in range(tags.count):
            driven = _choosing(tags, number)
            levels = Levels(self._wired, driven)
            chosen = [reader for reader, line in selects if levels[line] is False]
            answered.append(_cell(chosen[0]) if len(chosen) == 1 else "")
            busy = Levels(
                self._wired, driven | {f"GP{pins[name]}": True for name in ("clock", "mosi")}
            )
            for reader in chosen:
                if busy[reader.net(select)] is not False:
                    yield f"{reader.ref} ({reader.part}) {select}: is let go while it is spoken to."
                for name, pin in lines.items():
                    near, far = reader.net(pin), f"GP{pins.get(name, '')}"
                    here, there = (near, far) if name == "miso" else (far, near)
                    if name in pins and not follows(self._wired, there, here, driven):
                        where = f"{reader.ref} ({reader.part}) {pin}"
                        yield f"{where}: tags.pins.{name} does not reach it."
        antenna = tags.multiplexing == "antenna"
        built = map(str, range(tags.count)) if antenna else self._description.built
        yield from _compared("tags", built, answered)

    def lights(self, leds: Leds) -> Iterator[str]:
        """Follow the chain of lights, or the lines of their driver."""
        built, at = self._description.built, self._description.led_positions
        lit = {start + n: cell for cell, start in zip(built, at, strict=True)
               if start is not None for n in range(leds.per_cell)}  # fmt: skip
        expected = [lit[n] for n in sorted(lit)]
        if leds.driver == "ws2812":
            yield from _compared("leds", expected, self._chain(leds.pins["data"]))
        elif leds.driver == "max7219":
            chips = self._parts("max7219")
            yield from self._lost("leds", chips, {"clock": "CLK", "select": "LOAD"})
            yield from _compared("leds", expected, self._digits(leds)[: len(expected)])
        elif leds.driver == "ht16k33":
            found = [
                self._lamp(chip.net(f"C{n // _OUTPUTS}"), chip.net(f"A{n % _OUTPUTS}"))
                for chip in self._parts("ht16k33")
                for n in range(len(expected))
            ]
            yield from _compared("leds", expected, found)

    def _lamp(self, low: str, high: str) -> str:
        lamps = [c for c in self._on(low, "led-single", "K") if c.net("A") == high]
        return _cell(lamps[0]) if low and high and len(lamps) == 1 else ""

    def _chain(self, gpio: int) -> list[str]:
        waiting = [lamp for lamp in self._parts("ws2812")
                   if follows(self._wired, lamp.net("DIN"), f"GP{gpio}")]  # fmt: skip
        found: list[str] = []
        while waiting and len(found) <= len(self._wired.components):
            found.append(_cell(waiting[0]) if len(waiting) == 1 else "")
            waiting = self._on(waiting[0].net("DOUT"), "ws2812", "DIN")
        return found

    def _digits(self, leds: Leds) -> list[str]:
        """Return the light at every bit of every digit, chip after chip."""
        found: list[str] = []
        data = f"GP{leds.pins['data']}"
        chain = [chip for chip in self._parts("max7219")
                 if follows(self._wired, chip.net("DIN"), data)]  # fmt: skip
        while chain and len(found) <= len(self._wired.components):
            chip = chain[0]
            found += [
                self._lamp(chip.net(f"DIG{digit}"), chip.net(f"SEG{segment}"))
                for digit in range(8)
                for segment in _SEGMENTS
            ]
            chain = self._on(chip.net("DOUT"), "max7219", "DIN")
        return found

    def panel(self) -> Iterator[str]:
        """Follow buttons and buzzer."""
        wanted = {f"button {b.name}": b.pin for b in self._description.buttons}
        wanted |= {"buzzer": self._description.buzzer.pin} if self._description.buzzer else {}
        for part in (*self._parts("button"), *self._parts("buzzer")):
            if f"GP{wanted.get(part.ref)}" not in part.nets:
                yield f"{part.ref}: is not at GP{wanted.get(part.ref)}, its pin."
            elif part.part == "button" and GROUND not in part.nets:
                yield f"{part.ref}: does not lead to ground."


_BUS = {"SCK": "clock", "MOSI": "mosi", "MISO": "miso", "RST": "reset"}


def _choosing(tags: TagReaders, number: int) -> dict[str, bool]:
    """Return the levels of the pins that choose a reader; the others of the bus are at rest."""
    pins = tags.pins
    levels = {name: bool(number >> int(name.removeprefix("address")) & 1)
              for name in pins if name.startswith("address")}  # fmt: skip
    levels |= {name: name != f"select{number}" for name in pins if name.startswith("select")}
    return {f"GP{pins[name]}": level for name, level in (levels | {"enable": False}).items()
            if name in pins}  # fmt: skip


def _cell(part: Component) -> str:
    return part.ref.removeprefix("LED ").removeprefix("reader ").partition(".")[0]


def _compared(section: str, expected: Iterable[str], found: list[str]) -> Iterator[str]:
    """Say where the first difference is."""
    wanted = list(expected)
    for number, cell in enumerate(wanted):
        there = found[number] if number < len(found) else ""
        if there != cell:
            yield f"{section}: number {number} is {cell}, and on the wires {there or 'nothing'}."
            return
    if len(found) > len(wanted):
        yield f"{section}: {len(found)} are on the wires, {len(wanted)} in the description."
