"""Whether a process lives: asked for a sign, and judged by what it got of the processor.

A machine with much else to do gives a process of low priority little. That is no fault of it: one
that waits for its share is waited for, one that sleeps or computes and does not answer is not.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Literal

_ASLEEP = 3
"""Looks in a row, all at one that did nothing, after which it should have answered."""
_BUSY_S = 0.5
"""Seconds of the processor after which one that computes should have answered."""
_STARTING_ASLEEP = 15
_STARTING_BUSY_S = 2.0
"""The same before the first answer, when it has yet to be loaded, perhaps from a slow card."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Pulse:
    """The signs of life of one process."""

    def __init__(self, pid: int) -> None:
        self._tasks = Path(f"/proc/{pid}/task")
        self._asked: float | None = None  # the seconds of the processor that it had used by then
        self._asleep = 0, 0.0  # looks in a row at one that did nothing, and what it had used
        self._ever = False
        self._last = time.monotonic(), 0.0

    def due(self) -> bool:
        """Return whether to ask for a sign now, and note that it is asked."""
        if self._asked is not None:
            return False
        self._asked = self._state()[1]
        self._asleep = 0, self._asked
        return True

    def answered(self) -> None:
        """Note that a sign came."""
        self._asked = None
        self._ever = True

    def missing(self) -> Literal["stopped", "silent"] | None:
        """Return what is wrong when a sign should have come by now; ask a few times a second.

        Looks are counted and not seconds: whoever looks may have been held up himself.
        """
        states, used = self._state()
        if states and states <= {"T", "t"}:
            return "stopped"
        if self._asked is None:
            return None
        looks, used_before = self._asleep
        idle = bool(states) and states <= {"S"} and used == used_before
        self._asleep = (looks + 1 if idle else 0), used
        most_asleep = _ASLEEP if self._ever else _STARTING_ASLEEP
        most_busy = _BUSY_S if self._ever else _STARTING_BUSY_S
        silent = self._asleep[0] >= most_asleep or used - self._asked > most_busy
        return "silent" if silent else None

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
