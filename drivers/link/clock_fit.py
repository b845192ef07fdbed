"""When did it happen? Board stamps, in milliseconds of its own clock, as host monotonic time."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from drivers.link.codec import CLOCK_WRAP

WINDOW = 30.0
"""Seconds for which a measurement counts; a quartz 50 ppm off drifts 1.5 ms in that time."""


@dataclass(frozen=True, slots=True)
class _Sample:
    sent: float
    received: float
    stamp: int

    @property
    def round_trip(self) -> float:
        return self.received - self.sent


class ClockFit:
    """Ties the board's clock to the host's by the quickest answer of the last half minute.

    The board stamped its answer somewhere between question and answer, so the middle is wrong by
    half the round trip at most.
    """

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=64)
        self._best: _Sample | None = None

    @property
    def round_trip(self) -> float | None:
        """Seconds of the quickest round trip that counts, `None` before the first."""
        return self._best.round_trip if self._best else None

    def add(self, sent: float, received: float, stamp: int) -> None:
        """Note that a question sent at `sent` was answered with `stamp` by `received`."""
        self._samples.append(_Sample(sent, received, stamp))
        while self._samples[0].received < received - WINDOW:
            self._samples.popleft()
        self._best = min(self._samples, key=lambda sample: sample.round_trip)

    def reset(self) -> None:
        """Forget everything: the board has started anew, and its clock with it."""
        self._samples.clear()
        self._best = None

    def host_time(self, stamp: int, now: float) -> float:
        """Return the host time of a board stamp, never later than `now`."""
        if self._best is None:
            return now
        ahead = (stamp - self._best.stamp + CLOCK_WRAP // 2) % CLOCK_WRAP - CLOCK_WRAP // 2
        middle = (self._best.sent + self._best.received) / 2
        return min(now, middle + ahead / 1000)
