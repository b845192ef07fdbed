"""From what a table gives out to events for the house: pure, and no more than everyone may know."""

from __future__ import annotations

from typing import Any

from firmware_bridge.messages import Ended, PublicOutput, PublicTurn, PublicVerdict, Ruled
from firmware_bridge.views.json_lines import line_of

Happening = dict[str, Any]

TYPES = (
    "turn_played",
    "turn_amended",
    "illegal_attempt",
    "help_needed",
    "ruling",
    "game_over",
    "command_done",
    "command_refused",
)
"""All there are; the first word of each event."""


def happening(output: PublicOutput) -> Happening | None:
    """Return what an output means to the house, or `None` when it means nothing there."""
    kind = _type(output)
    if kind is None:
        return None
    line = line_of(output)
    for wrapper in ("ruling", "outcome"):
        line |= line.pop(wrapper, {})
    for name in ("taken", "amended"):
        if name in line:
            line["turn"] = line.pop(name)
    return {"event_type": kind, **line}


def _type(output: PublicOutput) -> str | None:
    match output:
        case PublicTurn(amended=amended):
            return "turn_amended" if amended else "turn_played"
        case Ruled():
            return "ruling"
        case Ended():
            return "game_over"
        case PublicVerdict(kind=kind):
            return {"illegal": "illegal_attempt", "disturbed": "help_needed"}.get(kind)
        case _:
            return None
