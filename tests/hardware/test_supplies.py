"""Every supply of a board is cut and comes back, at every moment: what forgets is set up anew."""

import re

import pytest
from boardware.board import TELL_MS

from drivers.description import BoardDescription, load_description
from drivers.link import codec
from hardware.tools.catalogue import HARDWARE
from hardware.tools.circuits import netlist
from tests.hardware.board_on_bench import OnBench
from tests.hardware.test_netlist import changed

KING = bytes.fromhex("04A1B2C3D4E5F6")
SOON = 2000
"""Milliseconds in which a board is well again when its supply is."""
ASLEEP = 0x10
MOST_NAMED = 48
"""As many cells fit into a frame."""
SIGNAL = 6  # must-go-here: steady
LAMPS = {
    "ws2812": None,
    "max7219": {"driver": "max7219", "pins": {"clock": 2, "data": 3, "select": 4, "idle": 0}},
    "ht16k33": {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}},
}
MOMENTS = (0, 7, 150, 900)
"""Milliseconds after the start: while readers are set up one after the other, and in a game."""
LENGTHS = (0, 3, 700)
"""A spark resets a chip at once; a dip is short; a plug is out for longer."""


def built(clock, lamps="ws2812"):
    if LAMPS[lamps] is None:
        return OnBench(clock, "full")
    data = load_description("starter").model_dump()
    data["leds"] |= LAMPS[lamps]
    return OnBench(clock, BoardDescription.model_validate(data))


def cut(board, chips, length):
    for chip in chips:
        chip.power(on=False)
    if length:
        board.run(length)
    for chip in chips:
        chip.power(on=True)


def told(board):
    return [codec.NOTICES[notice.code] for notice in board.host.of(codec.Notice)]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("which", ["all", "one"])
def test_readers_sleep_and_read_again(clock, which, moment, length):
    board = built(clock)
    board.host.greet()
    board.run(moment)
    readers = board.bench.readers
    cell = board.number("e4")
    cut(board, readers if which == "all" else [readers[cell]], length)
    board.run(SOON)
    assert {reader.registers[1] for reader in readers} == {ASLEEP}
    board.put("e4", KING)
    board.run(200)
    assert board.felt()[-1] == ("e4", KING)
    board.run(TELL_MS)
    faults = told(board)
    assert len(faults) <= 6
    assert not faults or faults[-1] == "mended"


def test_readers_that_get_their_supply_after_the_controller_are_named_until_they_have_it(clock):
    board = built(clock)
    for reader in board.bench.readers:
        reader.power(on=False)
    board.host.greet()
    board.run(3000)
    named = [n for n in board.host.of(codec.Notice) if n.cells]
    assert len(named[-1].cells) == MOST_NAMED
    assert set(told(board)) == {"tag-reader-fault"}
    for reader in board.bench.readers:
        reader.power(on=True)
    board.run(SOON + TELL_MS)
    assert told(board)[-1] == "mended"
    assert {reader.registers[1] for reader in board.bench.readers} == {ASLEEP}


def test_a_reader_whose_supply_goes_in_the_middle_of_a_read_stops_nobody(clock):
    for pause in range(0, 30, 6):
        board = built(clock)
        board.host.greet()
        board.run(900)
        board.put("e4", KING)
        board.run(5 + pause)
        chip = board.bench.readers[board.number("e4")]
        chip.dead = True  # its answers read as ones
        board.put("d4", KING[::-1])
        board.run(300)
        assert ("d4", KING[::-1]) in board.felt()
        chip.dead = False
        chip.reset()
        board.run(SOON)
        assert chip.registers[1] == ASLEEP


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("lamps", LAMPS)
def test_lights_come_back(clock, lamps, moment, length):
    board = built(clock, lamps)
    board.host.greet()
    board.host.say(codec.SetLights(1, 0, bytes([SIGNAL, 0])))
    board.run(moment)
    cut(board, [board.bench.leds], length)
    board.run(SOON)
    leds = board.bench.leds
    lit = leds.lit() if hasattr(leds, "lit") else {n for n, c in enumerate(leds.colours) if any(c)}
    assert len(lit) == 1
    assert told(board)[-1:] in ([], ["mended"])


@pytest.mark.parametrize("length", [3, 700])
@pytest.mark.parametrize("moment", [150, 900])
def test_contacts_come_back_and_no_piece_has_moved(clock, moment, length):
    board = built(clock)
    board.host.greet()
    board.put("e4", KING)
    board.run(moment + 300)
    before = board.felt()
    assert before[-1] == ("e4", KING)
    board.bench.contacts.unplugged = True
    board.run(length)
    board.bench.contacts.unplugged = False
    board.run(SOON)
    assert board.felt() == before
    board.lift("e4")
    board.run(200)
    assert board.felt()[-1] == ("e4", None)


def variants():
    """Boards that have, together, every chip that a board may have."""
    yield from (load_description(name) for name in ("full", "starter", "starter-header"))
    leds = {"leds": {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}}}
    yield changed("starter", **leds)
    pins = {"reeds": {"kind": "mcp23017", "pins": {}, "addresses": (32, 33, 34, 35, 36)}}
    yield changed("starter-header", **pins)
    yield changed("full", tags={"kind": "pn532"})


def test_the_table_of_cut_supplies_names_every_chip_at_each_of_its_supplies():
    rows = {}
    for line in (HARDWARE / "firmware" / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[0].startswith("`"):
            for chip in re.findall(r"`(.*?)`", cells[0]):
                rows.setdefault(chip, set()).update(cells[1].split(", "))
    needed = {}
    for board in variants():
        for component in netlist(board).components:
            if component.supply:
                needed.setdefault(component.part, set()).add(component.supply)
    assert [chip for chip in needed if not needed[chip] <= rows.get(chip, set())] == []
    assert set(rows) == set(needed)
