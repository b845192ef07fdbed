"""Fits what hands and sensors are known to do to recordings, and tells what that would change.

Times are what contacts were felt to do: `SHARE` of all that was felt must be within them, with
some room, and never less than shipped. A weight is how often its factor spoke against a turn that
was made all the same, as if `PRIOR` turns like the shipped ones had been seen before; what never
spoke tells nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from drivers.port import CellEvent
from firmware_bridge.config.habits import LIMITS
from firmware_bridge.diagnostics.stopwatch import quantile
from firmware_bridge.messages.verdict import ALARMS
from firmware_bridge.reconciler import TurnTaken
from firmware_bridge.reconciler.settings import SHIPPED, Habits
from firmware_bridge.recordings.format import Recording, read
from firmware_bridge.recordings.replaying import Line, Replay
from rules.values import adjoin

PRIOR = 200
"""Turns that the shipped weights count as."""
SHARE, ROOM = 0.98, 1.25
"""How much of what was felt a time must cover, and how much longer it is than that."""
LEAST = 10
"""A time is not fitted to fewer samples than this."""


@dataclass(slots=True)
class Felt:
    """What recordings tell of hands and sensors.

    Attributes:
        turns: turns that were taken.
        against: how often each factor spoke against one of them.
        times: what was felt of each time that may be fitted, in seconds.
    """

    turns: int = 0
    against: Counter[str] = field(default_factory=Counter)
    times: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in LIMITS})

    def hear(self, recording: Recording) -> None:
        """Take in one recording, as the shipped habits judge it."""
        replay = Replay(recording)
        for _ in replay.lines():
            pass
        taken = [found for found in replay.found if isinstance(found, TurnTaken)]
        self.turns += len(taken)
        self.against.update(name for found in taken for name in found.against)
        ends = [0.0, *(found.t for found in taken)]
        cells = _changes(recording)
        for since, until in pairwise(ends):
            self._feel(
                [event for event in cells if since <= event.t < until]
            )  # a lift may end a turn

    def _feel(self, events: Sequence[CellEvent]) -> None:
        """Take in the changes of one turn."""
        changes: dict[str, list[CellEvent]] = {}
        for event in events:
            changes.setdefault(event.cell, []).append(event)
        at_rest = {cell: self._at_rest(of) for cell, of in changes.items()}
        self._draw(at_rest)

    def _at_rest(self, changes: Sequence[CellEvent]) -> list[CellEvent]:
        """Return one cell's changes without chatter, which is measured: it ends as it began."""
        runs: list[list[CellEvent]] = []
        for change in changes:
            if runs and change.t - runs[-1][-1].t < SHIPPED.touch:
                runs[-1].append(change)
            else:
                runs.append([change])
        for run in runs:
            if len(run) % 2:  # an even number leaves the cell as it was: nudged, or slid over
                self.times["bounce"] += [then.t - now.t for now, then in pairwise(run)]
        return [change for run in runs for change in (run[:1] if len(run) % 2 else run)]

    def _draw(self, changes: Mapping[str, Sequence[CellEvent]]) -> None:
        """Measure how late cells opened, if one piece was drawn or carried and nothing else."""
        opened = {cell: of[-1].t for cell, of in changes.items() if of[-1].reading is None}
        filled = {c: of[0].t for c, of in changes.items() if of[0].reading is not None}
        at_once = all(len(of) == (c in opened) + (c in filled) for c, of in changes.items())
        if not at_once or len(opened.keys() - filled.keys()) != 1:
            return
        path = [*(opened.keys() - filled.keys()), *sorted(filled, key=lambda cell: filled[cell])]
        for left, reached in pairwise(path):
            lag = opened.get(left, 0.0) - filled[reached]
            if 0 < lag <= LIMITS["slow"]:  # else it was a hand
                self.times["crossing" if adjoin(left, reached) else "overlap"].append(lag)
                self.times["slow"].append(lag)


def _changes(recording: Recording) -> list[CellEvent]:
    """Return the events that emptied or filled a cell; a tag that is read late does neither."""
    filled: dict[str, bool] = {}
    changes = []
    for event in recording.events:
        if isinstance(event, CellEvent):
            fills = event.reading is not None
            if filled.get(event.cell) is not fills:
                changes.append(event)
            filled[event.cell] = fills
    return changes


def fit(felt: Felt) -> Habits:
    """Return the shipped habits, fitted to what was felt."""
    times = {
        name: min(LIMITS[name], max(getattr(SHIPPED, name), round(ROOM * quantile(of, SHARE), 3)))
        for name, of in felt.times.items()
        if len(of) >= LEAST
    }
    weights = {
        name: round(log((count + PRIOR * exp(SHIPPED.weights[name])) / (felt.turns + PRIOR)), 2)
        for name, count in felt.against.items()
    }
    return replace(SHIPPED, **times, weights={**SHIPPED.weights, **weights})


class Outcome(NamedTuple):
    """What came of a recording.

    Attributes:
        lines: what is told of verdicts and turns, in order.
        turns: the turns that stood in the end.
        alarms: how often it was judged against the rules, or upset.
    """

    lines: tuple[Line, ...]
    turns: tuple[str, ...]
    alarms: int


def outcome(recording: Recording, habits: Habits) -> Outcome:
    """Return what comes of a recording by these habits."""
    told = ("verdict", "taken", "amended")
    replay = Replay(recording, referee=True, habits=habits)
    lines = tuple(line for line in replay.lines() if any(key in line for key in told))
    turns: list[str] = []
    for line in lines:
        if "amended" in line and turns:
            turns[-1] = str(line["amended"])
        elif "taken" in line:
            turns.append(str(line["taken"]))
    alarms = sum(line.get("verdict") in ALARMS for line in lines)
    return Outcome(lines, tuple(turns), alarms)


def shipped() -> dict[str, Recording]:
    """Return the recordings that come with the project, legal turns alone, by their names."""
    folder = files(__package__).joinpath("shipped")
    found = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".jsonl"))
    return {name: read(file.read_text("utf-8").splitlines(), name) for name, file in found}


class Change(NamedTuple):
    """What other habits change in a recording.

    Attributes:
        before: what is told by the shipped habits, and not by the others.
        after: what is told by the others, and not by the shipped ones.
        harm: what must not be: a legal turn that becomes an alarm, or another turn; `None` if
            there is nothing of that.
    """

    before: tuple[Line, ...]
    after: tuple[Line, ...]
    harm: str | None


def compare(recording: Recording, habits: Habits, *, legal: bool) -> Change:
    """Return what other habits change in a recording.

    `legal`: hands made nothing but legal turns, as the shipped habits tell them.
    """
    now, then = outcome(recording, SHIPPED), outcome(recording, habits)
    harm = None
    if then.alarms > now.alarms:
        alarm = next(
            line for line in _beside(then.lines, now.lines) if line.get("verdict") in ALARMS
        )
        harm = f"there would be an alarm at {alarm['t']:g} s that there is not now"
    elif legal and then.turns != now.turns:
        pairs = zip((*now.turns, "none"), (*then.turns, "none"), strict=False)
        meant, taken = next(pair for pair in pairs if pair[0] != pair[1])
        harm = f"instead of {meant} there would be taken {taken}"
    return Change(_beside(now.lines, then.lines), _beside(then.lines, now.lines), harm)


def _beside(lines: Iterable[Line], others: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(line for line in lines if line not in others)
