"""What players have agreed on, in few words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from firmware_bridge.pages.texts import Say
from firmware_bridge.views import PublicView
from rules.interface import Game, OptionValue

_LENGTH = re.compile(r"(?<=\d)(ms|m|s)(?![a-z])(?=(\d?))")
_UNITS = {"m": "min"}
_DAYS = re.compile(r"(\d+)d a turn")


def agreed(view: PublicView, game: Game, say: Say) -> str:
    """Return what was agreed beyond the usual: options, time, what is allowed."""
    chosen = list(unusual(game.chosen, say))
    if view.time_control != "untimed":
        chosen.append(in_words(view.time_control, say))
    if view.record:
        chosen.append(say("page-listed"))
    if view.unrated and not view.computers:  # which nobody is rated against
        chosen.append(say("page-unrated"))
    return " · ".join(chosen)


def unusual(chosen: Mapping[str, OptionValue], say: Say) -> Iterator[str]:
    """Yield in words the options that are not as usual."""
    for name, value in chosen.items():
        yield option_told(say(f"option-{name}"), value, say)


def option_told(label: str, value: OptionValue, say: Say) -> str:
    """Return an option in a word or two: what stands before the colon of its label."""
    name = label.partition(":")[0]
    if value is True:
        return name
    return say("page-option", name=name, value=str(value))


def in_words(value: str, say: Say) -> str:
    """Return how a reader calls a time or penalty: `45 min`, `5 min + 3 s`, `no clock`.

    The units are the same in all languages.
    """
    spaced = _LENGTH.sub(_unit, _DAYS.sub(lambda days: say("page-days", days=days[1]), value))
    return say(
        {"untimed": "untimed", "none": "penalty-form-none"}.get(value, "page-text"),
        text=re.sub(r"(?<=[a-z])\+", " + ", spaced),
    )


def _unit(found: re.Match[str]) -> str:
    gap = " " if found[2] else ""
    return f"\N{NO-BREAK SPACE}{_UNITS.get(found[1], found[1])}{gap}"
