"""No bus of any board asks for an answer before it can be there, or for more than it carries."""

import pytest

from drivers import bus_speed
from drivers.bus_speed import answer, buses, line_rise, wire
from drivers.description import load_description, shipped
from hardware.tools.electrical import problems
from hardware.tools.lengths import JUMPER_MM, Lengths
from tests.hardware.test_netlist import changed

BOARDS = [load_description(name) for name in shipped()]
SPI = ("74hc165", "mfrc522", "pn532", "max7219")
LAMPS = {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}}


def expanders(number, scan_hz, **leds):
    reeds = {"kind": "mcp23017", "scan_hz": scan_hz, "pins": {}}
    reeds["addresses"] = tuple(range(0x20, 0x20 + number))
    return changed("starter-header", reeds=reeds, **leds)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@pytest.mark.parametrize("kind", SPI)
def test_an_answer_is_there_when_it_is_looked_at(board, kind):
    half_a_clock = 1e9 / buses(board)[kind].hz / 2
    assert answer(board, kind).worst < 0.8 * half_a_clock


def test_four_gates_on_the_way_are_too_slow_for_four_megahertz():
    assert answer(load_description("full"), "mfrc522").worst > 125  # half a clock


def test_a_bus_with_more_gates_is_slower_and_says_why():
    two_gates = changed("full", tags={"count": 80})
    ways = [buses(board)["mfrc522"] for board in (load_description("full"), two_gates)]
    assert [bus.hz for bus in ways] == [1_600_000, 2_300_000]
    assert "through 4 gates after up to 223 ns" in ways[0].why
    assert "through 2 gates after up to 159 ns" in ways[1].why


@pytest.mark.parametrize("board", ["full", "kiosk"])
def test_no_bank_has_more_wire_than_its_bus_is_timed_for(board):
    lengths = Lengths(load_description(board))
    clocks = [lengths.of(net) for net in lengths.wired.nets if net.startswith("SCK ")]
    assert max(clocks) + JUMPER_MM < 1000 * wire(lengths.description)


def test_more_wire_slows_the_bus():
    speeds = [
        buses(changed("full", mechanics={"cell_mm": cell_mm}))["mfrc522"].hz for cell_mm in (40, 65)
    ]
    assert speeds == sorted(set(speeds), reverse=True)


def test_slower_gates_slow_the_bus(monkeypatch):
    monkeypatch.setattr(bus_speed, "GATE", bus_speed.Delay(25, 60))
    assert buses(load_description("full"))["mfrc522"].hz == 1_100_000


def test_pull_ups_lift_a_light_drivers_lines_in_time():
    assert line_rise(changed("starter", leds=LAMPS)) < 1000
    assert buses(changed("starter", leds=LAMPS))["ht16k33"].hz == 100_000


def test_strong_pull_ups_allow_more(monkeypatch):
    monkeypatch.setattr(bus_speed, "_BOARD_OHM", 4_700)
    assert buses(changed("starter", leds=LAMPS))["ht16k33"].hz == 400_000


@pytest.mark.parametrize(("number", "fits", "fails"), [(5, 145, 146), (7, 104, 105)])
def test_expanders_are_not_asked_for_more_samples_than_their_bus_carries(number, fits, fails):
    assert not any("scan_hz" in said for said in problems(expanders(number, fits)))
    assert any(
        f"{fits} a second are the most" in said for said in problems(expanders(number, fails))
    )


def test_lights_on_the_same_bus_leave_less_for_contacts():
    said = problems(expanders(5, 140, leds=LAMPS))
    assert any("which the lights share; 129 a second" in each for each in said)
