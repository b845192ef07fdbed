"""A penalty: an illegal move costs half of the time that is left. People write `half`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.referee.penalties import Effect, Penalty

if TYPE_CHECKING:
    from firmware_bridge.clock.clock import Clock
    from rules import Side


class HalfTheTime(Penalty):
    """Half of what the offender has left; nothing where no time runs."""

    kind = form = "half"

    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:
        """Take it."""
        if clock.control.untimed:
            return Effect(clock, announced=False)
        cost = clock.left(side, t_ms) // 2
        return Effect(clock.add(side, -cost, t_ms), cost)
