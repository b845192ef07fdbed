"""Promises that no part keeps: each has to be refused by the name of its key, in a sentence.

One line a mistake: board, changes (`a.b = value`, a value in JSON; `-` takes a key out), and the
key that the answer must name.
"""

import json
import re

import pytest
from pydantic import ValidationError

from drivers.claims import BUTTONS
from drivers.description import BoardDescription, load_description, shipped
from firmware_bridge.table import buttons
from hardware.tools.electrical import problems

MISTAKES = """
starter | tier = "face" | tier
full | tier = "occupancy" | tier
starter | reeds = - | reeds
full | leds.limit_ma = 12 | leds.limit_ma
certabo | leds.limit_ma = 100 | leds.limit_ma
starter | leds.colours = "rgb" | leds.colours
full | leds.colours = "single" | leds.colours
starter | leds.driver = "own" | leds.driver
starter | leds.reserves = true | leds.reserves
full | leds.cells = ["a1", "hw1"] | leds.reserves
printed | leds.address = 0 | leds.address
full | leds.per_cell = 5 | leds.per_cell
full | leds.brightness = 0.005 | leds.brightness
starter | buttons.0.name = "wihte" | wihte
full | buttons.2.name = "menu" | menu
full | buttons.0.name = "hint" | buttons
starter | buttons.0.pin = - | button
simulated | buzzer.pin = 4 | buzzer.pin
simulated | leds.pins = {"data": 3} | leds.pins
certabo | reeds = {"kind": "74hc165"} | reeds
simulated | tags = {"kind": "mfrc522", "count": 92, "multiplexing": "none"} | tags
starter | reeds.addresses = [32, 33] | reeds.addresses
starter | reeds.kind = "mcp23017" | reeds
full | tags.pins.select0 = 2 | tags.pins.select0
full | tags.pins.antenna0 = 2 | tags.pins.antenna0
full | tags.multiplexing = "none" | tags.multiplexing
full | tags.multiplexing = "antenna" | tags.multiplexing
full | tags.pins.enable = - | tags.pins
full | tags.count = 91 | tags.count
full | mechanics.disc_mm = 30 | mechanics.disc_mm
full | mechanics.disc_mm = 46 | disc_mm
full | mechanics.disc_height_mm = 5.5 | magnet_height_mm
starter | mechanics.reader_mm = [40, 30] | mechanics.reader_mm
starter | mechanics.magnet_mm = 12 | magnet_mm
full | mechanics.magnet_mm = 6 | magnet_mm
starter | mechanics.top_mm = NaN | mechanics.top_mm
evening | grid.absent = ["a1","b1","c1","a2","b2","c2","a3","b3","c3"] | grid.absent
full | leds.cells = ["a1", "a1"] | leds.cells
starter | name = "Anna's board" | name
starter | leds.driver = "ht16k33", leds.address = 112, leds.per_cell = 4 | leds
starter | leds.driver = "ht16k33", leds.pins = {"clock": 3, "data": 2} | ht16k33
starter | leds.driver = "ht16k33", leds.address = 112, leds.colours = "rgb" | leds.colours
starter | wiring.order = "serpentine", wiring.cells = ["a1"] | wiring
full | leds.cells = ["a1", "b1"], leds.order = "serpentine" | leds
full | leds.limit_ma = 19000 | leds.limit_ma
full | grid.absent = ["a1", "a1"] | grid.absent
certabo | tier = "face" | tier
certabo | leds.driver = "ws2812" | leds.driver
dgt | mechanics.cell_mm = 55 | mechanics
certabo | leds.per_cell = 4 | leds.per_cell
certabo | leds.brightness = 0.9 | leds.brightness
chessnut | grid.files = 7 | wiring.cells
dgt | grid.absent = ["a1"] | wiring.cells
full | tags.pins.cs = 3 | tags.pins.cs
full | tags.pins.reset = 23 | reset
starter | leds = {} | leds
full | tags.kind = "pn532", mechanics.reader_mm = null | readers
full | tags.pins.miso = 14 | tags.pins
starter | reeds.scan_hz = 601 | reeds.scan_hz
starter-header | reeds.scan_hz = 601 | reeds.scan_hz
full | leds.pins = {} | leds.pins
starter | leds.cells = ["a1", "b2"] | leds.cells
starter-header | reeds = {"kind": "mcp23017", "addresses": [32, 33, 34, 34, 35]} | reeds.addresses
starter-header | reeds = {"kind": "mcp23017", "addresses": [32, 33, 34, 35]} | reeds.addresses
starter | leds.driver = "ht16k33", leds.address = 112, leds.pins = {"clock": 17, "data": 2} | leds.pins
starter-header | reeds.pins.data = 10, leds.pins.data = 9 | reeds.pins.data
starter-header | leds.driver = "ht16k33", leds.address = 112, leds.pins = {"clock": 5, "data": 2} | leds.pins.clock
starter | reeds.pins.clock = 4, reeds.pins.data = 6 | reeds.pins.clock
starter | reeds.pins.idle = 4 | reeds.pins.idle
full | tags.pins.clock = 15 | tags.pins.clock
starter | leds.pins.data = 14 | leds.pins.data
starter | mechanics.cell_mm = 28, mechanics.disc_mm = 24 | cell_mm
full | controller = "pi-header" | tags
full | buzzer.pin = 27 | GPIO 27
starter | leds.driver = "ws2812", leds.colours = "rgb", leds.brightness = 1.0, leds.pins = {"data": 22} | leds
evening | reeds.pins = {"row0": 10, "row1": 11, "column0": 2} | reeds.pins
starter-header | leds.pins.clock = 21 | leds.pins
starter-header | reeds.pins.load = 7 | GPIO 7
starter-header | reeds = {"kind": "mcp23017", "pins": {"clock": 1, "data": 0}} | reeds.pins
starter-header | reeds = {"kind": "mcp23017", "addresses": [32, 33, 34, 35, 36]} | reeds.scan_hz
starter | leds.pins = {"clock": 2, "data": 3, "select": 1, "idle": 0} | SPI block 0
""".strip().splitlines()  # noqa: E501


def changed(line):
    """The description of a mistake, and the key that must be named."""
    board, changes, key = (part.strip() for part in line.split(" | "))
    data = load_description(board).model_dump(mode="json")
    for change in re.split(r", (?=[a-z_.0-9]+ = )", changes):
        path, _, value = change.partition(" = ")
        *way, last = path.split(".")
        here = data
        for step in way:
            if isinstance(here, dict) and here.get(step) is None:
                here[step] = {}
            here = here[int(step)] if isinstance(here, list) else here[step]
        if value == "-":
            del here[last]
        else:
            here[int(last) if isinstance(here, list) else last] = json.loads(value)
    return data, key


def refused(data):
    """What is said against a description, by its reader or by the checks."""
    try:
        return problems(BoardDescription.model_validate(data))
    except ValidationError as error:
        return [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]


def test_promises_that_no_part_keeps_are_refused_by_their_names():
    for line in MISTAKES:
        data, key = changed(line)
        said = refused(data)
        assert any(re.search(rf"(?<!\w){re.escape(key)}", one) for one in said), (line, said)


FAULTS = """
full | buzzer.pin = 22 | GPIO 22 is used 2 times: buzzer.tone, leds.data
full | buzzer.pin = 23 | GPIO 23 .* does not reach a leg
full | reeds.pins.data = 5, reeds.pins.load = 4 | reeds.pins.data: GPIO 5 cannot be miso of SPI block 0
full | reeds.pins = {"clock": 6, "data": 4, "load": 5} | 74hc165 needs a pin called idle
starter | leds.pins = {"clock": 18, "data": 19, "select": 17, "idle": 16} | reeds and leds both use SPI block 0
full | tags.count = 80 | 92 cells need a reader each, 80 are there
full | tags.pins.address6 = - | 64 readers can be chosen, 92 are there
full | tags.pins.enable = - | 92 readers on one unbuffered bus
full | leds.brightness = 1.0, leds.limit_ma = 0 | LED: up to \\d+ mA, more than four fifths of the 2500 mA
full | leds.brightness = 0.2, leds.limit_ma = 0 | no limit_ma
starter | leds.driver = "ht16k33", leds.pins = {"clock": 2, "data": 3} | not clock and data of one I2C block
starter | leds.driver = "ht16k33", leds.address = 32, leds.pins = {"clock": 3, "data": 2} | 0x20 is no address of a ht16k33
starter | reeds.kind = "mcp23017", reeds.pins = {}, reeds.addresses = [32, 33, 33] | reeds.addresses: I2C address 0x21 is that of another part
starter | reeds.kind = "mcp23017", reeds.pins = {}, reeds.addresses = [32, 33] | room for 28 contacts, 64 are there
starter-header | reeds.kind = "mcp23017", reeds.pins = {}, reeds.addresses = [32, 33, 34, 35, 36, 37, 38, 39] | reeds.addresses: room for 112 contacts, 64 are there
starter | reeds.kind = "diode-matrix", reeds.pins = {"row0": 0, "row1": 1} | 8 rows of eight are needed, 2 are named
full | mechanics.reader_mm = [40, 60] | 60 x 40 mm does not fit the 48.4 mm between the walls
full | mechanics.reader_mm = [60, 40] | 60 x 40 mm does not fit
full | mechanics.cell_mm = 30, mechanics.disc_mm = 25 | 40 x 30 mm does not fit the 28.4 mm
full | mechanics.cell_mm = 45 | coil would be 3.8 mm off the middle
full | mechanics.reed_mm = 26 | holder ends 25 mm from the middle
full | mechanics.reed_offset_mm = 18 | holder ends 28 mm from the middle
starter-header | reeds.pins.clock = 5 | on the Pi this is GPIO 11 or 21
starter-header | buzzer.pin = 11 | GPIO 11 is used 3 times
starter-header | buzzer.pin = 28 | does not reach a leg of the Pi\\.
starter-header | buttons.0.pin = 0 | GPIO 0 .* belongs to the HAT's memory
starter-header | buttons.0.pin = 1 | GPIO 1 .* belongs to the HAT's memory
starter-header | buttons.0.pin = 14 | GPIO 14 .* belongs to the console
starter-header | buttons.0.pin = 15 | GPIO 15 .* belongs to the console
starter-header | leds = {"driver": "ws2812", "colours": "rgb", "limit_ma": 500, "pins": {"data": 18}} | GPIO 10 or 20, not 18
starter | buzzer.pin = null | buzzer: no pin is named
""".strip().splitlines()  # noqa: E501
"""Mistakes, and what is said of them in so many words."""


@pytest.mark.parametrize("line", FAULTS)
def test_every_fault_is_told_in_its_words(line):
    data, said = changed(line)
    assert re.search(said, "\n".join(problems(BoardDescription.model_validate(data))))


def values(node, *way):
    """Yield every value in a description with the way that leads to it, the parts of one first."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(value, dict | list):
            yield from values(value, *way, key)
        if value is not None:
            yield (*way, key), value, node


def wrong_for(value):
    """Values of another kind, no name of anything, and what is far too small or large."""
    yield "8"
    if not isinstance(value, bool):
        yield True
    yield [1]
    if type(value) in {int, float}:
        yield from (-value - 1, 100 * value + 100)


@pytest.mark.parametrize("board", ["starter", "full"])
def test_a_value_of_another_kind_or_size_and_a_key_that_is_none_are_refused_by_name(board):
    data = load_description(board).model_dump(mode="json", exclude={"title"})  # it may be anything
    for (*way, key), value, node in [*values(data)]:
        path = ".".join(map(str, way if isinstance(key, int) else (*way, key)))
        for wrong in wrong_for(value):
            node[key] = wrong
            said = "\n".join(refused(data))
            assert path in said or str(key) in said or str(wrong) in said, (path, wrong)
        node[key] = value
        if isinstance(key, str):
            node[f"{key}x"] = node.pop(key)
            assert any(f"{path}x" in one for one in refused(data)), path
            node[key] = node.pop(f"{key}x")


def test_what_is_shipped_has_no_known_fault():
    assert {name: problems(load_description(name)) for name in shipped()} == dict.fromkeys(
        shipped(), ()
    )


def test_the_buttons_that_may_be_named_are_those_that_the_table_knows():
    assert set(BUTTONS) == set(buttons.BUTTONS)
