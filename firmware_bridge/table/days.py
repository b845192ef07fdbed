"""The time of games in which days are counted: it goes on while the host is off.

A beat of such a game tells the calendar's time, so that after a restart it is known how long the
host was off. While it is on, no calendar moves a player's clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_bridge.messages.records import Record
from firmware_bridge.referee.game_state import State, Terms

BEAT_MS, LATER_MS = 10_000, 3_600_000
"""How much thinking time a crash can give back: a running clock is written down this often; where
days go on anyway, often enough to know the calendar's time."""


def taken_up_at(terms: Terms, state: State, records: Sequence[Record], calendar: int) -> int:
    """Return the table time at which a host takes a game up.

    Args:
        terms: what holds throughout the game.
        state: where it stands.
        records: what was written down of it.
        calendar: milliseconds since 1970; 0 where nobody knows.
    """
    known = [record for record in records if "calendar" in record.data]
    if not (terms.in_days and calendar and known):
        return state.t_ms
    return max(state.t_ms, known[-1].t_ms + calendar - int(str(known[-1].data["calendar"])))


def beat(terms: Terms, calendar: int) -> Mapping[str, object]:
    """Return what a beat tells."""
    return {"calendar": calendar} if terms.in_days and calendar else {}


def next_beat(terms: Terms, records: Sequence[Record]) -> int:
    """Return the table time at which a clock that runs is to be written down."""
    seldom = terms.in_days and records[-1].kind == "beat"
    return records[-1].t_ms + (LATER_MS if seldom else BEAT_MS)
