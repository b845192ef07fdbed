"""What can be known to be wrong with a board before anything is soldered."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from drivers.bus_speed import MOST_LOADS, banks, buses
from drivers.claims import broken_claims
from drivers.description import BoardDescription
from drivers.gpio_board.header import CHIP_SELECTS
from drivers.pico.image import READABLE
from hardware.tools import magnetics
from hardware.tools.circuits import MCP_INPUTS, netlist
from hardware.tools.layout import misfits
from hardware.tools.lengths import too_far
from hardware.tools.pins import PinUse, controller, pin_uses
from hardware.tools.trade import broken

I2C_RANGES = {"mcp23017": range(0x20, 0x28), "ht16k33": range(0x70, 0x78)}
_NEEDED = {
    "74hc165": {"clock", "data", "load", "idle"},
    "mfrc522": {"clock", "mosi", "miso"},
    "pn532": {"clock", "mosi", "miso"},
    "ws2812": {"data"},
    "max7219": {"clock", "data", "select", "idle"},
    "ht16k33": {"clock", "data"},
}
_OPTIONAL = {
    "74hc165": {"idle"},
    "max7219": {"idle"},
    "mcp23017": {"clock", "data"},
    "mfrc522": {"reset", "enable"},
    "pn532": {"reset", "enable"},
    "diode-matrix": {"column0"},
}
_NUMBERED = {
    "diode-matrix": {"row"},
    "mfrc522": {"address", "select", "antenna"},
    "pn532": {"address", "select", "antenna"},
}
"""Pins of which there are several: `row0`, `row1`, ... without a gap."""
SCANS = {
    ("pico", "74hc165"): 600,
    ("pico", "diode-matrix"): 600,
    ("pi-header", "74hc165"): 600,
    ("pi-header", "diode-matrix"): 100,
}
"""Controller and kind of contacts -> samples a second that may be asked for."""
_KERNEL = {0: "the HAT's memory", 1: "the HAT's memory", 14: "the console", 15: "the console"}
"""What Linux does with these pins of the header unless it is told otherwise."""
_CHIP_SELECTS = {clock: set(pins) for clock, (_, pins) in CHIP_SELECTS.items()}
"""Clock of an SPI bus of the header -> the pins that Linux moves itself, one a part on that bus."""
_SPI_BUSES = ({11, 9, 10}, {21, 19, 20})
_SPI_PLACE = {"miso": 0, "clock": 2, "mosi": 3}
"""What a pin can be within an SPI block: its number modulo four (RP2040 data sheet)."""


def problems(description: BoardDescription) -> tuple[str, ...]:
    """Return everything that is wrong with a board's wiring, each as a sentence; empty is well."""
    found = [*broken_claims(description), *_mechanics(description)]
    if description.controller in {"pico", "pi-header"}:
        found += [*_panel(description), *_pace(description)]
        if misnamed := tuple(_names(description)):
            return (*found, *misnamed)  # the pins that the other checks look at may be missing
    found += [*_pins(description), *_buses(description)]
    if description.controller == "pico":
        found += _pico(description)
    if description.controller == "pi-header":
        found += _pi(description)
    if description.controller in {"pico", "pi-header"} and not found:  # else it cannot be wired
        found += broken(description, netlist(description))
        found += too_far(description)
    found += _levels(description)
    return tuple(found)


def _mechanics(description: BoardDescription) -> Iterator[str]:
    yield from misfits(description)
    if description.reeds is None:
        return
    reed = magnetics.reed(description.mechanics, description.tier)
    if reed.felt < magnetics.FELT_SHARE:
        yield (
            f"mechanics: {reed.felt:.0%} of the pieces are felt, as hands put them; take a wider "
            "or higher magnet (magnet_mm, magnet_height_mm), a thinner top (top_mm), or lay the "
            "reeds elsewhere (reed_offset_mm)."
        )
    if reed.held >= 1:
        yield (
            f"mechanics: pieces on all neighbours, one of them {magnetics.OFF_MM:g} mm off its "
            "middle, may hold a cell's reed closed; take a smaller magnet (magnet_mm, "
            "magnet_height_mm) or larger cells (cell_mm)."
        )


def _names(description: BoardDescription) -> Iterator[str]:
    for section, kind, pins in _parts(description):
        numbers: dict[str, set[int]] = defaultdict(set)
        for name in pins:
            many = re.fullmatch(r"([a-z]+)(\d+)", name)
            if many and many[1] in _NUMBERED.get(kind, set()):
                numbers[many[1]].add(int(many[2]))
            elif name not in _NEEDED.get(kind, set()) | _OPTIONAL.get(kind, set()):
                yield f"{section}.pins.{name}: a {kind} has no such pin; is it misspelt?"
        for name, found in numbers.items():
            for gap in sorted(set(range(max(found))) - found):
                yield f"{section}.pins: there is {name}{max(found)}, but no {name}{gap}."
        for missing in sorted(_needed(description, kind) - set(pins)):
            yield f"{section}.pins: {kind} needs a pin called {missing}."


def _panel(description: BoardDescription) -> Iterator[str]:
    for button in description.buttons:
        if button.pin is None:
            yield f"button.{button.name}: no pin is named."
    if description.buzzer and description.buzzer.pin is None:
        yield "buzzer: no pin is named."


def _pace(description: BoardDescription) -> Iterator[str]:
    reeds = description.reeds
    if reeds is None:
        return
    if description.controller == "pico" and reeds.kind not in READABLE:
        yield f"reeds.kind: a Pico reads {' or '.join(READABLE)}, not {reeds.kind}."
    most = SCANS.get((description.controller, reeds.kind), reeds.scan_hz)
    if reeds.scan_hz > most:
        yield f"reeds.scan_hz: {reeds.scan_hz} samples a second are more than the {most} reached."
    if slow := too_slow(description):
        yield slow


def _pins(description: BoardDescription) -> Iterator[str]:
    made = controller(description)
    users: dict[int, list[PinUse]] = defaultdict(list)
    for use in pin_uses(description):
        users[use.gpio].append(use)
    for gpio, uses in users.items():
        if gpio not in made.legs:
            where = f"{uses[0].section}.{uses[0].name}"
            yield f"GPIO {gpio} ({where}) does not reach a leg of the {made.name}."
        if len(uses) > 1 and not _shared(description, uses):
            names = ", ".join(f"{use.section}.{use.name}" for use in uses)
            yield f"GPIO {gpio} is used {len(uses)} times: {names}."


def _shared(description: BoardDescription, uses: list[PinUse]) -> bool:
    """On the Pi, clock and data of one bus serve several parts, each with a select of its own."""
    return description.controller == "pi-header" and all(
        use.peripheral in {"SPI", "I2C"} for use in uses
    )


def _needed(description: BoardDescription, kind: str) -> set[str]:
    """Return the pins that must be named: Linux keeps a bus's idle pin busy by itself."""
    needed = _NEEDED.get(kind, set())
    return needed - {"idle"} if description.controller == "pi-header" else needed


def _pi(description: BoardDescription) -> Iterator[str]:
    """The header's buses lie on fixed pins (Raspberry Pi documentation)."""
    for section, kind, pins in _parts(description):
        expected: dict[str, set[int]] = {}
        if kind == "74hc165":
            expected = {"clock": {11, 21}, "data": {9, 19}}
        elif kind in {"max7219", "mfrc522", "pn532"}:
            expected = {"clock": {11, 21}, "data": {10, 20}, "mosi": {10, 20}, "miso": {9, 19}}
        elif kind == "ws2812":
            expected = {"data": {10, 20}}
        elif kind in {"ht16k33", "mcp23017"}:
            expected = {"clock": {3}, "data": {2}}
        for name, possible in expected.items():
            if name in pins and pins[name] not in possible:
                choices = " or ".join(str(gpio) for gpio in sorted(possible))
                yield f"{section}.pins.{name}: on the Pi this is GPIO {choices}, not {pins[name]}."
        used = {pins[name] for name in expected if name in pins}
        if any(used & bus for bus in _SPI_BUSES) and not any(used <= bus for bus in _SPI_BUSES):
            yield f"{section}.pins: GPIO {', '.join(map(str, sorted(used)))} are of two SPI buses."
    yield from _owned_by_kernel(description)


def _owned_by_kernel(description: BoardDescription) -> Iterator[str]:
    """Say which pins Linux would move, or not let go of, whatever the board wants of them."""
    selected = {
        (section, "select"): _CHIP_SELECTS.get(pins.get("clock", 0), set())
        for section, _, pins in _parts(description)
    }
    clocks = {use.gpio for use in pin_uses(description)} & _CHIP_SELECTS.keys()
    moved = set().union(*(_CHIP_SELECTS[clock] for clock in clocks))
    for use in pin_uses(description):
        if use.gpio in _KERNEL:
            yield f"GPIO {use.gpio} ({use.section}.{use.name}) belongs to {_KERNEL[use.gpio]}."
        elif use.gpio in moved and use.gpio not in selected.get((use.section, use.name), set()):
            yield f"GPIO {use.gpio} ({use.section}.{use.name}) is moved by the kernel's SPI driver."


def _parts(description: BoardDescription) -> Iterator[tuple[str, str, dict[str, int]]]:
    if description.reeds:
        yield "reeds", description.reeds.kind, description.reeds.pins
    if description.tags:
        yield "tags", description.tags.kind, description.tags.pins
    if description.leds:
        yield "leds", description.leds.driver, description.leds.pins


def _pico(description: BoardDescription) -> Iterator[str]:
    owner: dict[tuple[str, int], str] = {}
    for section, kind, pins in _parts(description):
        if kind in {"74hc165", "max7219", "mfrc522", "pn532"}:
            block = ("SPI", pins.get("clock", 0) >> 3 & 1)
            yield from _spi(section, kind, pins, block[1])
        elif kind == "ht16k33":
            block = ("I2C", pins.get("clock", 0) >> 1 & 1)
            yield from _i2c(pins)
        else:
            continue
        if block in owner:
            yield f"{owner[block]} and {section} both use {block[0]} block {block[1]}."
        owner[block] = section
    yield from _matrix(description)
    yield from _selection(description)


def _spi(section: str, kind: str, pins: dict[str, int], block: int) -> Iterator[str]:
    names = {"clock": "clock", "miso": "miso", "mosi": "mosi"}
    if kind == "74hc165":
        names = {"clock": "clock", "miso": "data", "mosi": "idle"}
    if kind == "max7219":
        names = {"clock": "clock", "miso": "idle", "mosi": "data"}
    for role, name in names.items():
        if name not in pins:
            continue
        gpio = pins[name]
        if gpio >> 3 & 1 != block or gpio & 3 != _SPI_PLACE[role]:
            yield f"{section}.pins.{name}: GPIO {gpio} cannot be {role} of SPI block {block}."


def _i2c(pins: dict[str, int]) -> Iterator[str]:
    clock, data = pins.get("clock", 1), pins.get("data", 0)
    if not clock & 1 or data & 1 or clock >> 1 & 1 != data >> 1 & 1:
        yield f"leds.pins: GPIO {clock} and {data} are not clock and data of one I2C block."


def _matrix(description: BoardDescription) -> Iterator[str]:
    reeds = description.reeds
    if reeds and reeds.kind == "diode-matrix":
        rows = sum(name.startswith("row") for name in reeds.pins)
        needed = -(-len(description.built) // 8)
        if rows != needed:
            yield f"reeds.pins: {needed} rows of eight are needed, {rows} are named."
        if "column0" not in reeds.pins:
            yield "reeds.pins: the lowest of the eight columns, column0, is missing."


def _selection(description: BoardDescription) -> Iterator[str]:
    tags = description.tags
    if tags is None:
        return
    cells = len(description.built)
    count = {
        name: sum(pin.startswith(name) for pin in tags.pins)
        for name in ("address", "select", "antenna")
    }
    if "enable" in tags.pins:
        reach, needed = 1 << count["address"], max(3, (tags.count - 1).bit_length())
        exact = count["address"] == needed
    else:
        reach, exact = count["select"], count["select"] == tags.count
    if not exact:
        yield f"tags.pins: {reach} readers can be chosen, {tags.count} are there."
    if tags.multiplexing == "antenna":
        reachable = tags.count << count["antenna"]
        if reachable < cells:
            yield f"tags.pins: {reachable} antennas can be reached, {cells} cells have one."
    elif tags.count != cells:
        yield f"tags.count: {cells} cells need a reader each, {tags.count} are there."


def _buses(description: BoardDescription) -> Iterator[str]:
    taken: dict[int, str] = {}
    addresses: list[tuple[str, str, int]] = []
    if description.reeds and description.reeds.kind == "mcp23017":
        addresses += [("reeds.addresses", "mcp23017", n) for n in description.reeds.addresses]
        room = MCP_INPUTS * len(description.reeds.addresses)
        if not room - MCP_INPUTS < len(description.built) <= room:
            yield f"reeds.addresses: room for {room} contacts, {len(description.built)} are there."
    if description.leds and description.leds.driver == "ht16k33":
        addresses.append(("leds.address", "ht16k33", description.leds.address or 0))
    for key, kind, address in addresses:
        possible = I2C_RANGES[kind]
        if address not in possible:
            yield (
                f"{key}: {address:#04x} is no address of a {kind}; "
                f"{possible[0]:#04x} to {possible[-1]:#04x} are."
            )
        if address in taken:
            yield f"{key}: I2C address {address:#04x} is that of another part, in {taken[address]}."
        taken[address] = key
    tags = description.tags
    if tags and tags.count > MOST_LOADS:
        if "enable" not in tags.pins:
            yield f"tags: {tags.count} readers on one unbuffered bus; {MOST_LOADS} are the most."
        elif banks(tags.count) > 16:
            yield f"tags: {banks(tags.count)} banks, a 74HC154 chooses among sixteen."


def _levels(description: BoardDescription) -> Iterator[str]:
    """Everything the Pico reads must end at 3.3 V; what it drives at 5 V needs a shifter."""
    if description.controller != "pico" or description.leds is None:
        return
    leds = description.leds
    if leds.driver == "ws2812" and not leds.limit_ma:
        lit = sum(leds.per_cell for position in description.led_positions if position is not None)
        full = lit * 60 * leds.brightness
        if full > 500:
            yield f"leds: up to {full:.0f} mA and no limit_ma that keeps the supply safe."


_SHARE = 0.75
"""Of a bus's time, what samples and lights may take."""
_READ_BITS, _FRAME_BITS = 9 * 11 + 4, 9 * 18 + 2
"""To read one MCP23017, registers and set-up; and to write one frame to an HT16K33."""
_FRAMES_HZ = 50
"""How often a second lights are painted (`boardware.lights`)."""


def too_slow(description: BoardDescription) -> str:
    """Say why the I2C bus cannot carry as many samples as are asked for; empty where it can."""
    reeds, leds = description.reeds, description.leds
    if reeds is None or reeds.kind != "mcp23017":
        return ""
    hz = buses(description)["mcp23017"].hz
    lights = _FRAMES_HZ * _FRAME_BITS * (leds is not None and leds.driver == "ht16k33")
    a_sample = max(1, len(reeds.addresses)) * _READ_BITS
    most = int((_SHARE * hz - lights) / a_sample)
    if reeds.scan_hz <= most:
        return ""
    return (
        f"reeds.scan_hz: a sample is {a_sample} bits on an I2C bus of {hz // 1000} kHz"
        f"{', which the lights share' if lights else ''}; {most} a second are the most."
    )
