"""What illegal attempts cost, as agreed before the game.

    none                  they are signalled and put right, nothing more
    5m                    5 minutes off the offender's clock, every time
    warning, +2m, loss    a warning, then 2 minutes to the opponent, then the game is lost

The last step holds for every further offence. A new kind of penalty is a class and its words;
another package adds it by an entry point of the group `firmware_bridge.penalties` (`extensions`).
The words are `penalty-<kind>` for what is announced (with the gaps `side` and `seconds`; a second
text `penalty-<kind>-minutes` with `minutes` for whole minutes), and `penalty-form-<kind>` for what
people write to have it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from firmware_bridge import extensions
from firmware_bridge.clock import durations
from firmware_bridge.clock.clock import Clock
from firmware_bridge.words import language_files
from rules.interface import Side
from rules.values import opponent

__all__ = ["Effect", "Penalty"]

GROUP = "firmware_bridge.penalties"


class BadPenalty(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A penalty table that cannot be understood; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a penalty did.

    Attributes:
        clock: both clocks after it.
        cost_ms: time taken from the offender or given to the opponent.
        announced: whether everyone is told.
        lost: whether the offender has lost the game.

    Example:
        >>> from firmware_bridge.clock import control
        >>> Effect(Clock.of(control.parse("5m")), lost=True).cost_ms
        0
    """

    clock: Clock
    cost_ms: int = 0
    announced: bool = True
    lost: bool = False


class Penalty(ABC):
    """What one offence costs. Equal penalties have equal texts.

    Example:
        >>> from firmware_bridge.clock import control
        >>> clock = Clock.of(control.parse("5m"))
        >>> parse("1m").of(1).apply(clock, "white", 0).cost_ms
        60000
    """

    kind: ClassVar[str]
    """Its name among the words."""
    form: ClassVar[str]
    """What to write for it, in English, as part of a list."""
    silent: ClassVar[bool] = False
    """Whether nothing is ever announced of it, so that it needs no words for that."""

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the penalty that a text in small letters means, `None` if it is another kind.

        A kind that needs more than its name overrides this, and `__str__`.
        """
        return cls() if text == cls.kind else None

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        return self.kind

    @property
    def off_ms(self) -> int:
        """Time off the offender's clock that is known beforehand.

        A game's own referee names it in his rulings, so this penalty is not applied besides them.
        """
        return 0

    @abstractmethod
    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:
        """Return what comes of an offence."""


@dataclass(frozen=True, slots=True)
class NoPenalty(Penalty):
    """Nothing but putting the board right."""

    kind = form = "none"
    silent = True

    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:  # noqa: ARG002
        """Do nothing."""
        return Effect(clock)


@dataclass(frozen=True, slots=True)
class Warn(Penalty):
    """Everyone hears that the offender is warned."""

    kind = form = "warning"

    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:  # noqa: ARG002
        """Leave the clocks alone."""
        return Effect(clock)


@dataclass(frozen=True, slots=True)
class Loss(Penalty):
    """The game is lost; the end of the game says so."""

    kind = form = "loss"
    silent = True

    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:  # noqa: ARG002
        """End the game."""
        return Effect(clock, lost=True)


@dataclass(frozen=True, slots=True)
class TimeGiven(Penalty):
    """Time onto the opponent's clock; nothing where no time runs."""

    kind = "give"
    form = "one given to the opponent such as +2m"

    ms: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read `+` and a time."""
        ms = _time(text[1:]) if text.startswith("+") else None
        return None if ms is None else cls(ms)

    def __str__(self) -> str:
        return f"+{durations.show(self.ms)}"

    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:
        """Add to the opponent's time."""
        if clock.control.untimed:
            return Effect(clock, announced=False)
        return Effect(clock.add(opponent(side), self.ms, t_ms), self.ms)


@dataclass(frozen=True, slots=True)
class TimeTaken(Penalty):
    """Time off the offender's clock; nothing where no time runs."""

    kind = "deduct"
    form = "a time off the offender's clock such as 5m"

    ms: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a time, with or without `-`."""
        ms = _time(text.removeprefix("-"))
        return None if ms is None else cls(ms)

    def __str__(self) -> str:
        return durations.show(self.ms)

    @property
    def off_ms(self) -> int:
        """All of it."""
        return self.ms

    def apply(self, clock: Clock, side: Side, t_ms: int) -> Effect:
        """Take from the offender's time, below zero too: then his flag falls."""
        if clock.control.untimed:
            return Effect(clock, announced=False)
        return Effect(clock.add(side, -self.ms, t_ms), self.ms)


OWN: tuple[type[Penalty], ...] = (NoPenalty, Warn, Loss, TimeTaken, TimeGiven)


@cache
def kinds() -> tuple[type[Penalty], ...]:
    """Return every kind of penalty, ours first, in the order in which they are offered."""
    added = extensions.classes(GROUP, Penalty)  # type: ignore[type-abstract]
    return tuple(kind for kind in (*OWN, *added) if _can_be_said(kind))


def _can_be_said(kind: type[Penalty]) -> bool:
    """Return whether there are words for a penalty; without them a game would break over it."""
    announced = () if kind.silent else (f"penalty-{kind.kind}",)
    needed = (*announced, f"penalty-form-{kind.kind}")
    lacking = [key for key in needed if key not in language_files.own("", "en")]
    if lacking:
        extensions.leave_out(GROUP, kind.kind, f"no en.toml has {', '.join(lacking)}")
    return not lacking


@dataclass(frozen=True, slots=True)
class PenaltyTable:
    """Penalties by the number of the offence."""

    steps: tuple[Penalty, ...]

    def of(self, offence: int) -> Penalty:
        """Return what the player's n-th offence costs, counted from 1."""
        return self.steps[min(offence, len(self.steps)) - 1]

    def __str__(self) -> str:
        return ", ".join(map(str, self.steps))


def parse(text: str) -> PenaltyTable:
    """Return the penalty table that `text` describes (see the module's examples).

    Raises:
        BadPenalty: with what is wrong and what to write.
    """
    return PenaltyTable(tuple(_step(part.strip().lower()) for part in text.split(",")))


def _step(text: str) -> Penalty:
    for kind in kinds():
        penalty = kind.parse(text)
        if penalty is not None:
            return penalty
    *others, last = (kind.form for kind in kinds())
    raise BadPenalty(
        f"{text!r} is no penalty: write {', '.join(others)}, or {last}; several with commas"
    )


def _time(text: str) -> int | None:
    try:
        return durations.parse(text)
    except ValueError:
        return None
