"""Figures of parts that nothing computes: each between bounds that its maker's sheet gives."""

import re

import pytest

from drivers.description import load_description
from hardware.tools import magnetics
from hardware.tools.catalogue import builds, parts
from hardware.tools.circuits import netlist

BOUNDS = {  # part, what: least, most, where that is said
    ("pico", "gives.3V3.most"): (0, 300, "Pico data sheet, pin 3V3: keep below 300 mA"),
    ("usb-cable", "gives.VBUS.most"): (500, 600, "USB 2.0: 500; a Pi's sockets share 600 or more"),
    ("ws2812", "most"): (36, 60, "3 x 12 mA (WS2812B-V5) to 3 x 20 mA (WS2812)"),
    ("ws2812", "start"): (0.3, 1, "quiescent current, WS2812B-V5 and WS2812B"),
    ("resistor-27k", "ohm"): (
        22_600,
        29_800,
        "MAX7219, table of RSET: 20 mA at LEDs of 3.5 to 1.5 V",
    ),
    ("max7219", "most"): (160, 330, "eight segments of 20 mA; 330 mA is its supply at 40 mA"),
    ("ht16k33", "most"): (100, 280, "HT16K33, maximum of its outputs together"),
    ("mfrc522", "at_work.most"): (
        60,
        100,
        "MFRC522, characteristics: IDD(TVDD) 60 typical, 100 most",
    ),
    ("mfrc522", "start"): (
        13,
        19,
        "MFRC522, characteristics: digital and analogue supply together",
    ),
    ("pn532", "at_work.most"): (60, 150, "PN532, IDD(TVDD)"),
    ("fuse", "gives.OUT.most"): (2_000, 3_200, "above what flows, below the 4 A of the supply"),
    ("regulator-3v3", "gives.OUT.most"): (2_000, 3_200, "Pololu D36V28F3: 2.4 to 3.6 A at 5 V"),
    ("74hc165", "most"): (0.1, 1, "74HC, supply current: 80 uA, more while it shifts"),
    ("buzzer", "most"): (0.5, 10, "PS1240: a capacitor of 12 to 30 nF at 4 kHz"),
    ("mcp23017", "most"): (1, 1, "MCP23017, supply current: 1 mA at most"),
}
OHMS = {
    "resistor-330": (220, 500, "makers' advice for the LEDs' data line: 300 to 500"),
    "resistor-27k": (22_600, 29_800, "MAX7219, table of RSET: 20 mA at LEDs of 3.5 to 1.5 V"),
    "resistor-10k": (1_000, 47_000, "74HC inputs leak 1 uA: far below a tenth of 3.3 V"),
    "resistor-100": (66, 220, "3.3 V through it: below the 50 mA that all of a Pico's pins give"),
}


def figure(part, what):
    found = parts()[part]
    for name in what.split("."):
        found = found[name] if isinstance(found, dict) else getattr(found, name)
    return found


@pytest.mark.parametrize(("part", "what"), BOUNDS)
def test_a_figure_lies_where_its_sheet_says(part, what):
    least, most, source = BOUNDS[part, what]
    assert least <= figure(part, what) <= most, source


def test_every_part_that_draws_or_gives_a_current_is_bounded_or_small():
    """What is below 10 mA for one, and is there a few times only, decides nothing."""
    large = {
        name
        for name, part in parts().items()
        if max(part.most, part.start or 0, *(given.most for given in part.gives.values()), 0) > 10
    }
    assert large - {part for part, _ in BOUNDS} == {"pi", "supply-5v4a"}


def ohms(code):
    """What a maker's number says: 10K, 330R, or three digits and how many zeros: C1002, C3300."""
    if found := re.search(r"-(\d+)([RK])$", code):
        return int(found[1]) * {"R": 1, "K": 1000}[found[2]]
    digits, zeros = re.search(r"C(\d{3})(\d)F", code).groups()
    return int(digits) * 10 ** int(zeros)


@pytest.mark.parametrize("name", [name for name in parts() if name.startswith("resistor")])
def test_a_resistor_is_what_its_name_and_both_its_numbers_say(name):
    part = parts()[name]
    number, kilo = re.fullmatch(r"resistor-(\d+)(k?)", name).groups()
    value = int(number) * (1000 if kilo else 1)
    assert part.ohm in {0, value}  # 0 where no supply pulls through it
    least, most, source = OHMS[name]
    assert least <= value <= most, source
    assert part.name == f"Resistor {number} {'kOhm' if kilo else 'Ohm'}"
    assert [ohms(code) for code in part.orders] == [value, value]


def test_the_fuse_is_what_its_name_and_both_its_numbers_say():
    part = parts()["fuse"]
    ampere = part.gives["OUT"].most / 1000
    assert f"{ampere:g} A, slow" in part.name
    assert f"{ampere:g} A" in part.alternatives
    first, second = part.orders
    assert first.startswith(f"Littelfuse 0218{ampere:04.1f}")
    assert f"slow (T), {ampere:g} A" in second
    assert part.gives["OUT"].most < 0.8 * parts()["supply-5v4a"].gives["5V"].most


def test_the_reed_that_is_computed_is_the_one_that_is_bought():
    """Ampere-turns of the bin, and drop-out as in ORD228VL's sheet: 5 or more."""
    low, high = magnetics.CLOSES
    reed = parts()["reed"]
    assert f"{low:g} to {high:g} ampere-turns" in reed.spec
    assert f"{low:g}{high:g}" in reed.orders[0].replace("-1A66", "")
    assert f"{low:g}-{high:g} AT" in reed.orders[1]
    assert 4 <= magnetics.OPENS <= 0.7 * low


def test_the_magnets_remanence_is_that_of_the_grades_that_are_bought():
    """N35: 1.17 to 1.22 T; N38: 1.22 to 1.26 T (makers' tables)."""
    assert "N35 or N38" in parts()["magnet"].spec
    assert (magnetics.WEAKEST, magnetics.STRONGEST) == (1.17, 1.26)


@pytest.mark.parametrize("name", builds())
def test_the_hours_of_a_build_follow_from_its_joints(name):
    """A joint, its wire cut and stripped, takes a minute or two; what is beside them, hours.

    Hand soldering of wires: 40 to 80 joints an hour, a tenth of them looked at again.
    """
    wired = netlist(load_description(name))
    joints = sum(bool(net) for component in wired.components for net in component.nets)
    low, high = builds()[name].hours
    assert 0.75 * joints / 60 + 1 <= low < high <= 3.5 * joints / 60 + 3
