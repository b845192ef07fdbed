"""Whether a process lives: asked for a sign, and judged by what it got of the processor.

A machine with much else to do gives a process of low priority little. That is no fault of it: one
that waits for its share is waited for, one that sleeps or computes and does not answer is not.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Literal

_ASLEEP_S = 0.6
"""Seconds after which one that does nothing should have answered."""
_BUSY_S = 0.5
"""Seconds of the processor after which one that computes should have answered."""
_STARTING_S = 2.0
"""The same before the first answer, when it has yet to be loaded."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Pulse:
    """The signs of life of one process.

    Args:
        pid: its number.
    """

    def __init__(self, pid: int) -> None:
        self._tasks = Path(f"/proc/{pid}/task")
        self._asked: tuple[float, float] | None = None
        self._ever = False
        self._last = time.monotonic(), 0.0

    def due(self) -> bool:
        """Return whether to ask for a sign now, and note that it is asked."""
        if self._asked is not None:
            return False
        self._asked = time.monotonic(), self._state()[1]
        return True

    def answered(self) -> None:
        """Note that a sign came."""
        self._asked = None
        self._ever = True

    def missing(self) -> Literal["stopped", "silent"] | None:
        """Return what is wrong when a sign should have come by now."""
        states, used = self._state()
        if states and states <= {"T", "t"}:
            return "stopped"
        if self._asked is None:
            return None
        since, used_then = self._asked
        if used - used_then > (_BUSY_S if self._ever else _STARTING_S):
            return "silent"
        asleep = states <= {"S"} and time.monotonic() - since > _ASLEEP_S
        return "silent" if states and asleep else None

    def own_time(self) -> float:
        """Return the seconds since this was asked last that were its own: it computed, or slept.

        What it only waited for its share of the processor does not count.
        """
        states, used = self._state()
        since, used_then = self._last
        self._last = time.monotonic(), used
        computed = used - used_then
        idle = states <= {"S"} and not computed
        return self._last[0] - since if idle else computed

    def _state(self) -> tuple[set[str], float]:
        """Return the states of its threads, as proc(5) has them, and its seconds of processor."""
        states, ticks = set(), 0
        try:
            for task in self._tasks.iterdir():
                fields = (task / "stat").read_text().rpartition(") ")[2].split()
                states.add(fields[0])
                ticks += int(fields[11]) + int(fields[12])
        except OSError:  # it has ended, which its owner hears elsewhere
            return set(), 0.0
        return states, ticks / _TICKS
