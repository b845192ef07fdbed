"""What a benchmark of the reconciler counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.recordings.format import Recording


class Failed(NamedTuple):
    """What went wrong, in words, and all that the board felt before."""

    told: str
    recording: Recording


@dataclass(slots=True)
class Figures:
    """Counts over some games, and how long things took.

    Attributes:
        turns: legal turns that hands made.
        right: of these, taken and no other turn in their place.
        alarms: verdicts `illegal` or `disturbed` on the way of legal turns.
        wrong: turns that stood in the end and were not made.
        amended: turns taken on the way and amended by going on.
        asked: turns about which a question was asked.
        answered: of these, those that somebody had to answer, neither hands nor the button did.
        needless: questions asked while what the cells had told allowed one explanation only.
        tries: illegal handlings.
        kinds: how many of each kind.
        unnoticed: of these, without alarm.
        misread: of these, with an unfitting reason or cells.
        changed: of these, after which the game was not as before.
        undone: turns undone on the board.
        undone_right: of these, recognised.
        upsets: disturbances and illegal boards put right as the restoration says.
        settled: of these, that ended in `settled`.
        event_us: processing time of every event.
        prepare_us: time to prepare for what comes, summed up from turn to turn.
        factors: how often each factor spoke against a turn that was taken rightly.
        failures: what went wrong, to be looked into.
    """

    turns: int = 0
    right: int = 0
    alarms: int = 0
    wrong: int = 0
    amended: int = 0
    asked: int = 0
    answered: int = 0
    needless: int = 0
    tries: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    unnoticed: int = 0
    misread: int = 0
    changed: int = 0
    undone: int = 0
    undone_right: int = 0
    upsets: int = 0
    settled: int = 0
    event_us: list[float] = field(default_factory=list)
    prepare_us: list[float] = field(default_factory=list)
    factors: Counter[str] = field(default_factory=Counter)
    failures: list[Failed] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether everything came out as promised; needless questions are told, and no more."""
        return not (
            self.alarms or self.wrong or self.unnoticed or self.misread or self.changed
        ) and (
            (self.right, self.undone_right, self.settled) == (self.turns, self.undone, self.upsets)
        )
