"""Signals on lights of one colour: each pattern as eight steps, on or off."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.port import Lights
from drivers.signals import SIGNALS, Pattern

STEPS: Mapping[Pattern, int] = {
    "steady": 0b11111111,
    "steady-dim": 0b10000000,  # a light that cannot be dim winks instead
    "slow-blink": 0b11110000,
    "fast-blink": 0b10101010,
    "double-blink": 0b10100000,
    "triple-blink": 0b10101000,
    "slow-pulse": 0b11111100,
    "chase": 0b11000000,
}
"""Pattern -> its steps, played from the highest bit on, over and over."""


def played(lights: Lights) -> dict[str, int]:
    """Return the steps of every lit cell; along a chase each cell begins a little later."""
    steps: dict[str, int] = {}
    chased = 0
    for cell, signal_id in lights.cells.items():
        pattern = SIGNALS[signal_id].pattern
        bits = STEPS[pattern]
        if pattern == "chase":
            turn = chased % 8
            bits = (bits >> turn | bits << (8 - turn)) & 0xFF
            chased += 1
        steps[cell] = bits
    return steps


def lit(steps: Mapping[str, int], step: int) -> frozenset[str]:
    """Return the cells that are on at one step."""
    mask = 0x80 >> step % 8
    return frozenset(cell for cell, bits in steps.items() if bits & mask)


def moving(steps: Mapping[str, int]) -> bool:
    """Return whether any light changes by itself."""
    return any(bits != 0xFF for bits in steps.values())
