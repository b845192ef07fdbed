"""Replays a recording through the shipped table, in virtual time, and tells what came of it."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from firmware_bridge.bench.figures import quantile
from firmware_bridge.messages import (
    Amended,
    Ended,
    LightsChanged,
    Ruled,
    Said,
    Taken,
    Tick,
    VerdictChanged,
)
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Table
from firmware_bridge.words import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from firmware_bridge.messages import Input, Output
    from firmware_bridge.recordings import Header, Recording
    from firmware_bridge.verdict import Step, Verdict

Line = dict[str, Any]
"""One line of output, ready for JSON."""


class Replay:
    """One run of a recording.

    Args:
        recording: what the board felt.
        referee: whether full turns and positions are told, secrets included.
        why: whether every verdict says which turns are possible and what rules others out.
    """

    def __init__(self, recording: Recording, *, referee: bool = False, why: bool = False) -> None:
        header = recording.header
        self._events = recording.events
        self._referee = referee
        self._why = why
        self.table = new_table(header)
        traits = self.table.state.position.game.traits
        self._secret = traits.owners_secret or header.tier == "face"
        self._words = catalogue(self.table.agreement.settings.language, header.game)
        self._spent: list[float] = []

    def lines(self) -> Iterator[Line]:
        """Yield what happened, line by line, and the figures of the run last."""
        yield from self._told(self.table.take_up().outputs)
        for event in self._events:
            yield from self._wait_until(event.t)
            yield from self._feed(event)
        yield {"events": len(self._events), "per_event_us": figures(self._spent)}

    def _wait_until(self, t: float) -> Iterator[Line]:
        """Let everything happen at its own time that is due before the next event."""
        last = -math.inf
        while (due := self.table.wake_at) is not None and last < due <= t:
            last = due
            yield from self._told(self.table.feed(Tick(due)).outputs)

    def _feed(self, event: Input) -> Iterator[Line]:
        self.table.reconciler.prepare()
        began = time.perf_counter_ns()
        batch = self.table.feed(event)
        if not isinstance(event, Tick):
            self._spent.append((time.perf_counter_ns() - began) / 1000)
        yield from self._told(batch.outputs)

    def _told(self, outputs: Sequence[Output]) -> Iterator[Line]:
        for output in outputs:
            line = self._line(output)
            if line:
                yield {"t": round(output.t, 6), **line}

    def _line(self, output: Output) -> Line:  # noqa: PLR0911 - one return a kind of output
        match output:
            case VerdictChanged(verdict=verdict):
                return self._verdict(verdict)
            case Taken(turn=turn, position=position):
                line = {"taken": str(turn) if self._referee else turn.public}
                return {**line, "position": str(position)} if self._referee else line
            case Amended(turn=turn, position=position):
                line = {"amended": str(turn) if self._referee else turn.public}
                return {**line, "position": str(position)} if self._referee else line
            case LightsChanged(lights=lights):
                return {"lights": dict(lights)}
            case Said(key=key, words=words):
                return {"say": self._words.text(key, words)}
            case Ruled(side=side, reason=reason, penalty=penalty, obligation=obligation):
                ruling = {"side": side, "reason": reason, "penalty": penalty}
                return {"ruling": {**ruling, "obligation": obligation} if obligation else ruling}
            case Ended(outcome=outcome):
                return {"outcome": {"winner": outcome.winner, "reason": outcome.reason}}
        return {}

    def _verdict(self, verdict: Verdict) -> Line:
        line: Line = {"verdict": verdict.kind}
        texts = [str(t) if self._referee else t.public for t in verdict.turns]
        if verdict.kind == "choice":
            line["turns"] = list(dict.fromkeys(texts))
        elif texts:
            line["turn"] = texts[0]
        if verdict.reason is not None:
            line["reason"] = verdict.reason
        if verdict.cells:
            line["cells"] = list(verdict.cells)
        if verdict.kind in ("illegal", "disturbed"):
            line["restore"] = [self._step(step) for step in verdict.restore]
        if self._why:
            line["why"] = []
        return line

    def _step(self, step: Step) -> Line:
        line: Line = {"from": step.source, "to": step.target}
        if step.label is not None and (self._referee or not self._secret):
            line["piece"] = step.label
        return line


def new_table(header: Header) -> Table:
    """Return a table on which the recorded game begins."""
    sensing = Sensing(header.tier, header.tags)
    return Table(header.agreement(), sensing, now=0.0, standing=header.on, begin=True)


def figures(spent: Sequence[float]) -> dict[str, float]:
    """Return median, 99th percentile and maximum of some times, rounded to a tenth."""
    shares = {"median": 0.5, "p99": 0.99, "max": 1.0}
    return {name: round(quantile(spent, share), 1) for name, share in shares.items()}
