"""What real parts do to firmware that is written too trustingly, one trap after the other."""

import importlib
import sys

import bench
import machine
import pytest
from boardware.board import LOCKOUT_MS, Buttons
from boardware.lamps.ws2812 import Ws2812
from boardware.parts import Parts
from boardware.readers import Unclear
from boardware.scan import GPIO_IN, DiodeMatrix
from boardware.tags import TRIES, TagScheduler
from chips import Tag

from drivers.link import codec
from drivers.link.board_session import BoardSession
from tests.drivers.bad_cable import BOARD, identity
from tests.hardware.board_on_bench import OnBench
from tests.hardware.test_firmware_parts import ScriptedReader, finish, plain_config
from tests.hardware.test_netlist import changed

UID = bytes.fromhex("04A1B2C3D4E5F6")


def test_the_columns_of_a_matrix_are_read_after_they_have_settled_and_before_the_next_row():
    told = []

    class Row:
        def __init__(self, name):
            self.name = name

        def value(self, level):
            told.append((self.name, level))

    class Registers:
        def __getitem__(self, address):
            assert address == GPIO_IN
            told.append("read")
            return 0xFF

    matrix = DiodeMatrix([Row("one"), Row("two")], 0, Registers(), lambda: told.append("wait"))
    matrix.read_into(bytearray(2))
    assert told == [("one", 0), "wait", "read", ("one", 1), ("two", 0), "wait", "read", ("two", 1)]


def test_a_tag_that_is_clear_at_the_last_moment_gets_the_second_read_it_needs():
    scheduler, found = TagScheduler([ScriptedReader([Unclear()] * (TRIES - 1) + [UID, UID])]), []
    scheduler.found = lambda *what: found.append(what)
    scheduler.placed(0)
    for _ in range(200):
        scheduler.step(0)  # no background check comes to its help
    assert found == [(0, UID)]


def test_a_poor_read_is_tried_again_before_the_others_are_looked_at(clock):
    board = OnBench.greeted(clock, "full")
    for number in range(20):
        board.bench.put(number, bytes((4, number, 1, 2, 3, 4, 5)))
    board.run(2500)
    board.put("e4", UID)
    board.bench.readers[board.number("e4")].garble = 4
    board.run(500)
    assert board.felt()[-1] == ("e4", UID)


def test_at_rest_fields_are_rare_and_the_readers_sleep(clock):
    board = OnBench(clock, "full")
    board.run(600)
    for number in range(10):
        board.bench.put(number, bytes((4, number, 1, 2, 3, 4, 5)))
    board.run(2000)
    readers = board.bench.readers
    before = sum(reader.fields for reader in readers)
    awake = 0
    for _ in range(2000):
        board.run(1)
        awake += any(not reader.registers[1] & 0x10 for reader in readers)
    assert 6 <= sum(reader.fields for reader in readers) - before <= 9
    assert awake < 400


def reader_of(clock, kind):
    """Return a chip with a tag in its field, and what the firmware reads it with."""
    pins = {"clock": 14, "mosi": 15, "miso": 12, "select0": 16}
    changes = {
        "cells": 1,
        "tags": {"kind": kind, "count": 1, "multiplexing": "none", "pins": pins},
    }
    chip = bench.build(plain_config(**changes)).readers[0]
    parts = Parts(plain_config(**changes), machine, None)
    assert finish(clock, parts.self_test()) == []
    chip.tags = [Tag(UID)]
    return chip, parts.readers[0]


@pytest.fixture
def one_reader(clock):
    return reader_of(clock, "mfrc522")


@pytest.fixture
def one_pn532(clock):
    return reader_of(clock, "pn532")


@pytest.mark.parametrize("damaged", [1, 2, 3, 4], ids=["part", "select", "rest", "last select"])
def test_a_uid_with_a_damaged_answer_is_not_believed(clock, one_reader, damaged):
    chip, reader = one_reader
    chip.garbled = damaged
    with pytest.raises(Unclear):
        finish(clock, reader.read())
    assert not chip.field
    assert finish(clock, reader.read()) == UID


def test_a_reader_that_gets_stuck_is_given_up(clock, one_reader):
    chip, reader = one_reader
    chip.stuck = True
    begun = clock.now_us
    with pytest.raises(Unclear, match="stuck"):
        finish(clock, reader.read())
    assert clock.now_us - begun < 30_000
    assert not chip.field


def test_two_tags_above_a_pn532_are_no_answer(clock, one_pn532):
    chip, reader = one_pn532
    chip.tags.append(Tag(UID[:4]))
    with pytest.raises(Unclear, match="collision"):
        finish(clock, reader.read())
    assert not chip.field


def test_a_pn532_read_that_nobody_waits_for_leaves_no_field(one_pn532):
    chip, reader = one_pn532
    chip.busy = 1
    work = reader.read()
    next(work)
    assert chip.field
    work.close()
    assert not chip.field


def test_a_pn532_that_dies_in_mid_read_does_not_take_the_board_with_it(clock, one_pn532):
    chip, reader = one_pn532
    chip.busy = 1
    work = reader.read()
    next(work)

    def dead(byte):
        clock.now_us += 100
        return 0

    chip.exchange = dead
    work.close()


class Level:
    def __init__(self, levels):
        self.levels = list(levels)

    def value(self):
        return self.levels.pop(0) if self.levels else 1


def test_a_disturbance_of_one_look_is_no_button():
    levels = [1, 0, 1, 1, 0, 1, 0, 0, 0]
    buttons = Buttons([Level([1, *levels])])
    times = [LOCKOUT_MS + 10 * n for n in range(len(levels))]
    assert [buttons.step(now) for now in times] == [-1] * 7 + [0, -1]


def test_a_line_that_is_busy_gets_no_second_frame():
    class Line:
        sent, taken = 0, True

        def busy(self):
            return self.taken

        def send(self, data):
            self.sent += 1

    line = Line()
    lamps = Ws2812(line, 2)
    assert not lamps.show(bytearray(6))
    line.taken = False
    assert lamps.show(bytearray(6))
    assert line.sent == 1


def test_a_light_chip_that_loses_contact_is_told_and_lights_again_when_it_is_back(clock):
    leds = {"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}}
    board = OnBench(clock, changed("starter", leds=leds))
    chip = board.bench.i2c.pop(0x70)
    board.run(200)
    board.host.greet()
    board.run(50)
    board.put("e4")
    board.host.say(codec.SetLights(1, 0, bytes([6, 0])))
    board.run(2500)
    codes = [codec.NOTICES[notice.code] for notice in board.host.of(codec.Notice)]
    assert codes == ["light-fault"]
    assert board.felt() == [("e4", True)]
    board.bench.i2c[0x70] = chip
    board.run(1500)
    assert board.bench.leds.lit() == {0}
    board.host.say(codec.Command(1, codec.SELF_TEST))
    board.run(50)
    assert codec.NOTICES[board.host.of(codec.Notice)[-1].code] == "self-test-passed"


@pytest.fixture
def pico(monkeypatch):
    monkeypatch.delitem(sys.modules, "boardware.pico", raising=False)
    bench.build(plain_config())
    yield importlib.import_module("boardware.pico")
    sys.modules.pop("boardware.pico", None)


def test_every_start_is_counted_and_a_spoilt_counter_begins_anew(pico, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [pico.count_boot() for _ in range(3)] == [1, 2, 3]
    (tmp_path / pico.BOOTS).write_text("not a number")
    assert pico.count_boot() == 1


def heard(board, now=0):
    reader = codec.FrameReader()
    return [codec.decode(body) for body in reader.feed(board.transmit(now))]


def say(board, message, now=0):
    board.receive(codec.frame(codec.encode(message)), now)


def test_a_host_that_remembers_another_start_of_the_board_cannot_go_on_there():
    board = BoardSession(identity(BOARD), boot=7)
    say(board, codec.AskHello(1, 1, 0, 0, 0))
    board.feel(3, True, 0)
    say(board, codec.AskHello(1, 2, 1, 6, 0))
    told = heard(board)
    assert [message.first for message in told if isinstance(message, codec.Hello)] == [0, 1]
    assert not [message for message in told if isinstance(message, codec.Cell)]


def test_lights_that_arrive_after_newer_ones_are_not_shown():
    board = BoardSession(identity(BOARD), boot=7)
    say(board, codec.AskHello(1, 1, 0, 0, 0))
    say(board, codec.SetLights(250, 0, bytes([3])))
    say(board, codec.SetLights(2, 0, bytes([6])))  # revisions count modulo 256
    say(board, codec.SetLights(251, 0, bytes([7])))
    assert board.lights[0] == 6
