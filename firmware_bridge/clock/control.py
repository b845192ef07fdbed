"""Time controls: what was agreed about thinking time, as text and as values.

untimed
45m                      sudden death
30m+10s                  Fischer: 10 s more for every turn completed
30m bronstein 10s        what a turn took is given back, up to 10 s
30m delay 10s            the first 10 s of every turn are free
10m hourglass            what one uses, the other gets
40/90m+30s, 15m+30s      periods: 90 minutes for 40 turns, then 15 minutes for the rest

An increment is added when a turn is completed, and a period's time when its turns are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from firmware_bridge.clock import durations

Mode = Literal["sudden-death", "fischer", "bronstein", "delay", "hourglass"]

_PERIOD = re.compile(
    r"(?:(?P<turns>\d+)\s*/\s*)?(?P<base>[\d.hms]+)\s*"
    r"(?:\+\s*(?P<fischer>[\d.hms]+)|(?P<mode>bronstein|delay)\s+(?P<bonus>[\d.hms]+)|(?P<hourglass>hourglass))?",
    re.IGNORECASE,
)


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
    """One or more periods; none at all is an untimed game."""

    periods: tuple[Period, ...] = ()

    @property
    def untimed(self) -> bool:
        """Whether nobody's time is counted."""
        return not self.periods

    def __str__(self) -> str:
        return ", ".join(map(str, self.periods)) or "untimed"


UNTIMED = TimeControl()


def parse(text: str) -> TimeControl:
    """Return the time control that `text` describes (see the module's examples).

    Raises:
        BadTimeControl: with what is wrong and what to write.
    """
    if text.strip().lower() == "untimed":
        return UNTIMED
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
    return TimeControl(periods)


def _period(text: str) -> Period:
    found = _PERIOD.fullmatch(text)
    if not found:
        raise BadTimeControl(
            f"{text!r} is no time control: write for example 45m, 30m+10s, 30m bronstein 10s, "
            "30m delay 10s, 10m hourglass, 40/90m+30s, 15m+30s or untimed"
        )
    try:
        base = durations.parse(found["base"])
        bonus_text = found["fischer"] or found["bonus"]
        bonus = durations.parse(bonus_text) if bonus_text else 0
    except ValueError as error:
        raise BadTimeControl(str(error)) from None
    turns = int(found["turns"]) if found["turns"] else None
    if base == 0 or turns == 0:
        raise BadTimeControl(f"{text!r}: neither the time nor the number of turns may be zero")
    return Period(base, _mode(found), bonus, turns)


def _mode(found: re.Match[str]) -> Mode:
    if found["hourglass"]:
        return "hourglass"
    if found["fischer"]:
        return "fischer"
    if found["mode"]:
        return "bronstein" if found["mode"].lower() == "bronstein" else "delay"
    return "sudden-death"
