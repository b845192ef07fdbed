"""How fast a board's buses may be: an answer must be there half a clock after it was asked for.

Nanoseconds at 3.3 V, typical and at worst; gates from the data sheets' figures for 4.5 V, scaled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hardware.tools.circuits import banks
from hardware.tools.netlist import MOST_LOADS

if TYPE_CHECKING:
    from drivers.description import BoardDescription

PULL_OHM, BUS_PF = 10_000, 100
"""Pull-ups of an I2C board, and a bus of half a metre with one chip."""


class Delay(NamedTuple):
    """How long an answer takes, typically and at worst."""

    typical: float
    worst: float


GATE = Delay(12, 32)
"""One 74HC125 or 74HC08."""
_CHIP = {"mfrc522": Delay(25, 25), "pn532": Delay(25, 65), "74hc165": Delay(25, 60)}
"""From a clock's edge to the answer (data sheets)."""
_LINES, _SAMPLED = Delay(6, 10), Delay(24, 24)
"""Half a metre of wire; and before the Pico looks (three of its clocks)."""


def answer(description: BoardDescription, kind: str) -> Delay:
    """Return how long after its clock's edge a chip's answer is known.

    Args:
        description: the board.
        kind: what answers: the kind of its contacts or of its readers.

    Example:
        `answer(load_description("full"), "mfrc522").worst` is 187: four gates lie on that way.
    """
    gates = 0
    if kind == "74hc165":
        gates = len(description.built) > 8 * MOST_LOADS  # the clock is shared out
    elif description.tags and "enable" in description.tags.pins:
        # To the bank and back; where there are many, shared out before and joined behind.
        gates = 2 + 2 * (banks(description.tags.count) > MOST_LOADS)
    steps = (*(GATE,) * gates, _CHIP[kind], _LINES, _SAMPLED)
    return Delay(sum(step.typical for step in steps), sum(step.worst for step in steps))


def fastest_spi(description: BoardDescription, kind: str) -> float:
    """Return the clock, in hertz, at which even the latest answer comes half a clock before."""
    return 1e9 / (2 * answer(description, kind).worst)


def fastest_i2c() -> int:
    """Return the I2C speed whose allowed rise time (300 ns or 1000 ns) these pull-ups reach."""
    rise = 0.8473 * PULL_OHM * BUS_PF * 1e-3
    return 400_000 if rise <= 300 else 100_000
