"""What the wires mean: which sensor, reader and light the controller finds where.

Followed from pin to pin as the chips pass it on, and held against the description, which is what
the firmware goes by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from drivers.description import BoardDescription, Leds, Reeds, TagReaders
from hardware.tools.netlist import GROUND, Component, Netlist

_SEGMENTS = ("DP", "A", "B", "C", "D", "E", "F", "G")
"""The MAX7219's segments in the order of a byte's bits, highest first."""
_SELECT = {"mfrc522": "NSS", "pn532": "SS"}
_WIRED = {"mfrc522": {"SCK": "clock", "MOSI": "mosi", "MISO": "miso", "RST": "reset"}}
_WIRED["pn532"] = {name: _WIRED["mfrc522"][name] for name in ("SCK", "MOSI", "MISO")}
_BUFFER = {"74hc125", "74ahct125"}


def misread(description: BoardDescription, wired: Netlist) -> Iterator[str]:
    """Yield a sentence for everything that lies elsewhere on the wires than in the description."""
    for component in wired.components:
        if component.part in {"pico", "pi"}:
            for pin, net in component.pins:
                if pin.name.startswith("GP") and net and net != pin.name:
                    yield f"{component.ref} {pin.name}: {net} hangs on it."
    follow = _Follow(wired)
    if description.reeds and description.reeds.kind == "74hc165":
        yield from follow.contacts(description, description.reeds)
    if description.tags and "enable" in description.tags.pins:
        yield from follow.readers(description, description.tags)
    if description.leds:
        yield from follow.lights(description, description.leds)


class _Follow:
    """One list of connections, followed."""

    def __init__(self, wired: Netlist) -> None:
        self._wired = wired

    def _on(self, net: str, part: str, pin: str) -> list[Component]:
        """Return the parts of a kind whose pin of that name hangs on a net."""
        return [end.component for end in self._wired.nets.get(net, ())
                if end.component.part == part and end.pin.name == pin]  # fmt: skip

    def _sources(self, net: str) -> Iterator[str]:
        """Yield a net and what is before it: through buffers, gates and the resistor in a line."""
        yield net
        for component, pin in self._wired.nets.get(net, ()):
            if component.part in _BUFFER and pin.name.endswith("Y"):
                yield from self._sources(component.net(f"{pin.name[0]}A"))
            elif component.part == "74hc08" and pin.name.endswith("Y"):
                for name in "AB":
                    yield from self._sources(component.net(f"{pin.name[0]}{name}"))
            elif component.part == "resistor-330":
                for other in component.nets:
                    if other != net and self._driven(other):
                        yield from self._sources(other)

    def _driven(self, net: str) -> bool:
        return any(end.pin.kind in "ot" for end in self._wired.nets.get(net, ()))

    def _leads(self, net: str, gpio: int) -> bool:
        return f"GP{gpio}" in self._sources(net)

    def contacts(self, description: BoardDescription, reeds: Reeds) -> Iterator[str]:
        """Follow the chain of registers from the controller's data pin."""
        net, found, seen = f"GP{reeds.pins['data']}", [], set[str]()
        while chips := [c for c in self._on(net, "74hc165", "Q7") if c.ref not in seen]:
            chip = chips[0]
            seen.add(chip.ref)
            for name, pin in (("clock", "CP"), ("load", "PL")):
                if not self._leads(chip.net(pin), reeds.pins[name]):
                    yield f"{chip.ref} (74hc165) {pin}: reeds.pins.{name} does not reach it."
            for bit in range(7, -1, -1):
                on = self._wired.nets.get(chip.net(f"D{bit}"), ())
                felt = [e.component.ref for e in on if e.component.part == "reed"]
                found.append(felt[0].removeprefix("reed ") if len(felt) == 1 else "")
            net = chip.net("DS")
            if net == GROUND:
                break
        yield from _compared("reeds", description.built, found[: len(description.built)])

    def readers(self, description: BoardDescription, tags: TagReaders) -> Iterator[str]:
        """Follow every reader's select line back to the decoders, and its bus to the pins."""
        found: dict[int, str] = {}
        address = [tags.pins[f"address{n}"] for n in range(3)]
        for reader in self._wired.components:
            if reader.part != tags.kind:
                continue
            number = self._chosen(reader.net(_SELECT[tags.kind]), address)
            cell = reader.ref.removeprefix("reader ")
            if number is None:
                yield f"{reader.ref} ({reader.part}) select: no decoder chooses it."
            elif number in found:
                yield f"{reader.ref} ({reader.part}) select: {found[number]} is chosen with it."
            else:
                found[number] = cell
            yield from self._bus(reader, tags)
        listed = [found.get(n, "") for n in range(len(description.built))]
        yield from _compared("tags", description.built, listed)

    def _chosen(self, net: str, address: list[int]) -> int | None:
        """Return the number at which a select line goes low."""
        for component, pin in self._wired.nets.get(net, ()):
            if component.part == "74hc138" and (line := re.fullmatch(r"Y(\d)", pin.name)):
                if not all(self._leads(component.net(f"A{n}"), address[n]) for n in range(3)):
                    return None
                for end in self._wired.nets.get(component.net("E1"), ()):
                    if end.component.part == "74hc154":
                        return 8 * int(end.pin.name.removeprefix("Y")) + int(line[1])
        return None

    def _bus(self, reader: Component, tags: TagReaders) -> Iterator[str]:
        """Say which line of a reader's bus does not come from its pin."""
        answers = set(self._sources(f"GP{tags.pins['miso']}"))
        for pin, name in _WIRED[tags.kind].items():
            if name not in tags.pins:
                continue
            net, gpio = reader.net(pin), tags.pins[name]
            there = net in answers if pin == "MISO" else self._leads(net, gpio)
            if not there:
                yield f"{reader.ref} ({reader.part}) {pin}: tags.pins.{name} does not reach it."

    def lights(self, description: BoardDescription, leds: Leds) -> Iterator[str]:
        """Follow the chain of lights, or the lines of their driver."""
        lit = {at + n: cell for cell, at in zip(description.built, description.led_positions,
                                               strict=True)
               if at is not None for n in range(leds.per_cell)}  # fmt: skip
        expected = [lit[n] for n in sorted(lit)]
        if leds.driver == "ws2812":
            yield from _compared("leds", expected, self._chain(leds.pins["data"]))
        elif leds.driver == "max7219":
            yield from _compared("leds", expected, self._digits(leds, len(expected)))

    def _chain(self, gpio: int) -> list[str]:
        first = [c for c in self._wired.components
                 if c.part == "ws2812" and self._leads(c.net("DIN"), gpio)]  # fmt: skip
        found: list[str] = []
        waiting = first
        while waiting and len(found) <= len(self._wired.components):
            lamp = waiting[0]
            found.append(_cell(lamp) if len(waiting) == 1 else "")
            waiting = self._on(lamp.net("DOUT"), "ws2812", "DIN")
        return found

    def _digits(self, leds: Leds, many: int) -> list[str]:
        """Return the light at every bit of every digit, chip after chip."""
        found: list[str] = []
        chips = [c for c in self._wired.components if c.part == "max7219"]
        chain = [c for c in chips if self._leads(c.net("DIN"), leds.pins["data"])]
        while chain:
            chip = chain[0]
            for digit in range(8):
                for segment in _SEGMENTS:
                    low, high = chip.net(f"DIG{digit}"), chip.net(f"SEG{segment}")
                    lamps = [c for c in self._on(low, "led-single", "K") if c.net("A") == high]
                    found.append(_cell(lamps[0]) if low and high and len(lamps) == 1 else "")
            net = chip.net("DOUT")
            chain = self._on(net, "max7219", "DIN") if net else []
        return found[:many]


def _cell(lamp: Component) -> str:
    return lamp.ref.removeprefix("LED ").partition(".")[0]


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
