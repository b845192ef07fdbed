"""What is counted where hands are clumsy, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from firmware_bridge.recordings.format import Recording

Fault = Literal["fine", "dead end", "wrong", "alarm"]


class Failure(NamedTuple):
    """What nobody should have met with.

    Attributes:
        where: in which game, on which tier, with a clock or without.
        fault: what came of it.
        told: the same in words.
        recording: all that the board felt, from as late as it takes.
    """

    where: str
    fault: Fault
    told: str
    recording: Recording


@dataclass(slots=True)
class Figures:
    """What came of some handlings.

    Attributes:
        turns: turns that hands made.
        right: of these, those that stood in the end.
        asked: handlings in which it was asked what hands did; what the rules leave to the player
            (a promotion, a conversion, a Reality Check) not counted.
        alarms: handlings with an alarm where nothing ever stood where it may not, or while all was
            whole.
        fines: handlings that were ruled upon.
        back: handlings after which hands had to put the board right, and to make the turn anew.
        dead: handlings after which the game did not go on, whatever hands did.
        wrong: handlings after which another turn stood.
        failures: what went wrong.
    """

    turns: int = 0
    right: int = 0
    asked: int = 0
    alarms: int = 0
    fines: int = 0
    back: int = 0
    dead: int = 0
    wrong: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether nobody had any harm."""
        return not (self.fines or self.dead or self.wrong)
