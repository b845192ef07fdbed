"""Time controls: what was agreed about thinking time, as text and as values.

untimed
45m, 45, 1h30            sudden death; a number alone is minutes
30m+10s, 30+10           Fischer: 10 s more for every turn completed; 0+5 begins with 5 s
10:00, 5 min, 3 | 2      the same, as others write it
30m bronstein 10s        what a turn took is given back, up to 10 s
30m delay 10s            the first 10 s of every turn are free
10m hourglass            what one uses, the other gets
3d a turn, 3 days a turn each turn has three days, which go on while boards are off
40/90m+30s, 15m+30s      periods: 90 minutes for 40 turns, then 15 minutes for the rest
10m vs 5m+3s             time odds: White's, then Black's

An increment is added when a turn is completed, and a period's time when its turns are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from firmware_bridge.clock import durations, modes
from firmware_bridge.clock.modes import DaysATurn, Fischer, Mode, SuddenDeath
from rules.interface import Side

_PERIOD = re.compile(
    r"(?:(?P<turns>\d{1,9})\s*/\s*)?(?P<base>[\d.hms]+)(?P<mode>(?:\s*\+|\s+[^\d\s]).*)?",
    re.IGNORECASE,
)
_DAYS = re.compile(
    r"(\d{1,9})\s*(?:d|days?|tage?)\s+(?:a|per|je|pro)\s+(?:turn|move|zug)", re.IGNORECASE
)
_DAY_MS, MOST_DAYS = 86_400_000, 30
_BAR = re.compile(r"\s*\|\s*")
"""What others write for `+`: `3 | 2`."""
_ODDS = re.compile(r"\s+vs\.?\s+", re.IGNORECASE)
LEAST_MS, MOST_TURNS = 1_000, 500
"""What a period may hold: anything else is a slip of the finger."""


class BadTimeControl(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A time control that cannot be understood; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Period:
    """One stretch of a time control.

    Attributes:
        base_ms: time added when the period begins.
        mode: how a turn's time is counted.
        turns: turns to complete in it; `None` in the last period: the rest of the game.
    """

    base_ms: int
    mode: Mode = SuddenDeath()  # noqa: RUF009 - a frozen value
    turns: int | None = None

    @property
    def whole_ms(self) -> int:
        """All the time that it brings when it begins."""
        return self.base_ms + self.mode.extra_ms

    def __str__(self) -> str:
        if self.mode.in_days:
            return f"{self.base_ms // _DAY_MS}d {self.mode}"
        head = f"{self.turns}/" if self.turns else ""
        tail = str(self.mode)
        gap = " " if tail[:1].isalpha() else ""
        return f"{head}{durations.show(self.base_ms)}{gap}{tail}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What time each side has.

    Attributes:
        periods: one or more; none at all is an untimed game.
        odds: Black's periods where they are others than White's.
    """

    periods: tuple[Period, ...] = ()
    odds: tuple[Period, ...] = ()

    @property
    def untimed(self) -> bool:
        """Whether nobody's time is counted."""
        return not self.periods

    @property
    def in_days(self) -> bool:
        """Whether days are counted, for both sides."""
        return any(period.mode.in_days for period in self.periods)

    def of(self, side: Side) -> tuple[Period, ...]:
        """Return a side's periods."""
        return self.odds if self.odds and side == "black" else self.periods

    def exchanged(self) -> TimeControl:
        """Return the same with each side's time given to the other."""
        return TimeControl(self.odds, self.periods) if self.odds else self

    def __str__(self) -> str:
        both = (self.periods, self.odds) if self.odds else (self.periods,)
        return " vs ".join(", ".join(map(str, periods)) for periods in both) or "untimed"


UNTIMED = TimeControl()


@lru_cache(maxsize=64)
def parse(text: str) -> TimeControl:
    """Return the time control that `text` describes (see the module's examples).

    What was asked lately is remembered: a game with somebody far away asks at each letter.

    Raises:
        BadTimeControl: with what is wrong and what to write.
    """
    if text.strip().lower() == "untimed":
        return UNTIMED
    written = _BAR.sub("+", durations.unified(text))
    both = [_periods(side) for side in _ODDS.split(written)]
    if len(both) > 2:
        raise BadTimeControl(f"{text!r}: there are two sides; write for example 10 vs 5+3")
    if len({periods[0].mode.opponent_gains for periods in both}) > 1:
        raise BadTimeControl(f"{text!r}: an hourglass is for both sides; write for example 10 vs 5")
    if len({periods[0].mode.in_days for periods in both}) > 1:
        raise BadTimeControl(f"{text!r}: days are for both sides; write for example 3d a turn")
    white, black = both[0], both[-1]
    return TimeControl(white, black if black != white else ())


def _periods(text: str) -> tuple[Period, ...]:
    periods = tuple(_period(part.strip()) for part in text.split(","))
    if any(period.mode.in_days for period in periods) and len(periods) > 1:
        raise BadTimeControl(f"{text!r}: days a turn have no second period; write 3d a turn alone")
    for number, period in enumerate(periods, start=1):
        last = number == len(periods)
        if last != (period.turns is None):
            raise BadTimeControl(
                f"{text!r}: every period but the last needs a number of turns, such as 40/90m, "
                "and the last one none"
            )
    if any(period.mode.opponent_gains for period in periods) and len(periods) > 1:
        raise BadTimeControl(f"{text!r}: an hourglass has no second period")
    return periods


def _period(text: str) -> Period:
    if days := _DAYS.fullmatch(text):
        if not 0 < int(days[1]) <= MOST_DAYS:
            raise BadTimeControl(f"{text!r}: write from 1 to {MOST_DAYS} days a turn")
        return Period(int(days[1]) * _DAY_MS, DaysATurn())
    found = _PERIOD.fullmatch(text)
    try:
        mode = modes.parse(" ".join((found["mode"] or "").lower().split())) if found else None
        base = durations.parse(found["base"], bare="m") if found else 0
    except ValueError as error:
        raise BadTimeControl(str(error)) from None
    if found is None or mode is None:
        examples = ", ".join(kind.example for kind in modes.kinds())
        raise BadTimeControl(
            f"{text!r} is no time control: write for example {examples}, 40/90+30, 15+30, "
            "10 vs 5, untimed"
        )
    if isinstance(mode, Fischer):
        base = base or mode.ms  # 0+5: the first turn has its 5 seconds
    turns = int(found["turns"]) if found["turns"] else None
    if base < LEAST_MS or not (turns is None or 0 < turns <= MOST_TURNS):
        raise BadTimeControl(
            f"{text!r}: write a time from one second to 24 hours, and from 1 to {MOST_TURNS} turns"
        )
    return Period(base, mode, turns)
