"""Every supply of a board is cut and comes back, at every moment: what forgets is set up anew."""

import re

import pytest
from boardware.board import TELL_MS

from drivers.description import load_description
from drivers.link import codec
from hardware.tools.catalogue import HARDWARE
from hardware.tools.circuits import netlist
from tests.hardware.board_on_bench import OnBench
from tests.hardware.test_netlist import EXPANDERS, changed
from tests.nightly import NIGHTLY

KING = bytes.fromhex("04A1B2C3D4E5F6")
SOON = 2000
"""Milliseconds in which a board is well again when its supply is."""
ASLEEP = 0x10
MOST_NAMED = 48
"""As many cells fit into a frame."""
SIGNAL = 6  # must-go-here: steady
LAMPS = {
    "max7219": {"driver": "max7219", "pins": {"clock": 2, "data": 3, "select": 4, "idle": 0}},
    "ht16k33": {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}},
}


def cut(board, chips, length):
    for chip in chips:
        chip.power(on=False)
    if length:
        board.run(length)
    for chip in chips:
        chip.power(on=True)


def told(board):
    return [codec.NOTICES[notice.code] for notice in board.host.of(codec.Notice)]


def test_a_reader_whose_supply_goes_in_the_middle_of_a_read_stops_nobody(clock):
    for pause in range(0, 30, 6):
        board = OnBench(clock, "full")
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


def variants():
    """Boards that have, together, every chip that a board may have."""
    yield from (load_description(name) for name in ("full", "starter", "starter-header"))
    yield changed("starter", leds=LAMPS["ht16k33"])
    yield changed("starter-header", reeds=EXPANDERS)
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


RAILS = {
    "readers": lambda bench: bench.readers,
    "one reader": lambda bench: bench.readers[:1],
    "LED": lambda bench: [bench.leds],
    "3V3": lambda bench: [bench.contacts],
    "all": lambda bench: [*bench.readers, bench.leds, bench.contacts],
}
"""What is supplied together; the Pico itself is restarted in `test_micropython.py`."""
BUILDS = {
    "full": {},
    "full, PN532": {"tags": {"kind": "pn532"}},
    "starter, MAX7219": LAMPS["max7219"],
    "starter, HT16K33": LAMPS["ht16k33"],
}
PASS_US = 1500
"""Microseconds of one pass of the firmware's loop, as in its model (`test_firmware_pace.py`)."""
LENGTHS_CUT = (0, 40, 1300)
"""A spark, a dip that chips sleep through or not, a plug that was out."""
STARTS = range(0, 1000, 47 if NIGHTLY else 499)
"""Milliseconds: while the readers are set up one by one, and greeting, snapshot and first tags."""
PLAYED = range(1001, 1100, 3 if NIGHTLY else 50)
"""Around a piece that is set down at 1000 ms: felt, told, its tag read twice."""


def cuts():
    """When, and for how long: by night each with each, by day one length after the other."""
    moments = [*STARTS, *PLAYED]
    if NIGHTLY:
        return [(moment, length) for moment in moments for length in LENGTHS_CUT]
    return [(moment, LENGTHS_CUT[n % len(LENGTHS_CUT)]) for n, moment in enumerate(moments)]


def board_of(clock, build):
    change = BUILDS[build]
    if build.startswith("starter"):
        return OnBench(clock, changed("starter", leds=change), PASS_US)
    return OnBench(clock, changed("full", **change) if change else "full", PASS_US)


def works(board, king):
    """Whether a piece that is set down, its tag, and the light are there within two seconds.

    Readers that nothing stands on sleep meanwhile.
    """
    board.lift("e4")
    board.lift("a1")
    board.run(150)
    readers = board.bench.readers
    awake = [chip for chip in readers if hasattr(chip, "version") and chip.registers[1] != ASLEEP]
    board.put("a1", king)
    board.run(500)
    expected = king if readers else True
    lit = board.bench.leds
    shining = lit.lit() if hasattr(lit, "lit") else {n for n, c in enumerate(lit.colours) if any(c)}
    return not awake and board.felt()[-1] == ("a1", expected) and len(shining) == 1


@pytest.mark.parametrize("rail", RAILS)
@pytest.mark.parametrize("build", BUILDS)
def test_whatever_is_cut_whenever_the_board_is_well_two_seconds_after(clock, build, rail):
    wrong = []
    for moment, length in cuts():
        board = board_of(clock, build)
        chips = RAILS[rail](board.bench)
        if not chips:
            return  # no readers
        board.host.greet()
        board.host.say(codec.SetLights(1, 0, bytes([SIGNAL, 0])))
        board.run(min(moment, 1000))
        board.put("e4", KING)
        board.run(max(0, moment - 1000))
        cut(board, chips, length)
        board.run(SOON)
        moved = any(cell != "e4" or reading is None for cell, reading in board.felt())
        if moved or not works(board, KING[::-1]):
            wrong.append((moment, length))
        board.run(TELL_MS)
        if told(board) and told(board)[-1] != "mended":
            wrong.append((moment, length, told(board)))
    assert not wrong


@pytest.mark.parametrize(
    ("build", "rail", "code", "named"),
    [
        ("full", "readers", "tag-reader-fault", MOST_NAMED),
        ("full, PN532", "readers", "tag-reader-fault", MOST_NAMED),
        ("starter, HT16K33", "LED", "light-fault", 0),
        ("full", "3V3", "contacts-broken", 0),
    ],
)
@pytest.mark.parametrize("moment", [0, 900])
def test_what_stays_without_supply_fails_the_self_test_and_is_named_until_it_has_one(
    clock, build, rail, code, named, moment
):
    """From the start, or in a game."""
    board = board_of(clock, build)
    board.host.greet()
    board.run(moment)
    chips = RAILS[rail](board.bench)
    for chip in chips:
        chip.power(on=False)
    board.run(SOON + 2 * TELL_MS)
    assert set(told(board)) == {code}
    assert len(board.host.of(codec.Notice)[-1].cells) == named
    board.host.say(codec.Command(1, codec.SELF_TEST))
    board.run(2 * SOON)
    assert "self-test-failed" in told(board)
    for chip in chips:
        chip.power(on=True)
    board.run(SOON + TELL_MS)
    assert told(board)[-1] == "mended"
