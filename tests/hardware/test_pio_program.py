"""The LEDs' bit shapes: the PIO program on an emulated chip, and the data sheet's windows."""

import importlib
import itertools
import sys
from types import ModuleType, SimpleNamespace

import pytest
import rp2
from rp2040py.rp2040 import RP2040

CLOCK_HZ, PIO_HZ = 125e6, 8e6
PIO0, PIN = 0x50200000, 22


class Instruction:
    """One PIO instruction: what it does, its side-set level and its delay."""

    def __init__(self, what, *arguments):
        self.what, self.arguments, self.level, self.delay = what, arguments, None, 0

    def side(self, level):
        self.level = level
        return self

    def __getitem__(self, delay):
        self.delay = delay
        return self


class Assembler(dict):
    """The names a PIO program uses; keeps instructions and where its labels are."""

    def __init__(self):
        super().__init__()
        self.program, self.labels = [], {}
        for name in ("out", "jmp", "nop"):
            self[name] = lambda *arguments, name=name: self._add(name, arguments)
        self["label"] = lambda name: self.labels.__setitem__(name, len(self.program))
        self["wrap_target"] = self["wrap"] = lambda: None
        self["x"], self["not_x"] = "x", "not_x"

    def _add(self, name, arguments):
        self.program.append(Instruction(name, *arguments))
        return self.program[-1]


def encoded(assembler):
    """Return the program as the chip's data sheet encodes it, with one bit of side-set."""
    sources = {"x": 1, "y": 2}
    conditions = {"not_x": 1}
    words = []
    for step in assembler.program:
        if step.what == "out":
            destination, count = step.arguments
            word = 0x6000 | sources[destination] << 5 | count
        elif step.what == "jmp":
            condition = conditions[step.arguments[0]] if len(step.arguments) == 2 else 0
            word = condition << 5 | assembler.labels[step.arguments[-1]]
        else:
            word = 0xA000 | sources["y"] << 5 | sources["y"]
        words.append(word | step.level << 12 | step.delay << 8)
    return words


def pulses(assembler, options, data):
    """Run the program on an emulated RP2040; return (high, low) in nanoseconds, bit by bit."""
    chip = RP2040()
    chip.simulator = SimpleNamespace()  # the clock's cycles come from here
    assert options["out_shiftdir"] == rp2.PIO.SHIFT_LEFT
    words = encoded(assembler)
    for place, word in enumerate(words):
        chip.write_uint32(PIO0 + 0x48 + 4 * place, word)
    chip.write_uint32(PIO0 + 0xC8, int(CLOCK_HZ / PIO_HZ * 256) << 8)
    chip.write_uint32(PIO0 + 0xCC, len(words) - 1 << 12)
    chip.write_uint32(PIO0 + 0xD0, options["autopull"] << 17 | options["pull_thresh"] << 25)
    chip.write_uint32(PIO0 + 0xDC, 1 << 29 | PIN << 10)
    chip.write_uint32(PIO0, 1 << 4)  # restarted, so that it begins by fetching a byte
    for byte in data:
        chip.write_uint32(PIO0 + 0x10, byte * 0x01010101)  # as the bus widens a byte
    chip.write_uint32(PIO0, 1)
    levels = []
    for _ in range(int(len(data) * 8 * 10 * CLOCK_HZ / PIO_HZ) + 100):
        chip.pio[0].advance(1)
        levels.append(chip.pio[0].pin_values >> PIN & 1)
    shapes = []
    for before, level in itertools.pairwise([0, *levels]):
        if level and not before:
            shapes.append([0, 0])
        if shapes:
            shapes[-1][0 if level else 1] += 1e9 / CLOCK_HZ
    return shapes


@pytest.fixture
def program(monkeypatch):
    kept = {}

    def keep(**options):
        return lambda program: kept.update(program=program, options=options) or options

    monkeypatch.setattr(rp2, "asm_pio", keep)
    monkeypatch.setitem(sys.modules, "micropython", ModuleType("micropython"))
    monkeypatch.delitem(sys.modules, "boardware.pico", raising=False)
    importlib.import_module("boardware.pico")
    assembler = Assembler()
    for name, value in assembler.items():
        monkeypatch.setitem(kept["program"].__globals__, name, value)
    kept["program"]()
    yield assembler, kept["options"]
    sys.modules.pop("boardware.pico")


def test_bits_keep_within_the_windows_of_the_data_sheet(program):
    data = bytes((0b01101001, 0xFF, 0x00, 0b10000001))
    shapes = pulses(*program, data)
    bits = [byte >> place & 1 for byte in data for place in range(7, -1, -1)]
    assert len(shapes) == len(bits)
    for bit, (high, _) in zip(bits, shapes, strict=True):
        # T0H 0.35 to 0.4, T1H 0.7 to 0.9 microseconds, each +-0.15.
        assert (550 <= high <= 1050) if bit else (200 <= high <= 550)
    for high, low in shapes[:-1]:
        assert abs(high + low - 1250) <= 16  # the divider has a fraction: two clocks of 8 ns
