"""Replays a recording through the shipped table, in virtual time, and tells what came of it."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from drivers.port import ButtonEvent, CellEvent, Reading, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.diagnostics.stopwatch import Stopwatch, quantile
from firmware_bridge.messages import Input, LightsChanged, Tick
from firmware_bridge.messages.outputs import NewGameWanted, Output, VerdictChanged
from firmware_bridge.reconciler import Finding, Reconciler, Sensing, Settings
from firmware_bridge.reconciler.preparation import wholly
from firmware_bridge.reconciler.settings import SHIPPED, Habits
from firmware_bridge.recordings.format import Recording
from firmware_bridge.table import Table
from firmware_bridge.views.disclosure import Disclosure
from firmware_bridge.views.json_lines import Lines
from firmware_bridge.words import catalogue
from rules.interface import Side

Line = dict[str, Any]
"""One line of output, ready for JSON."""


class Replay:
    """One run of a recording.

    Args:
        recording: what the board felt.
        referee: whether full turns and positions are told, secrets included.
        why: whether every verdict says which turns are possible and what rules others out.
        habits: what hands and sensors are known to do.

    Attributes:
        found: all that the reconciler has found.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        referee: bool = False,
        why: bool = False,
        habits: Habits = SHIPPED,
    ) -> None:
        self._header = header = recording.header
        self._events = recording.events
        self._why = why
        self._watch = Stopwatch()
        self._habits = habits
        self.found: list[Finding] = []
        self.table = self._new_table(
            header.agreement(), 0.0, standing=header.standing(), begin=header.phase == "playing"
        )
        traits = self.table.state.position.game.traits
        self._lines = Lines(
            catalogue(self.table.agreement.settings.language, header.game),
            Disclosure(traits.owners_secret or header.tier == "face", record=True, full=referee),
        )
        self._spent: list[float] = []
        self._whole: list[float] = []

    def lines(self) -> Iterator[Line]:
        """Yield what happened, line by line, and the figures of the run last."""
        yield from self._told(self.table.take_up().outputs)
        for event in self._events:
            yield from self._wait_until(event.t)
            yield from self._feed(event)
        if self._events and isinstance(self._events[-1], ButtonEvent):
            # A press is answered as soon as the last contact of a turn can no longer come.
            yield from self._wait_until(self._events[-1].t + Settings().late)
        elif self._events and isinstance(self._events[-1], CellEvent):
            # A lift is one as soon as it can no longer be a knock.
            yield from self._wait_until(self._events[-1].t + self._habits.knock)
        whole = {"per_event_whole_us": _figures(self._whole)} if self._why else {}
        yield {"events": len(self._events), "per_event_us": _figures(self._spent), **whole}

    def _wait_until(self, t: float) -> Iterator[Line]:
        """Let everything happen at its own time that is due before the next event."""
        last = -math.inf
        while (due := self.table.wake_at) is not None and last < due <= t:
            last = due
            yield from self._told(self.table.feed(Tick(due)).outputs)

    def _feed(self, event: Input) -> Iterator[Line]:
        wholly(self.table.reconciler.prepare())
        judged, began = self._watch.spent_ns, time.thread_time_ns()
        batch = self.table.feed(event)
        if not isinstance(event, Tick):
            self._whole.append((time.thread_time_ns() - began) / 1000)
            self._spent.append((self._watch.spent_ns - judged) / 1000)
        yield from self._told(batch.outputs)

    def _told(self, outputs: Sequence[Output]) -> Iterator[Line]:
        for output in outputs:
            line = self._lines.line(output)
            if line is None:
                continue
            if self._why and isinstance(output, VerdictChanged):
                line["why"] = self.table.reconciler.why()
            yield line
        if any(isinstance(output, NewGameWanted) and not output.asked for output in outputs):
            yield from self._begin_anew(outputs[-1].t)

    def _begin_anew(self, t: float) -> Iterator[Line]:
        """Go on as the service does when the start was set up again: with another game."""
        agreement = dataclasses.replace(self._header.agreement(), position=None)
        standing = self.table.standing
        self.table = self._new_table(agreement, t, standing=standing, begin=False)
        anew = (LightsChanged(t, {}), VerdictChanged(t, self.table.reconciler.verdict))
        yield from self._told((*anew, *self.table.take_up().outputs))

    def _new_table(
        self,
        agreement: Agreement,
        t: float,
        *,
        standing: Mapping[str, Reading] | None,
        begin: bool,
    ) -> Table:
        sensing = Sensing(self._header.tier, self._header.tags, habits=self._habits)
        judge = partial(HeardReconciler, self.found.extend, self._watch)
        return Table(agreement, sensing, now=t, standing=standing, begin=begin, judge=judge)


class HeardReconciler(Reconciler):
    """A reconciler that tells what it finds, and how long it thinks.

    What `prepare` does while nothing happens is not timed.
    """

    def __init__(
        self,
        hear: Callable[[Sequence[Finding]], None],
        watch: Stopwatch,
        *how: Any,  # noqa: ANN401 - see Reconciler
    ) -> None:
        self._hear, self._watch = hear, watch
        super().__init__(*how)

    def feel(self, event: CellEvent | Snapshot) -> tuple[Finding, ...]:
        """Take in what the board felt."""
        return self._timed(lambda: super(HeardReconciler, self).feel(event))

    def press(self, t: float, side: Side) -> tuple[Finding, ...]:
        """Take in a clock button."""
        return self._timed(lambda: super(HeardReconciler, self).press(t, side))

    def answer(self, t: float, text: str) -> tuple[Finding, ...]:
        """Take in the answer to a choice."""
        return self._timed(lambda: super(HeardReconciler, self).answer(t, text))

    def declare(self, t: float, what: str) -> tuple[Finding, ...]:
        """Take in a declaration."""
        return self._timed(lambda: super(HeardReconciler, self).declare(t, what))

    def tick(self, t: float) -> tuple[Finding, ...]:
        """Let time pass."""
        return self._timed(lambda: super(HeardReconciler, self).tick(t))

    def _timed(self, judge: Callable[[], tuple[Finding, ...]]) -> tuple[Finding, ...]:
        began = time.thread_time_ns()
        findings = judge()
        self._watch.spent_ns += time.thread_time_ns() - began
        self._hear(findings)
        return findings


def _figures(spent: Sequence[float]) -> dict[str, float]:
    """Return median, 99th percentile and maximum of some times, rounded to a tenth."""
    shares = {"median": 0.5, "p99": 0.99, "max": 1.0}
    return {name: round(quantile(spent, share), 1) for name, share in shares.items()}
