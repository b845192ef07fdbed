"""A reconciler that notes how long it thinks, and what many such times come to."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from drivers.port import CellEvent, Snapshot
from firmware_bridge.reconciler import Finding, Reconciler
from rules.interface import Side


@dataclass(slots=True)
class Stopwatch:
    """Processor time that all reconcilers of a game have taken so far, in nanoseconds."""

    spent_ns: int = 0


class TimedReconciler(Reconciler):
    """Judges as any reconciler does.

    Args:
        watch: runs while what happens is judged; `prepare`, which is done while nothing happens, is
            not timed.
        *how: what any reconciler takes.
    """

    def __init__(self, watch: Stopwatch, *how: Any) -> None:  # noqa: ANN401 - see Reconciler
        self._watch = watch
        super().__init__(*how)

    def feel(self, event: CellEvent | Snapshot) -> tuple[Finding, ...]:
        """Take in what the board felt."""
        return self._timed(lambda: super(TimedReconciler, self).feel(event))

    def press(self, t: float, side: Side) -> tuple[Finding, ...]:
        """Take in a clock button."""
        return self._timed(lambda: super(TimedReconciler, self).press(t, side))

    def answer(self, t: float, text: str) -> tuple[Finding, ...]:
        """Take in the answer to a choice."""
        return self._timed(lambda: super(TimedReconciler, self).answer(t, text))

    def declare(self, t: float, what: str) -> tuple[Finding, ...]:
        """Take in a declaration."""
        return self._timed(lambda: super(TimedReconciler, self).declare(t, what))

    def tick(self, t: float) -> tuple[Finding, ...]:
        """Let time pass."""
        return self._timed(lambda: super(TimedReconciler, self).tick(t))

    def _timed(self, judge: Callable[[], tuple[Finding, ...]]) -> tuple[Finding, ...]:
        began = time.thread_time_ns()
        findings = judge()
        self._watch.spent_ns += time.thread_time_ns() - began
        return findings


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of all do not exceed; 0 if there are none."""
    if not values:
        return 0.0
    ranked = sorted(values)
    return ranked[max(0, math.ceil(share * len(ranked)) - 1)]
