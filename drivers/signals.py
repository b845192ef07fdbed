"""The signals a board can show: a colour and a pattern each, so that either alone is enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Pattern = Literal[
    "steady",
    "steady-dim",
    "slow-blink",
    "fast-blink",
    "double-blink",
    "triple-blink",
    "slow-pulse",
    "chase",
]


@dataclass(frozen=True, slots=True)
class Signal:
    """How a signal looks: an RGB colour at full brightness, and its pattern."""

    id: str
    number: int
    colour: tuple[int, int, int]
    pattern: Pattern


_WHITE, _GREEN, _AMBER = (255, 255, 255), (0, 255, 0), (255, 150, 0)
_RED, _BLUE, _VIOLET, _CYAN = (255, 0, 0), (0, 60, 255), (170, 0, 255), (0, 220, 220)
"""Full in one or two of a light's three colours, so that they stay apart when they are dimmed."""

SIGNALS: dict[str, Signal] = {
    signal.id: signal
    for signal in (
        Signal("last-turn", 1, _WHITE, "steady-dim"),
        Signal("press-clock", 2, _GREEN, "slow-pulse"),
        Signal("awaited", 3, _AMBER, "slow-blink"),
        Signal("unexplained", 4, _RED, "steady-dim"),
        Signal("must-go-back", 5, _RED, "fast-blink"),
        Signal("must-go-here", 6, _RED, "steady"),
        Signal("check", 7, _RED, "double-blink"),
        Signal("invisible", 8, _BLUE, "steady"),
        Signal("convertible", 9, _VIOLET, "chase"),
        Signal("realm", 10, _CYAN, "steady"),
        Signal("setup", 11, _WHITE, "slow-blink"),
        Signal("fault", 12, _AMBER, "triple-blink"),
    )
}
"""Signal id -> signal. The number is what goes over the wire (`hardware/protocol.md`)."""
