"""A reconciler that notes how long it thinks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from firmware_bridge.reconciler import Reconciler

if TYPE_CHECKING:
    from collections.abc import Callable

    from drivers.port import CellEvent, Snapshot
    from firmware_bridge.reconciler import Finding
    from rules.interface import Side


class TimedReconciler(Reconciler):
    """Judges as any reconciler does.

    Attributes:
        spent_ns: processor time taken by what happened so far, in nanoseconds; `prepare`, which is
            done while nothing happens, is not in it.
    """

    spent_ns = 0

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
        self.spent_ns += time.thread_time_ns() - began
        return findings
