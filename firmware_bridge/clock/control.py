"""Time controls: what was agreed about thinking time, as text and as values.

untimed
45m, 45, 1h30            sudden death; a number alone is minutes
30m+10s, 30+10           Fischer: 10 s more for every turn completed; 0+5 begins with 5 s
10:00, 5 min, 3 | 2      the same, as others write it
30m bronstein 10s        what a turn took is given back, up to 10 s
30m delay 10s            the first 10 s of every turn are free
10m hourglass            what one uses, the other gets
40/90m+30s, 15m+30s      periods: 90 minutes for 40 turns, then 15 minutes for the rest
10m vs 5m+3s             time odds: White's, then Black's

An increment is added when a turn is completed, and a period's time when its turns are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from firmware_bridge.clock import durations

if TYPE_CHECKING:
    from rules.interface import Side

Mode = Literal["sudden-death", "fischer", "bronstein", "delay", "hourglass"]

_PERIOD = re.compile(
    r"(?:(?P<turns>\d+)\s*/\s*)?(?P<base>[\d.hms]+)\s*"
    r"(?:\+\s*(?P<fischer>[\d.hms]+)|(?P<mode>bronstein|delay)\s+(?P<bonus>[\d.hms]+)|(?P<hourglass>hourglass))?",
    re.IGNORECASE,
)
_SPELLINGS = (
    (re.compile(r"\b(\d+):([0-5]\d)\b"), r"\1m\2s"),  # as a clock shows it
    (re.compile(r"(?<=[\d\s])min(ut(es?|en?))?\b", re.IGNORECASE), "m"),
    (re.compile(r"(?<=[\d\s])se[ck](onds?|unden?)?\b", re.IGNORECASE), "s"),
    (re.compile(r"(?<=\d)\s+(?=[hms]\b)", re.IGNORECASE), ""),
    (re.compile(r"\s*\|\s*"), "+"),
)
"""What players write otherwise, and how it is written here: `10:00`, `5 min`, `3 | 2`."""
_ODDS = re.compile(r"\s+vs\.?\s+", re.IGNORECASE)
LEAST_MS, MOST_BONUS_MS, MOST_TURNS = 1_000, 600_000, 500
"""What a period may hold: anything else is a slip of the finger."""


class BadTimeControl(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A time control that cannot be understood; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Period:
    """One stretch of a time control.

    Attributes:
        base_ms: time added when the period begins.
        mode: how a turn's time is counted.
        bonus_ms: the increment or delay, 0 without one.
        turns: turns to complete in it; `None` in the last period: the rest of the game.
    """

    base_ms: int
    mode: Mode = "sudden-death"
    bonus_ms: int = 0
    turns: int | None = None

    def __str__(self) -> str:
        head = f"{self.turns}/" if self.turns else ""
        base = durations.show(self.base_ms)
        bonus = durations.show(self.bonus_ms)
        tails = {"sudden-death": "", "fischer": f"+{bonus}", "hourglass": " hourglass"}
        return head + base + tails.get(self.mode, f" {self.mode} {bonus}")


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


def parse(text: str) -> TimeControl:
    """Return the time control that `text` describes (see the module's examples).

    Raises:
        BadTimeControl: with what is wrong and what to write.
    """
    if text.strip().lower() == "untimed":
        return UNTIMED
    written = text
    for spelling, usual in _SPELLINGS:
        written = spelling.sub(usual, written)
    both = [_periods(side) for side in _ODDS.split(written)]
    if len(both) > 2:
        raise BadTimeControl(f"{text!r}: there are two sides; write for example 10 vs 5+3")
    glasses = [any(period.mode == "hourglass" for period in periods) for periods in both]
    if len(set(glasses)) > 1:
        raise BadTimeControl(f"{text!r}: an hourglass is for both sides; write for example 10 vs 5")
    white, black = both[0], both[-1]
    return TimeControl(white, black if black != white else ())


def _periods(text: str) -> tuple[Period, ...]:
    periods = tuple(_period(part.strip()) for part in text.split(","))
    for number, period in enumerate(periods, start=1):
        last = number == len(periods)
        if last != (period.turns is None):
            raise BadTimeControl(
                f"{text!r}: every period but the last needs a number of turns, such as 40/90m, "
                "and the last one none"
            )
    if any(period.mode == "hourglass" for period in periods) and len(periods) > 1:
        raise BadTimeControl(f"{text!r}: an hourglass has no second period")
    return periods


def _period(text: str) -> Period:
    found = _PERIOD.fullmatch(text)
    if not found:
        raise BadTimeControl(
            f"{text!r} is no time control: write for example 5+3, 90, 1h30, 30m bronstein 10s, "
            "30m delay 10s, 10m hourglass, 40/90+30, 15+30, 10 vs 5 or untimed"
        )
    try:
        base = durations.parse(found["base"], bare="m")
        bonus_text = found["fischer"] or found["bonus"]
        bonus = durations.parse(bonus_text, bare="s") if bonus_text else 0
        base = base or (bonus if found["fischer"] else 0)  # 0+5: the first turn has its 5 seconds
    except ValueError as error:
        raise BadTimeControl(str(error)) from None
    turns = int(found["turns"]) if found["turns"] else None
    if base < LEAST_MS or bonus > MOST_BONUS_MS or not (turns is None or 0 < turns <= MOST_TURNS):
        raise BadTimeControl(
            f"{text!r}: write a time from one second to 24 hours, at most 10 minutes more "
            f"for every turn, and from 1 to {MOST_TURNS} turns"
        )
    mode = _mode(found) if bonus or found["hourglass"] else "sudden-death"
    return Period(base, mode, bonus, turns)


def _mode(found: re.Match[str]) -> Mode:
    if found["hourglass"]:
        return "hourglass"
    if found["fischer"]:
        return "fischer"
    if found["mode"]:
        return "bronstein" if found["mode"].lower() == "bronstein" else "delay"
    return "sudden-death"
