"""A second witness for every table of pins: KiCad's own symbols, or for modules another's table."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hardware.tools.netlist import Pin, Pinout, pinouts
from hardware.tools.pcb import components
from hardware.tools.pins import PI, PICO

SYMBOLS = Path("/usr/share/kicad/symbols")
IN_KICAD = {
    "74hc165": "74xx:74HC165",
    "74hc138": "74xx:74LS138",
    "74hc154": "74xx:74LS154",
    "74hc125": "74xx:74LS125",
    "74ahct125": "74xx:74LVC125",
    "74hc08": "74xx:74LS08",
    "mcp23017": "Interface_Expansion:MCP23017_SP",
    "max7219": "Driver_LED:MAX7219",
    "ws2812": "LED:WS2812B",
    "led-single": "Device:LED",
    "diode-1n4148": "Device:D",
    "pi": "Connector:Raspberry_Pi_2_3",
}
ON_MODULES = {
    # The Pico's data sheet, figure 2, as KiCad-RP-Pico draws it.
    "pico": "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 "
    "GP15 GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 VREF 3V3 3V3_EN GND "
    "VSYS VBUS",
    # The print on the common RC522 boards, whose NSS is called SDA: sprietNathanael/RFID-RC522.
    "mfrc522": "NSS SCK MOSI MISO IRQ GND RST 3V3",
    # Elechouse's manual of the PN532 NFC RFID module V3: the row of eight, for SPI.
    "pn532": "SCK MISO MOSI SS VCC GND IRQ RSTO",
}
OTHERWISE = {  # part: what KiCad calls a pin, and what its maker does
    "74hc138": (r"^O(\d)$", r"Y\1"),
    "74hc154": (r"^S(\d+)$", r"Y\1"),
    "74hc165": (r"^~{(PL|CE)}$|^~{Q7}$", lambda found: found[1] or "Q7n"),
    "mcp23017": (r"^SCK$|^~{RESET}$", lambda found: {"S": "SCL"}.get(found[0][0], "RESET")),
    "max7219": (r"_", ""),
    "pi": (r"^.*?GPIO(\d+).*$", r"GP\1"),
}
KINDS = {"input": "i", "output": "ot", "tri_state": "to", "no_connect": "n"}


@cache
def symbol(name):
    """Number -> (name, kind) of every pin of a symbol, as it is usually drawn."""
    library, _, name = name.partition(":")
    text = (SYMBOLS / f"{library}.kicad_sym").read_text(encoding="utf-8")
    (body,) = re.findall(
        rf'^  \(symbol "{re.escape(name)}" (.*?)^  \)', text, re.DOTALL | re.MULTILINE
    )
    if parent := re.search(r'\(extends "(.*?)"\)', body):
        return symbol(f"{library}:{parent[1]}")
    found = {}
    _, *units = re.split(rf'\(symbol "{re.escape(name)}_(\d+)_(\d)"', body)
    for unit, style, drawn in zip(units[::3], units[1::3], units[2::3], strict=True):
        if style != "2":  # the other way to draw a gate
            pins = re.findall(
                r'\(pin (\w+) (\w+) .*?\(name "(.*?)".*?\(number "(\d+)"', drawn, re.DOTALL
            )
            found |= {int(n): (named, kind) for n, named, kind in in_words(unit, pins)}
    return found


def in_words(unit, pins):
    """Name the pins of a gate, which KiCad leaves without: 1A, 1B, 1OE, 1Y."""
    inputs = iter("AB")
    for kind, shape, name, number in sorted(pins, key=lambda pin: int(pin[-1])):
        if name != "~":
            yield number, name, kind
        elif kind != "input":
            yield number, f"{unit}Y", kind
        else:
            yield number, f"{unit}{'OE' if shape == 'inverted' else next(inputs)}", kind


def quarrels(part, pinout):
    """Where a table of pins and KiCad's symbol differ."""
    pattern, instead = OTHERWISE.get(part, ("$^", ""))
    theirs = symbol(IN_KICAD[part])
    for pin in pinout.pins:
        called, kind = theirs[pin.number]
        if re.sub(pattern, instead, called) != pin.name:
            yield f"{part} {pin.number}: {pin.name} here, {called} in KiCad"
        # What a Pi's header gives, KiCad takes; wires that go either way say nothing.
        if pin.kind in "iot" and pin.kind not in KINDS.get(kind, "iot"):
            yield f"{part} {pin.number}: {pin.kind} here, {kind} in KiCad"
    if len(theirs) != len(pinout.pins):
        yield f"{part}: {len(pinout.pins)} pins here, {len(theirs)} in KiCad"


@pytest.mark.kicad_symbols
@pytest.mark.parametrize("part", IN_KICAD)
def test_a_part_has_the_pins_of_kicads_symbol(part):
    assert list(quarrels(part, pinouts()[part])) == []


def exchanges():
    """Every two pins of a part that a careless hand could have exchanged."""
    for part in IN_KICAD:
        pins = pinouts()[part].pins
        for first in pins:
            for second in pins[first.number :]:
                if first.name != second.name:
                    yield part, first, second


@pytest.mark.kicad_symbols
def test_any_two_exchanged_pins_are_found():
    tried = 0
    for part, first, second in exchanges():
        swapped = list(pinouts()[part].pins)
        swapped[first.number - 1] = Pin(first.number, second.name, second.kind)
        swapped[second.number - 1] = Pin(second.number, first.name, first.kind)
        assert list(quarrels(part, Pinout("DIP", tuple(swapped)))), (part, first, second)
        tried += 1
    assert tried > 1500


@pytest.mark.parametrize("part", ON_MODULES)
def test_a_module_has_the_pins_of_a_second_table(part):
    assert [pin.name for pin in pinouts()[part].pins] == ON_MODULES[part].split()


@pytest.mark.parametrize("made", [PICO, PI], ids=lambda made: made.name)
def test_a_controllers_power_is_at_the_legs_of_its_pinout(made):
    pins = {pin.number: pin.name for pin in pinouts()[made.name.lower()].pins}
    assert [pins[leg] for leg in made.power.values()] == [
        "VBUS" if made is PICO else "5V",
        "3V3",
        "GND",
    ]


def test_what_is_wired_by_hand_has_a_second_witness():
    """All others have one pin of a kind, two alike ones, or are printed with their names."""
    plain = {part for part, each in pinouts().items() if len(each.pins) < 4}
    assert set(pinouts()) - plain - {*IN_KICAD, *ON_MODULES} == {"i2c-shifter", "ht16k33"}


PRINTED = {"74HC165D": "74hc165", "WS2812B": "ws2812"}


def printed_pins(component):
    """The table of a part on a printed circuit, in the words of those wired by hand."""
    kinds = {"input": "i", "output": "o", "unused": "o", "supply": "x"}
    return Pinout(
        component.footprint.name,
        tuple(
            Pin(int(number), name.replace("/Q7", "Q7n"), kinds[role])
            for number, (name, role) in component.pins.items()
        ),
    )


@pytest.mark.kicad_symbols
@pytest.mark.parametrize("component", [components.REGISTER, components.LIGHT])
def test_a_printed_part_has_the_pins_of_kicads_symbol(component):
    part = PRINTED[component.value]
    assert list(quarrels(part, printed_pins(component))) == []
    pins = component.pins
    names = list(pins)
    turned = replace(component, pins=pins | {names[1]: pins[names[3]], names[3]: pins[names[1]]})
    assert list(quarrels(part, printed_pins(turned)))
