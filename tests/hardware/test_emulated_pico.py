"""The whole firmware on the emulated RP2040, under MicroPython's own image, in the chip's time.

`MICROPYTHON_UF2` names the image for a Pico that makers download, or the one that
`hardware/firmware/make-micropython` builds. A second there takes twenty to forty here.
"""

import itertools
import os
import sys

import pytest

from drivers.description import load_description
from drivers.link import codec
from drivers.pico.image import image
from drivers.pico.precompiled import precompiled
from tests.firmware_bridge.table.driving import Driven
from tests.hardware.emulated_pico import OnChip
from tests.hardware.test_firmware_start import greeting

UF2 = os.environ.get("MICROPYTHON_UF2", "")
pytestmark = [
    pytest.mark.emulated,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not UF2, reason="set MICROPYTHON_UF2 to MicroPython's image for a Pico"),
]
KING = bytes.fromhex("04A1B2C3D4E5F6")
MOST_START_MS = 2500
BESIDE = """
import gc, machine
def tell(_):
    gc.collect()
    machine.mem32[0x4005800C] = gc.mem_free()
timer = machine.Timer(period=100, callback=tell)
"""
"""A file that is run before the firmware, and says in a spare register how much memory is free."""
SPARE_REGISTER = 0x4005800C


def switched_on(board, *, compiled=True, **beside):
    files = image(load_description(board))
    return OnChip(board, UF2, {**(precompiled(files, 6) if compiled else files), **beside})


def hellos(chip):
    return chip.host.of(codec.Hello)


def greeted(board, **beside):
    """Return a board that a host has just greeted, and how long its start took."""
    chip = switched_on(board, **beside)
    chip.host.greet()
    started = chip.run_until(lambda: hellos(chip), MOST_START_MS)
    chip.run_until(lambda: chip.host.of(codec.Part), 500)
    return chip, started


def in_mid_game(board, **beside):
    """Return a board with 32 pieces, whose last turn shines, and how long its start took."""
    chip, started = greeted(board, **beside)
    for cell in range(32):
        chip.bench.put(cell, bytes((4, cell, 1, 2, 3, 4, 5)))
    tags = bool(chip.bench.readers)
    named = {bytes((4, cell, 1, 2, 3, 4, 5)) if tags else True for cell in range(32)}
    chip.run_until(
        lambda: {reading for _, reading in chip.felt()} >= named and len(chip.felt()) >= 32, 6000
    )
    chip.host.say(codec.SetLights(1, 0, bytes((1, 1)) + bytes(53)))
    chip.run_until(lambda: chip.host.of(codec.LightsAck), 500)
    return chip, started


def gaps(wave):
    """Return the milliseconds between a load pin's falling edges: from sample to sample."""
    falls = [nanos for nanos, level in wave if not level]
    return [(after - before) / 1e6 for before, after in itertools.pairwise(falls)]


@pytest.mark.parametrize(("compiled", "moments"), [(True, (30, 90, 160)), (False, (30, 500, 1500))])
def test_a_board_answers_a_greeting_that_comes_at_any_moment_of_its_start(compiled, moments):
    for moment in moments:
        chip = switched_on("starter", compiled=compiled)
        chip.run(moment)
        chip.cable.write(greeting(0x0303, 1, 0x03030303, 0x0303) + greeting(0x0303))
        chip.run_until(lambda: hellos(chip), MOST_START_MS)  # noqa: B023 - at once
        assert hellos(chip)[-1].nonce == 0x0303, moment
        assert not chip.restarts


def tell(record_property, board, found):
    """Keep figures: pytest shows them with `-s`, and has them in its report."""
    record_property(board, found)
    sys.stdout.write(f"{board}: {found}\n")


@pytest.mark.parametrize("board", ["starter", "full"])
def test_the_pace_of_a_board_in_mid_game(board, record_property):
    chip, started = in_mid_game(board)
    wave = chip.record(chip.config["reeds"]["pins"]["load"])
    waited = []
    for cell in range(33, 41):
        chip.run(117.3)
        known = len(chip.felt())
        chip.bench.put(cell, bytes((4, cell, 1, 2, 3, 4, 5)))
        waited.append(chip.run_until(lambda: len(chip.felt()) > known, 100))  # noqa: B023
    pauses = gaps(wave)
    found = {
        "start_ms": round(started),
        "samples_a_second": round(1000 * len(pauses) / sum(pauses)),
        "longest_gap_ms": round(max(pauses), 1),
        "contact_to_host_ms": (round(min(waited), 1), round(max(waited), 1)),
    }
    tell(record_property, board, found)
    assert found["samples_a_second"] >= 500
    assert max(waited) < 25
    assert not chip.restarts


@pytest.mark.parametrize("board", ["starter", "full"])
def test_a_board_in_mid_game_has_memory_left(board, record_property):
    chip, _ = in_mid_game(board, **{"boot.py": BESIDE.encode()})
    chip.run(250)
    free = chip.rp2040.read_uint32(SPARE_REGISTER)
    tell(record_property, board, {"free_bytes": free})
    assert free > 40_000


def bits(wave):
    """Return (high, low) of every bit of a data line's wave, in nanoseconds; gaps end frames."""
    ups = [at for at, (_, level) in enumerate(wave) if level]
    for at in ups:
        if at + 2 < len(wave):
            yield wave[at + 1][0] - wave[at][0], wave[at + 2][0] - wave[at + 1][0]


def test_colour_lights_get_waves_within_the_windows_of_the_data_sheet():
    chip, _ = greeted("full")
    wave = chip.record(chip.config["leds"]["pins"]["data"])
    chip.host.say(codec.SetLights(1, 0, bytes((2, 3)) + bytes(53)))
    chip.run_until(lambda: chip.host.of(codec.LightsAck), 500)
    chip.run(60)
    shapes = [shape for shape in bits(wave) if sum(shape) < 5000]
    assert len(shapes) >= 24 * chip.config["leds"]["count"] - 1
    # T0H 0.35 to 0.4, T1H 0.7 to 0.9 microseconds, each +-0.15; an edge falls within an instruction
    # of the processor's, which the emulator does not part.
    assert {high <= 550 for high, _ in shapes} == {True, False}
    for high, low in shapes:
        assert 200 <= high <= 550 or 550 < high <= 1050
        assert 1100 <= high + low <= 1400


def test_a_host_that_stops_reading_stops_no_sampling_and_damages_nothing():
    chip, _ = greeted("starter")
    wave = chip.record(chip.config["reeds"]["pins"]["load"])
    chip.cable.reading = False
    for cell in range(20):
        chip.bench.put(cell)
        chip.run(50)
    assert max(gaps(wave)) < 25
    chip.cable.read_again()
    chip.run(500)
    assert sorted(cell for cell, _ in chip.felt()) == sorted(chip.description.built[:20])


def test_a_session_is_resumed_with_what_the_host_has_not_heard():
    chip, _ = greeted("starter")
    chip.bench.put(0)
    chip.run_until(chip.felt, 200)
    (hello,) = hellos(chip)
    following = chip.host.expected
    chip.host.reading = False  # what comes is lost
    chip.bench.put(1)
    chip.bench.lift(0)
    chip.run(200)
    chip.host.heard.clear()
    chip.host.reading = True
    chip.host.say(codec.AskHello(codec.VERSION, 9, 1, hello.boot, following))
    chip.run_until(lambda: hellos(chip) and len(chip.felt()) == 2, 500)
    assert (hellos(chip)[-1].nonce, hellos(chip)[-1].boot) == (9, hello.boot)
    cells = chip.description.built
    assert set(chip.felt()) == {(cells[1], True), (cells[0], None)}


def test_a_tool_that_loads_programs_gets_the_prompt():
    chip, _ = greeted("starter")
    chip.run(5500)  # nobody talks to it any more
    chip.cable.write(b"\r\x03")
    chip.run_until(lambda: chip.restarts == 1, 1000)
    chip.said.clear()
    chip.run(500)
    chip.cable.write(b"\r\nprint(6 * 7)\r\n")
    chip.run_until(lambda: b"42" in chip.said, 1000)


class HandsAtTheChip(Driven):
    """A table whose events come out of the emulated board, where hands put and lift pieces."""

    def __init__(self, chip, game):
        self.chip = chip
        super().__init__(game, tier="occupancy")

    def cell(self, cell, reading, after=0.05):
        self.chip.run(1000 * after)
        known = len(self.chip.felt())
        (self.chip.lift if reading is None else self.chip.put)(cell)
        self.chip.run_until(lambda: len(self.chip.felt()) > known, 100)
        felt, found = self.chip.felt()[-1]
        super().cell(felt, found, after)

    def press(self, side, after=0.05):
        buttons = [button.name for button in self.chip.description.buttons]
        self.chip.press(side)
        known = len(self.chip.host.of(codec.Button))
        self.chip.run_until(lambda: len(self.chip.host.of(codec.Button)) > known, 200)
        pressed = self.chip.host.of(codec.Button)[-1].button
        self.chip.press(side, down=False)
        self.chip.run(50)
        return super().press(buttons[pressed], after)


def test_a_game_is_played_over_the_chip():
    chip = switched_on("starter")
    for cell in (f"{file}{rank}" for file in "abcdefgh" for rank in "1278"):
        chip.put(cell)
    chip.host.greet()
    chip.run_until(lambda: chip.host.of(codec.Part), MOST_START_MS)
    table = HandsAtTheChip(chip, "mockery")
    assert len(table.random_turns(seed=3, count=12)) == 12
    assert "illegal" not in table.said
