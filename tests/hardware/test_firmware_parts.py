"""The firmware's parts one by one, each against its chip or against its law."""

from contextlib import suppress
from types import SimpleNamespace

import bench
import machine
import pytest
from boardware import ticks
from boardware.debounce import Debouncer
from boardware.lamps.ht16k33 import Ht16k33
from boardware.lamps.max7219 import Max7219
from boardware.lights import CYCLE_MS, Lights, strength
from boardware.parts import Parts
from boardware.readers import Unclear
from boardware.readers.mfrc522 import crc_a
from boardware.readers.pn532 import body_of, frame
from boardware.scan import ShiftChain
from boardware.tags import TagScheduler
from chips import Ht16k33Chip, Max7219Chain, ShiftRegisters, Tag
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import load_description
from drivers.pico.image import config
from drivers.signals import SIGNALS


def plain_config(**changes):
    return config(load_description("starter")) | {"leds": None} | changes


@given(st.lists(st.binary(min_size=2, max_size=2), max_size=40))
def test_a_contact_changes_exactly_when_two_samples_agree(samples):
    debouncer = Debouncer(2)
    stable, before = [1] * 16, [1] * 16
    for sample in samples:
        bits = [sample[n // 8] >> (7 - n % 8) & 1 for n in range(16)]
        expected = [
            (n, not bits[n]) for n in range(16) if bits[n] == before[n] and bits[n] != stable[n]
        ]
        assert list(debouncer.feed(bytearray(sample))) == expected
        for number, _ in expected:
            stable[number] = bits[number]
        before = bits
    assert [debouncer.closed(n) for n in range(16)] == [not level for level in stable]


@given(st.sets(st.integers(0, 95)))
def test_the_chain_delivers_every_contact_in_its_place(closed):
    board = bench.build(plain_config(cells=96))
    board.contacts.closed |= closed
    parts = Parts(plain_config(cells=96), machine, None)
    sample = bytearray(parts.scanner.size)
    for _ in range(2):
        assert parts.scanner.read_into(sample)
        parts.debouncer.feed(sample)
    assert {n for n in range(96) if parts.debouncer.closed(n)} == closed


def test_a_chain_that_is_cut_is_not_believed():
    registers = ShiftRegisters(16, load_pin=5)

    class Spi:
        def readinto(self, buffer):
            for index in range(len(buffer)):
                buffer[index] = registers.exchange(0)

    class Load:
        def value(self, level):
            registers.on_pin(5, level)

    chain = ShiftChain(Spi(), Load(), 16)
    assert chain.read_into(bytearray(2))
    registers.serial = 1  # nothing pulls the far end down any more
    assert not chain.read_into(bytearray(2))


@given(st.sets(st.integers(0, 71)))
def test_the_diode_matrix_delivers_every_contact_in_its_place(closed):
    pins = {f"row{row}": row for row in range(9)} | {"column0": 10}
    reeds = {"kind": "diode-matrix", "pins": pins, "scan_hz": 500}
    board = bench.build(plain_config(cells=72, reeds=reeds, buttons=[], buzzer=None))
    board.matrix |= closed
    parts = Parts(plain_config(cells=72, reeds=reeds, buttons=[], buzzer=None), machine, None)
    sample = bytearray(parts.scanner.size)
    for _ in range(2):
        assert parts.scanner.read_into(sample)
        parts.debouncer.feed(sample)
    assert {n for n in range(72) if parts.debouncer.closed(n)} == closed
    assert board.pulls == set(range(10, 18))


def test_the_tag_checksum_matches_its_published_check_value():
    assert crc_a(b"123456789") == (0x05, 0xBF)


@pytest.mark.parametrize("length", [4, 7, 10])
@pytest.mark.parametrize("multiplexing", ["none", "chip-select", "antenna"])
@pytest.mark.parametrize("kind", ["mfrc522", "pn532"])
def test_uids_of_every_length_behind_every_kind_of_selection(clock, length, multiplexing, kind):
    pins = {"clock": 14, "mosi": 15, "miso": 12}
    if multiplexing == "chip-select":
        pins |= {"enable": 28, "address0": 16, "address1": 17, "address2": 18}
    elif multiplexing == "none":
        pins |= {f"select{n}": 16 + n for n in range(6)}
    else:
        pins |= {"select0": 16, "select1": 17, "antenna0": 18, "antenna1": 19}
    count = 2 if multiplexing == "antenna" else 6
    tags = {"kind": kind, "count": count, "multiplexing": multiplexing, "pins": pins}
    changes = {"cells": 6, "tags": tags}
    board = bench.build(plain_config(**changes))
    parts = Parts(plain_config(**changes), machine, None)
    assert finish(clock, parts.self_test()) == []
    for cell in range(6):
        uid = bytes(range(1 + cell, 1 + cell + length))
        board.readers[cell].tags = [Tag(uid)]
        assert finish(clock, parts.readers[cell].read()) == uid
        assert not board.readers[cell].field
        board.readers[cell].tags = []
        assert finish(clock, parts.readers[cell].read()) == b""


def finish(clock, work):
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value
        clock.now_us += 500


@given(st.binary(min_size=1, max_size=20), st.integers(0, 7), st.integers(0, 200))
def test_a_pn532_frame_with_one_flipped_bit_is_refused_or_unharmed(body, bit, place):
    good = frame(b"\xd5" + body)
    assert body_of(good) == body
    bad = bytearray(good)
    bad[place % len(bad)] ^= 1 << bit
    with suppress(Unclear):
        assert body_of(bytes(bad)) == body  # the flip hit padding


def full_frame(lit):
    data = bytearray(92 * 3)
    for led in lit:
        data[led * 3 + 1] = 9
    return data


@given(st.sets(st.integers(0, 91)))
def test_max7219_lights_exactly_what_the_frame_says(lit):
    chain = Max7219Chain(2, load_pin=13)

    class Spi:
        def write(self, data):
            for byte in data:
                chain.exchange(byte)

    class Select:
        def value(self, level):
            chain.on_pin(13, level)

    lamps = Max7219(Spi(), Select(), 92, 0.3)
    while not lamps.show(full_frame(lit)):
        pass
    assert chain.lit() == lit
    assert {registers[0x0A] for registers in chain.registers} == {4}  # five sixteenths


@given(st.sets(st.integers(0, 91)))
def test_ht16k33_lights_exactly_what_the_frame_says(lit):
    chip = Ht16k33Chip()
    bus = SimpleNamespace(writeto=lambda _, data: chip.writeto(data))
    lamps = Ht16k33(bus, 0x70, 92, 0.3)
    while not lamps.show(full_frame(lit)):
        pass
    assert (chip.lit(), chip.dimming) == (lit, 4)  # five sixteenths


def lights_of(count, **changes):
    looks = {signal.number: (signal.colour, signal.pattern) for signal in SIGNALS.values()}
    return Lights(
        **{
            "positions": range(count),
            "per_cell": 1,
            "count": count,
            "looks": looks,
            "colours": True,
            "order": (0, 1, 2),
            "brightness": 1,
            "limit_ma": 0,
        }
        | changes
    )


def next_frame(lights, now):
    """Return the frame of this moment, `None` if it is the one before."""
    steps = (lights.step(now) for _ in range(200))
    return next((bytes(frame) for frame in steps if frame is not None), None)


def test_a_frame_never_asks_for_more_current_than_allowed():
    lights = lights_of(92, limit_ma=1200)
    lights.set(bytes([SIGNALS["last-turn"].number] * 46 + [SIGNALS["realm"].number] * 46))
    frame = next_frame(lights, 100)
    assert sum(frame) * 20 / 255 <= 1200
    assert all(frame[led * 3 + 1] for led in range(92))  # dimmed, not dark


def test_a_steady_frame_is_sent_again_every_second_and_not_more_often():
    lights = lights_of(3)
    lights.set(bytes([0, SIGNALS["must-go-here"].number, 0]))
    sent = [at for at in range(1000, 6000, 5) if next_frame(lights, at)]
    assert len(sent) == 5
    lights.set(bytes(3))
    assert next_frame(lights, 6100) == bytes(9)


@given(st.lists(st.binary(min_size=8, max_size=8), min_size=2, max_size=6), st.integers(1, 9))
def test_lights_that_change_at_any_moment_show_in_the_end_what_they_were_last_told(states, steps):
    once, often = lights_of(8), lights_of(8)
    for state in states:
        often.set(state)
        for now in range(0, steps * 7, 7):
            often.step(now)
    once.set(states[-1])
    at = CYCLE_MS + 40
    assert next_frame(often, at) == next_frame(once, at)


@pytest.mark.parametrize("signal", SIGNALS.values(), ids=lambda signal: signal.id)
def test_every_signal_shows_its_colour_at_some_moment_and_nothing_else(signal):
    lights = lights_of(1)
    lights.set(bytes([signal.number]))
    frames = {next_frame(lights, 1000 + at) for at in range(0, CYCLE_MS, 20)} - {None}
    brightest = max(frames, key=sum)
    if signal.pattern != "steady-dim":
        assert tuple(brightest) == pytest.approx(signal.colour, abs=8)
    if signal.pattern.endswith("blink"):
        assert len(frames) == 2


def test_patterns_of_one_colour_are_told_apart_without_it():
    shapes = {}
    for pattern in {signal.pattern for signal in SIGNALS.values()}:
        shapes[pattern] = tuple(strength(pattern, at, 0) for at in range(0, CYCLE_MS, 20))
    assert len(set(shapes.values())) == len(shapes)


@given(st.integers(0, ticks.WRAP - 1), st.integers(0, 1 << 28))
def test_time_passes_across_the_wrap(moment, pause):
    assert ticks.diff(ticks.add(moment, pause), moment) == pause


READS = st.one_of(st.sampled_from([b"", b"AAAA", b"BBBB"]), st.just(Unclear()))


class ScriptedReader:
    """Gives what the script says, one read after the other, then nothing."""

    def __init__(self, script):
        self.script = list(script)
        self.given = []

    def renew(self):
        return True
        yield

    def read(self):
        yield
        result = self.script.pop(0) if self.script else b""
        self.given.append(result)
        if isinstance(result, Unclear):
            raise result
        return result


@given(st.lists(READS, max_size=20))
def test_a_tag_is_believed_exactly_when_two_reads_in_a_row_agree(script):
    reader = ScriptedReader(script)
    scheduler = TagScheduler([reader])
    found = []
    scheduler.found = lambda _, uid: found.append((uid, len(reader.given)))
    scheduler.placed(0)
    for now in range(0, 20_000, 5):
        scheduler.step(now)
    known = None
    for uid, reads in found:
        assert uid != known
        known = uid
        assert reader.given[reads - 2 : reads] == [uid, uid]
    if script[:2] == [b"AAAA", b"AAAA"]:
        assert found[0] == (b"AAAA", 2)
