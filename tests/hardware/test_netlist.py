"""What is wired is wired: every pin of every chip, of every board that can be described."""

import csv
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.description import BoardDescription, load_description
from hardware.tools.circuits import netlist
from hardware.tools.netlist import GROUND, SUPPLIES, Component, Netlist, as_csv, overloads, pinouts
from hardware.tools.power import budget
from hardware.tools.sheets import sheets
from hardware.tools.trade import broken

BOARDS = ("starter", "full", "kiosk", "starter-header")
MATRIX = {
    "kind": "diode-matrix",
    "scan_hz": 100,
    "pins": {f"row{n}": n for n in range(8)} | {"column0": 15},
}
EXPANDERS = {"kind": "mcp23017", "scan_hz": 100, "pins": {}, "addresses": (32, 33, 34, 35, 36)}


def changed(board, **sections):
    data = load_description(board).model_dump()
    for section, values in sections.items():
        both = isinstance(data[section], dict) and isinstance(values, dict)
        data[section] = data[section] | values if both else values
    return BoardDescription.model_validate(data)


@st.composite
def boards(draw):
    """The full board with other numbers of cells, readers and lights, or the starter's variants."""
    if draw(st.booleans()):
        reeds = draw(st.sampled_from((None, MATRIX, EXPANDERS)))
        return changed("starter", **({"reeds": reeds} if reeds else {}))
    grid = {"files": draw(st.integers(1, 8)), "ranks": draw(st.integers(1, 9))}
    reserve = {"white": draw(st.integers(0, 20)), "black": draw(st.integers(0, 20))}
    cells = grid["files"] * grid["ranks"] + sum(reserve.values())
    return changed("full", grid=grid, reserve=reserve, tags={"count": cells})


@settings(deadline=None)
@given(boards())
def test_every_board_that_can_be_described_can_be_wired(description):
    assert list(broken(description, netlist(description))) == []


@settings(deadline=None)
@given(st.data())
def test_a_wire_that_comes_off_is_noticed(data):
    full = load_description("full")
    board = netlist(full)
    fragile = [
        (n, pin.number)
        for n, component in enumerate(board.components)
        for pin, net in component.pins
        if net and pin.kind in "ipg"
    ]
    n, number = data.draw(st.sampled_from(fragile))
    victim = board.components[n]
    nets = tuple("" if at == number else net for at, net in enumerate(victim.nets, start=1))
    cut = Component(victim.ref, victim.part, victim.sheet, nets, victim.why, victim.at)
    cut_off = Netlist((*board.components[:n], cut, *board.components[n + 1 :]))
    assert list(broken(full, cut_off))


ALIKE = {("74hc08", "1A"), ("74hc08", "1B"), ("74hc138", "E1"), ("74hc138", "E2")}
"""Pins of one kind: it does not matter which is which."""


@settings(deadline=None)
@given(st.data(), st.sampled_from(("starter", "full")))
def test_two_wires_of_a_chip_that_are_exchanged_are_noticed(data, name):
    described = load_description(name)
    board = netlist(described)
    chips = [c for c in board.components if pinouts()[c.part].housing != "leads"]
    chip = data.draw(st.sampled_from(chips))
    wires = [(pin.number - 1, pin.name, net) for pin, net in chip.pins if net]
    pairs = [
        (one, other)
        for one, name_of_one, net in wires
        for other, name_of_other, far in wires
        if one < other and net != far
        and not {(chip.part, name_of_one), (chip.part, name_of_other)} <= ALIKE
    ]  # fmt: skip
    if not pairs:
        return
    one, other = data.draw(st.sampled_from(pairs))
    nets = list(chip.nets)
    nets[one], nets[other] = nets[other], nets[one]
    wrong = Component(chip.ref, chip.part, chip.sheet, tuple(nets), chip.why, chip.at)
    rest = tuple(wrong if part == chip else part for part in board.components)
    assert list(broken(described, Netlist(rest))), (chip.ref, chip.part, one + 1, other + 1)


WRONG = """
starter | R69 | 2 = 3V3 | buzzer
starter | R66 |  | U10 .* has to be low
starter | LED a1 | K = segment 1.DP, A = digit 1.0 | LED a1 .* turned round
starter | C11 |  | need a capacitor-10u
starter | U8 | DS = 3V3 | last register's DS
starter | U7 | CE = b5 | U7 .* does not say when it is on
starter | R51 | 2 = GND | U7 .* has to be high
starter | button white | 1 = GP11 | button white: is not at GP10
starter | Pico | GP13 = | Pico GP13: nothing
starter | Pico | VSYS = 3V3 | Pico .* VSYS: has to stay open
full | U20 | 3OE = GND | GP12-A: two outputs
full | U13 | Q7n = hb5 | reed hb5 .* shorts U13
full | U14 | A0 = GP27, A1 = GP26, A2 = GP20, A3 = GP19 | tags: number 8 is a2
full | U14 | E1 = GP14-A | is let go while it is spoken to
full | R147 |  | LED a1 .* no resistor-330
full | reader h6 | MISO = GND | reader h6 .* MISO
full | C56 | + = supply | need a capacitor-1000u
full | F1 | IN = LED | both ends
starter | R1 |  | U1 .* 'a1' has no level
full | R100 |  | U16 .* 3A: 'GP17' has no level
full | reader a1 | 3V3 = 5V | reader a1
full | step-down | IN = 3V3 | step-down
full | LED a2 | DIN = light 16, DOUT = light 15 | LED a2
full | C56 | + = GND, - = LED | C56
starter | U9 | VCC = 3V3 | U9
starter | U10 | V+ = 3V3 | U10
full | supply | 5V = LED | F1|fuse|supply
starter | button white | 2 = 3V3 | button white
starter | R9 |  | U2 .* 'a2' has no level
full | C20 |  | capacitor
full | reader d5 | NSS = 3V3 | number 35 is d5
full | reader d5 | RST = GND | reader d5|RST
full | LED a1 | VDD = supply | LED a1|fuse|supply
full | step-down | IN = supply | step-down|fuse|supply
starter | U10 | DIG0 = digit 1.4, DIG4 = digit 1.0 | number 0 is a1, and on the wires a5
starter | U9 | 1OE = 5V | U9|DIN|U10
full | buzzer | 1 = GP22 | buzzer|GP22
starter | reed e4 | 2 = 3V3 | e4
""".strip().splitlines()
"""Board, part (left out where no pin is named), what hangs on its pins, and what is said of it."""


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wired_wrongly_is_named(line):
    name, ref, pins, said = (word.strip() for word in line.split(" | "))
    described = load_description(name)
    board = netlist(described)
    (part,) = (c for c in board.components if c.ref == ref)
    changes = dict(one.split(" =") for one in pins.split(", ") if one)
    nets = tuple(changes.get(pin.name, net).strip() for pin, net in part.pins)
    wrong = (replace(part, nets=nets),) if changes else ()
    rest = tuple(c for c in board.components if c.ref != ref)
    found = "\n".join(broken(described, Netlist((*rest, *wrong))))
    assert re.search(said, found), found


@pytest.mark.parametrize("housing", ["DIP-14", "DIP-16", "DIP-24", "DIP-28"])
def test_a_pinout_has_as_many_pins_as_its_housing(housing):
    found = [pinout for pinout in pinouts().values() if pinout.housing == housing]
    assert found
    for pinout in found:
        assert len(pinout.pins) == int(housing.removeprefix("DIP-"))
        assert {pin.kind for pin in pinout.pins} <= set("iotxpsgn")


def test_standard_logic_has_its_supply_in_the_corners():
    for part, pinout in pinouts().items():
        if part.startswith("74"):
            ground, supply = pinout.pins[len(pinout.pins) // 2 - 1], pinout.pins[-1]
            assert (ground.kind, supply.kind) == ("g", "p"), part


def test_no_line_of_the_full_board_leads_to_more_than_it_can_move():
    """Twelve buffers hung on the clock pin; now two stand between."""
    board = netlist(load_description("full"))
    assert max(len(board.loads(net)) for net in board.nets if net not in {GROUND, *SUPPLIES}) <= 10
    crowded = [c for c in board.components if c.part != "74hc125" or "shares" not in c.why]
    joined = tuple(
        Component(c.ref, c.part, c.sheet, tuple(re.sub("-[AB]$", "", net) for net in c.nets), c.why)
        for c in crowded
    )
    assert "GP14 leads to 12 pins (74hc125); 10 are the most." in list(overloads(Netlist(joined)))


def test_currents_follow_the_wiring():
    """A part that hangs on another supply loads that one, and no list has to be told."""
    full, starter = load_description("full"), load_description("starter")
    for description, rail in ((full, "LED"), (starter, "5V")):
        shifted = [load.rail for load in budget(description) if "74AHCT125" in str(load.lines)]
        assert shifted == [rail]
    loads = {load.rail: load for load in budget(full)}
    fed = dict(loads["5V"].lines)["what the 3.3 V pin of the Pico takes for its loads"]
    assert 3.3 * loads["3V3"].current.most < 5 * fed.most < 1.3 * 3.3 * loads["3V3"].current.most
    assert loads["supply"].current == loads["LED"].current  # through the fuse, nothing is lost


@pytest.mark.parametrize("name", BOARDS)
def test_every_chip_is_drawn_with_every_pin(name):
    description = load_description(name)
    drawn = "".join(sheets(description).values())
    for component in netlist(description).components:
        if pinouts()[component.part].housing.startswith("DIP-"):
            assert f">{component.ref}: " in drawn
            for pin, _ in component.pins:
                name = re.escape(pin.name)
                assert re.search(rf">({pin.number} {name}|{name} {pin.number})<", drawn)
    for component in netlist(description).components:
        if component.part in {"mfrc522", "ws2812", "led-single"}:
            assert f">{component.ref}<" in drawn


def test_the_list_of_connections_names_every_pin_that_is_wired():
    board = netlist(load_description("starter"))
    rows = list(csv.DictReader(as_csv(board).splitlines()))
    wired = sum(bool(net) for component in board.components for net in component.nets)
    assert len(rows) == wired
    assert {"net": "a1", "at": "U1", "part": "74hc165", "pin": "6", "name": "D7"} in rows


def test_no_line_of_a_controller_is_pulled_up_to_five_volts_by_its_lights():
    leds = {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}}
    made = netlist(changed("starter", leds=leds))
    (driver,) = (part for part in made.components if part.part == "ht16k33")
    (shifter,) = (part for part in made.components if part.part == "i2c-shifter")
    assert [driver.net(pin) for pin in ("SCL", "SDA")] == [shifter.net("HV1"), shifter.net("HV2")]
    assert [shifter.net(pin) for pin in ("LV1", "LV2", "LV", "HV")] == ["GP3", "GP2", "3V3", "5V"]
