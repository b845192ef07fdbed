"""From what a table gives out to events for the house: pure, and no more than everyone may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_bridge.messages import Amended, Ended, Ruled, Taken, VerdictChanged

if TYPE_CHECKING:
    from firmware_bridge.messages import Output
    from firmware_bridge.views.json_lines import Lines

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


def happening(output: Output, lines: Lines) -> Happening | None:
    """Return what an output means to the house, or `None` when it means nothing there.

    Args:
        output: something that the table gave out.
        lines: makes the public form; so an event cannot say more than the pages do.
    """
    kind = _type(output)
    line = lines.line(output) if kind else None
    if kind is None or line is None:
        return None
    del line["t"]  # the host's own seconds mean nothing elsewhere
    for wrapper in ("ruling", "outcome"):
        line |= line.pop(wrapper, {})
    for name in ("taken", "amended"):
        if name in line:
            line["turn"] = line.pop(name)
    return {"event_type": kind, **line}


def _type(output: Output) -> str | None:
    match output:
        case Taken():
            return "turn_played"
        case Amended():
            return "turn_amended"
        case Ruled():
            return "ruling"
        case Ended():
            return "game_over"
        case VerdictChanged(verdict=verdict):
            return {"illegal": "illegal_attempt", "disturbed": "help_needed"}.get(verdict.kind)
        case _:
            return None
