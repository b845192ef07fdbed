"""What players have agreed on, in few words."""

from __future__ import annotations

import rules
from firmware_bridge.pages.texts import Say
from firmware_bridge.views import PublicView
from rules.values import OptionValue


def agreed(view: PublicView, say: Say) -> str:
    """Return what was agreed beyond the usual: options, time, what is allowed."""
    defaults = rules.load(view.game).options
    chosen = [
        option_told(say(f"option-{name}"), value, say)
        for name, value in view.options.items()
        if value != defaults[name]
    ]
    if view.time_control != "untimed":
        chosen.append(view.time_control)
    if view.record:
        chosen.append(say("page-listed"))
    if view.unrated:
        chosen.append(say("page-unrated"))
    return " · ".join(chosen)


def option_told(label: str, value: OptionValue, say: Say) -> str:
    """Return an option in a word or two: what stands before the colon of its label."""
    name = label.partition(":")[0]
    if value is True:
        return name
    return say("page-option", name=name, value=str(value))
