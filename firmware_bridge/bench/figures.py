"""What a bench counts where hands play, and what it keeps of what went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.recordings.format import Recording


class Failure(NamedTuple):
    """What went wrong.

    Attributes:
        told: the same in words.
        recording: all that the board felt before, if it can be replayed.
        fault: what came of it, in a word or two; empty where the words alone tell.
        where: in which game, on which tier and so on, where the bench's own line does not say it.
        grave: whether it must not be; what else there is, is told and no more.
    """

    told: str
    recording: Recording | None = None
    fault: str = ""
    where: str = ""
    grave: bool = True


@dataclass(slots=True)
class Figures:
    """Counts over some games, and how long things took.

    Attributes:
        games: games that were played.
        over: of these, played to their end.
        turns: legal turns that hands made of their own.
        right: of these, those that stood in the end and no other in their place.
        alarms: alarms that nobody gave cause for.
        wrong: turns that stood in the end and were not made.
        amended: turns taken on the way and amended by going on.
        asked: turns about which a question was asked. What the rules leave to clumsy hands (a
            promotion, a conversion, a Reality Check) is not counted.
        answered: of these, those that somebody had to answer, neither hands nor the button did.
        needless: questions asked while what the cells had told allowed one explanation only.
        fines: handlings that were ruled upon, though nobody had earned it.
        back: handlings after which hands had to put the board right, and to make the turn anew.
        dead: handlings after which the game did not go on, whatever hands did.
        tries: illegal handlings.
        kinds: how many of each kind.
        unnoticed: of these, without alarm.
        misread: of these, with an unfitting reason or cells.
        changed: of these, after which the game was not as before.
        undone: turns undone on the board.
        undone_right: of these, recognised.
        upsets: disturbances and illegal boards put right as the restoration says.
        settled: of these, that ended in `settled`.
        carried: turns that hands carried out for a computer.
        steps: hand movements that were made as it asked.
        astray: hand movements that were not.
        cuts: times that the power failed meanwhile.
        event_us: processing time of every event.
        prepare_us: time to prepare for what comes, summed up from turn to turn.
        factors: how often each factor spoke against a turn that was taken rightly.
        failures: what went wrong, to be looked into.
    """

    games: int = 0
    over: int = 0
    turns: int = 0
    right: int = 0
    alarms: int = 0
    wrong: int = 0
    amended: int = 0
    asked: int = 0
    answered: int = 0
    needless: int = 0
    fines: int = 0
    back: int = 0
    dead: int = 0
    tries: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    unnoticed: int = 0
    misread: int = 0
    changed: int = 0
    undone: int = 0
    undone_right: int = 0
    upsets: int = 0
    settled: int = 0
    carried: int = 0
    steps: int = 0
    astray: int = 0
    cuts: int = 0
    event_us: list[float] = field(default_factory=list)
    prepare_us: list[float] = field(default_factory=list)
    factors: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def fail(self, told: str, recording: Recording | None = None, *, grave: bool = True) -> None:
        """Write down that something went wrong, with what the board felt before."""
        self.failures.append(Failure(told, recording, grave=grave))

    @property
    def clean(self) -> bool:
        """Whether everything came out as promised."""
        return not any(failure.grave for failure in self.failures)
