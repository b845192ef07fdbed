"""The firmware on a workbench: its real code, MicroPython's modules replaced by emulated pins."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "hardware" / "firmware"), str(Path(__file__).parent / "fakes")]


class Clock:
    """Time that passes only when told to."""

    def __init__(self):
        self.now_us = 1_000_000

    def us(self):
        return self.now_us % (1 << 30)

    def ms(self):
        return self.now_us // 1000 % (1 << 30)

    def sleep_ms(self, pause):
        self.now_us += pause * 1000

    def sleep_us(self, pause):
        self.now_us += pause


def stop_the_clock(monkeypatch):
    from boardware import ticks

    clock = Clock()
    for name in ("us", "ms", "sleep_ms", "sleep_us"):
        monkeypatch.setattr(ticks, name, getattr(clock, name))
    return clock


@pytest.fixture
def clock(monkeypatch):
    return stop_the_clock(monkeypatch)
