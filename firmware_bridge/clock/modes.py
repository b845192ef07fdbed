"""How the time of a turn is counted: one class for each kind, as text and as a value.

    30m+10s               Fischer
    30m bronstein 10s     Bronstein
    30m delay 10s         delay
    10m hourglass         hourglass
    3d a turn             days a turn

The text of a mode is what follows the time of its period: `+10s`, `bronstein 10s`. Another package
adds a mode by an entry point of the group `firmware_bridge.time_controls` (`extensions`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from firmware_bridge import extensions
from firmware_bridge.clock import durations

__all__ = ["Mode", "bonus"]

GROUP = "firmware_bridge.time_controls"
MOST_BONUS_MS = 600_000
"""More than ten minutes a turn is a slip of the finger."""


class Mode(ABC):
    """How the time of a turn is counted, as a value: equal modes have equal texts.

    All times are whole milliseconds.

    Example:
        >>> from firmware_bridge.clock import control
        >>> str(control.parse("5+3"))
        '5m+3s'
    """

    example: ClassVar[str]
    """A whole time control with it, for whoever wrote none."""
    opponent_gains: ClassVar[bool] = False
    """Whether the opponent is given what a player uses; then it holds for both, in one period."""
    in_days: ClassVar[bool] = False
    """Whether days are counted, between friends far away also while their boards are off."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self | None:
        """Return the mode that a text in small letters means, `None` if it is another kind.

        Raises:
            ValueError: when it is this kind with times that make no sense, with what to write.
        """

    @abstractmethod
    def __str__(self) -> str:
        """Return the text that `parse` reads."""

    @property
    def gives_nothing(self) -> bool:
        """Whether it counts as plain time does, such as `+0`."""
        return False

    @property
    def free_ms(self) -> int:
        """How much of each turn is not charged."""
        return 0

    @property
    def extra_ms(self) -> int:
        """What a period has besides its own time, from its beginning."""
        return 0

    @property
    def increment_ms(self) -> int | None:
        """What each completed turn earns, whatever it took; `None` where it depends on more.

        A PGN file can tell the former alone.
        """
        return None

    def earned(self, left_ms: int, used_ms: int) -> int:
        """Return what a completed turn earns.

        Args:
            left_ms: what the player has left after it.
            used_ms: how long he thought.
        """
        del left_ms, used_ms
        return self.increment_ms or 0


@dataclass(frozen=True, slots=True)
class SuddenDeath(Mode):
    """What is used is gone."""

    example = "90"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read nothing at all."""
        return None if text else cls()

    def __str__(self) -> str:
        return ""

    @property
    def increment_ms(self) -> int:
        """Nothing."""
        return 0


@dataclass(frozen=True, slots=True)
class _Timed(Mode):
    """A mode of one time, which stands behind its name."""

    name: ClassVar[str]

    ms: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read the name and a time; a number alone is seconds."""
        named, _, time = text.partition(cls.name)
        if named or not text.startswith(cls.name):
            return None
        return cls(bonus(time))

    def __str__(self) -> str:
        return f"{self.name} {durations.show(self.ms)}"

    @property
    def gives_nothing(self) -> bool:
        """Whether its time is zero."""
        return self.ms == 0


@dataclass(frozen=True, slots=True)
class Fischer(_Timed):
    """A completed turn earns the same, whatever it took."""

    name = "+"
    example = "5+3"

    def __str__(self) -> str:
        return f"+{durations.show(self.ms)}"

    @property
    def increment_ms(self) -> int:
        """All of it."""
        return self.ms


@dataclass(frozen=True, slots=True)
class Bronstein(_Timed):
    """A completed turn earns what it took, up to a bound."""

    name = "bronstein"
    example = "30m bronstein 10s"

    def earned(self, left_ms: int, used_ms: int) -> int:
        """Give back what the turn took, up to the mode's time."""
        del left_ms
        return min(self.ms, used_ms)


@dataclass(frozen=True, slots=True)
class Delay(_Timed):
    """The beginning of each turn is free."""

    name = "delay"
    example = "30m delay 10s"

    @property
    def free_ms(self) -> int:
        """All of it."""
        return self.ms


@dataclass(frozen=True, slots=True)
class Hourglass(Mode):
    """What one uses, the other gets."""

    example = "10m hourglass"
    opponent_gains = True

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read its name alone."""
        return cls() if text == "hourglass" else None

    def __str__(self) -> str:
        return "hourglass"


@dataclass(frozen=True, slots=True)
class DaysATurn(Mode):
    """Each turn has all the days anew."""

    example = "3d a turn"
    in_days = True

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read nothing: it is read with its days, as a whole."""
        del text
        return None

    def __str__(self) -> str:
        return "a turn"

    def earned(self, left_ms: int, used_ms: int) -> int:
        """Give back what the turn took."""
        del left_ms
        return used_ms


OWN: tuple[type[Mode], ...] = (SuddenDeath, Fischer, Bronstein, Delay, Hourglass, DaysATurn)


@cache
def kinds() -> tuple[type[Mode], ...]:
    """Return every kind, ours first, in the order in which they are offered."""
    return (*OWN, *extensions.classes(GROUP, Mode))  # type: ignore[type-abstract]


def parse(text: str) -> Mode | None:
    """Return what follows a period's time as a mode; `None` when no kind knows it.

    Raises:
        ValueError: when its times make no sense, with what to write.
    """
    for kind in kinds():
        mode = kind.parse(text)
        if mode is not None:
            return SuddenDeath() if mode.gives_nothing else mode
    return None


def bonus(text: str) -> int:
    """Return the milliseconds of a time that every turn has; a number alone is seconds.

    Raises:
        ValueError: when it is none, or more than `MOST_BONUS_MS`.
    """
    ms = durations.parse(text, bare="s")
    if ms > MOST_BONUS_MS:
        raise ValueError(f"{text.strip()!r}: write at most 10 minutes for every turn")
    return ms
