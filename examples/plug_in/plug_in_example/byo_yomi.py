"""Byo-yomi, as Go is timed: `10m byo-yomi 3x30s`.

After ten minutes a player has three periods of thirty seconds. A turn made within a period leaves
it whole; a period that runs out is gone, and with the last one the game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from firmware_bridge.clock import durations
from firmware_bridge.clock.modes import Mode, bonus

_FORM = re.compile(r"byo-yomi (\d+) ?x ?(.+)")


@dataclass(frozen=True, slots=True)
class ByoYomi(Mode):
    """Periods that a quick turn leaves whole.

    Attributes:
        periods: how many there are.
        each_ms: how long each is.
    """

    example = "10m byo-yomi 3x30s"

    periods: int
    each_ms: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read how many periods there are, and how long each is."""
        found = _FORM.fullmatch(text)
        if not found:
            return None
        periods, each_ms = int(found[1]), bonus(found[2])
        if not 0 < periods <= 99 or not each_ms:
            raise ValueError(f"{text!r}: write one to 99 periods, such as byo-yomi 3x30s")
        return cls(periods, each_ms)

    def __str__(self) -> str:
        return f"byo-yomi {self.periods}x{durations.show(self.each_ms)}"

    @property
    def extra_ms(self) -> int:
        """All periods: a clock shows them as time that is left."""
        return self.periods * self.each_ms

    def earned(self, left_ms: int, used_ms: int) -> int:
        """Fill the period up that was begun."""
        del used_ms
        return -left_ms % self.each_ms if 0 < left_ms < self.extra_ms else 0
