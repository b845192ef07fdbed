"""The LEDs' bit shapes, from the PIO program itself, against the data sheet's windows."""

import importlib
import sys
from types import ModuleType

import pytest

CYCLE_NS = 125  # 8 MHz


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


def pulses(assembler, bits):
    """Run the program; return (nanoseconds high, nanoseconds low) for every bit."""
    levels, bits, at, x = [], list(bits), 0, 0
    while True:
        step = assembler.program[at]
        if step.what == "out":
            if not bits:
                break
            x = bits.pop(0)
        levels += [step.level] * (1 + step.delay)
        at = (at + 1) % len(assembler.program)
        jumps = step.what == "jmp" and (len(step.arguments) == 1 or not x)
        if jumps:
            at = assembler.labels[step.arguments[-1]]
    shapes = []
    for before, level in zip([0, *levels], levels, strict=False):
        if level and not before:
            shapes.append([0, 0])
        if shapes:
            shapes[-1][0 if level else 1] += CYCLE_NS
    return shapes


@pytest.fixture
def program(monkeypatch):
    import rp2

    kept = {}

    def keep(**options):
        return lambda program: kept.setdefault("program", program) and options

    monkeypatch.setattr(rp2, "asm_pio", keep)
    monkeypatch.setitem(sys.modules, "micropython", ModuleType("micropython"))
    monkeypatch.delitem(sys.modules, "boardware.pico", raising=False)
    importlib.import_module("boardware.pico")
    assembler = Assembler()
    for name, value in assembler.items():
        monkeypatch.setitem(kept["program"].__globals__, name, value)
    kept["program"]()
    yield assembler
    sys.modules.pop("boardware.pico")


def test_bits_keep_within_the_windows_of_the_data_sheet(program):
    bits = [0, 1, 1, 0, 1, 0, 0, 1]
    shapes = pulses(program, bits)
    assert len(shapes) == len(bits)
    for bit, (high, _) in zip(bits, shapes, strict=True):
        # T0H 0.35 to 0.4, T1H 0.7 to 0.9 microseconds, each +-0.15.
        assert (550 <= high <= 1050) if bit else (200 <= high <= 550)
    for high, low in shapes[:-1]:
        assert high + low == 1250
