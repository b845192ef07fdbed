"""The state of a game, changed by records alone, and what they led to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from firmware_bridge.messages import Ruled, Said
from firmware_bridge.messages.outputs import Output
from firmware_bridge.messages.records import Record, RecordKind
from firmware_bridge.referee import referee
from firmware_bridge.referee.facts import is_private, marked
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.rating import rated
from rules.interface import Outcome, Position, Square


@dataclass(frozen=True, slots=True)
class Batch:
    """What one input led to: facts to write down first, then what may be shown."""

    outputs: tuple[Output, ...] = ()
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant: in the host's monotonic seconds and in milliseconds of table time."""

    t: float
    ms: int


class GameLog:
    """What has been written down, and the state that follows from it."""

    def __init__(self, terms: Terms, state: State, records: Iterable[Record] = ()) -> None:
        self.terms = terms
        self.records = list(records)
        self.state = referee.rebuild(terms, state, self.records)
        self._unwritten = 0
        self._outputs: list[Output] = []
        self._seen = 0
        self._sides_kept: Position | None = None

    def apply(self, at: Moment, kind: RecordKind, /, **data: object) -> None:
        """Write down a fact and let it take effect; the result is written down with it."""
        before = self.state
        t_ms = before.t_ms if is_private(kind, data) else max(at.ms, before.t_ms)
        record = Record(t_ms, kind, marked(self.terms, before, kind, data, t_ms))
        step = referee.apply(self.terms, before, record)
        self.state = step.state
        self._write(record)
        self._write_ruling(record.t_ms, step.outputs)
        self._outputs += [replace(output, t=at.t) for output in step.outputs]
        ending = self.state.ending
        if ending and ending is not before.ending:
            self._write(Record(record.t_ms, "ended", self._result(ending)))

    def keep_sides(self, lying: Mapping[Square, str], at: Moment) -> None:
        """Write down which way up discs lie, so that who turns one over is found after a crash.

        All of them, with every position, be it news or not: of a disc that looks alike on both
        sides it says what its label cannot, and when it is written tells nothing. In games without
        discs `lying` is empty.
        """
        state, known = self.state, self.state.lying
        if state.stage != "playing" or state.position is self._sides_kept:
            return
        self._sides_kept = state.position
        if lying or known:
            gone = dict.fromkeys(known.keys() - lying.keys())
            changed = {s: uid for s, uid in lying.items() if known.get(s) != uid}
            self.apply(at, "sides", **gone, **changed)

    def _result(self, ending: Outcome) -> dict[str, object]:
        counts = rated(self.terms, self.state)
        return {"winner": ending.winner, "reason": ending.reason, "rated": counts}

    def _write_ruling(self, t_ms: int, outputs: Iterable[Output]) -> None:
        """Write down for readers what was ruled."""
        ruled = next((output for output in outputs if isinstance(output, Ruled)), None)
        if ruled is None:
            return
        said = [[o.key, dict(o.words)] for o in outputs if isinstance(o, Said) and o.key != "over"]
        data = {"side": ruled.side, "reason": ruled.reason, "penalty": ruled.penalty, "said": said}
        self._write(Record(t_ms, "ruled", data))

    def put(self, *outputs: Output) -> None:
        """Give something out that changes no state."""
        self._outputs += outputs

    def say(self, t: float, key: str, **words: str) -> None:
        """Announce something that changes no state."""
        self._outputs.append(Said(t, key, words))

    def hush(self) -> None:
        """Forget what was to be given out; what was written down stays to be written."""
        self._outputs = []

    def changed(self) -> bool:
        """Return whether anything has come since this was asked last."""
        come = self._unwritten + len(self._outputs)
        seen, self._seen = self._seen, come
        return come != seen

    def drain(self) -> Batch:
        """Return, and forget, what has come since the last time."""
        written = len(self.records) - self._unwritten
        batch = Batch(tuple(self._outputs), tuple(self.records[written:]))
        self._outputs, self._unwritten, self._seen = [], 0, 0
        return batch

    def _write(self, record: Record) -> None:
        self.records.append(record)
        self._unwritten += 1
