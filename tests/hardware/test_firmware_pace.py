"""Does a Pico keep up? The firmware in the time that its own instructions would take there.

A model, not a measurement: every bytecode instruction of the firmware takes as long as it does in
loops that others have timed on a Pico at 125 MHz, calls of the chip's functions included: 25.6 us
for one round of `while True: out.value(inp.value())`, ten instructions; 22 us for one of eight
rounds of `for pin in pins: pin.value(level)`, nine instructions.
"""

import sys

import pytest
from boardware.usb import UsbWire

from drivers.link import codec
from tests.hardware.board_on_bench import OnBench
from tests.hardware.usb_port import Usb

INSTRUCTION_US = 2.5
OTHER_INTERPRETERS = "ticks.py"  # written in C on a Pico


class Processor:
    """Counts the instructions that the firmware takes."""

    def __init__(self):
        self.taken = 0

    def run(self, work):
        self.taken = 0
        sys.settrace(self._called)
        try:
            work()
        finally:
            sys.settrace(None)
        return self.taken

    def _called(self, frame, _event, _arg):
        file = frame.f_code.co_filename
        ours = "/boardware/" in file or "/drivers/link/" in file
        if not ours or file.endswith(OTHER_INTERPRETERS):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._stepped

    def _stepped(self, _frame, event, _arg):
        self.taken += event == "opcode"
        return self._stepped


class Cable:
    """Carries what the board writes when the host's own work no longer counts as the board's."""

    def __init__(self, monkeypatch, host):
        self.host = host
        self.usb = Usb(monkeypatch)
        self.usb.room = 1 << 30

    def deliver(self):
        self.host.write(self.usb.outward)
        self.usb.outward = b""
        self.usb.inward += self.host.read()


@pytest.fixture(params=["starter", "full"])
def playing(request, clock, monkeypatch):
    """A board in mid-game: pieces stand on it, the last turn shines, and the host is there."""
    board = OnBench.greeted(clock, request.param)
    for number in range(32):
        board.bench.put(number, bytes((4, number, 1, 2, 3, 4, 5)))
    board.run(3000)
    board.host.say(codec.SetLights(1, 0, bytes((1, 1)) + bytes(53)))
    board.run(100)
    board.cable = Cable(monkeypatch, board.host)
    board.board._wire = UsbWire()
    return board


def one_pass(board):
    """Let one pass of the main loop take its time; return that in milliseconds."""
    took = Processor().run(board.board.step) * INSTRUCTION_US
    board.clock.now_us += int(took)
    board.cable.deliver()
    return took / 1000


def test_five_hundred_samples_a_second(playing):
    begun, samples, passes = playing.clock.now_us, playing.board.scans, []
    while playing.clock.now_us < begun + 1_050_000:  # a snapshot and some background checks
        passes.append(one_pass(playing))
    rate = (playing.board.scans - samples) / (playing.clock.now_us - begun) * 1e6
    assert rate >= 500
    assert max(passes) < 6


def test_a_reed_is_on_the_wire_soon_after_it_closed(playing):
    waited = []
    for number in range(33, 45):
        playing.clock.now_us += 137
        at, known = playing.clock.now_us, len(playing.felt())
        playing.bench.put(number, bytes((4, number, 1, 2, 3, 4, 5)))
        while len(playing.felt()) == known:
            one_pass(playing)
        waited.append((playing.clock.now_us - at) / 1000)
        for _ in range(10):
            one_pass(playing)
    assert max(waited) < 9
