"""The time of games in which days are counted: it goes on while the host is off.

A beat of such a game tells the calendar's time, so that after a restart it is known how long the
host was off. While it is on, no calendar moves a player's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from firmware_bridge.messages.records import Record
from firmware_bridge.referee.game_state import Terms

BEAT_MS, LATER_MS = 10_000, 3_600_000
"""How much thinking time a crash can give back: a running clock is written down this often; where
days go on anyway, often enough to know the calendar's time."""


class HostOff:
    """How long the host was off before a game was taken up, as soon as it knows the date.

    A host may learn that from its network only while it is on already. What it does not know it
    writes down nowhere. The calendar tells milliseconds since 1970, or 0.
    """

    def __init__(
        self, terms: Terms, records: Sequence[Record], calendar: Callable[[], int]
    ) -> None:
        self._calendar = calendar if terms.in_days else lambda: 0
        known = [record for record in records if "calendar" in record.data]
        self._known = known[-1] if known else None

    def learnt(self, ms: int) -> int:
        """Return how far the table time, which seems to be `ms`, is behind; told once."""
        if not (self._known and (now := self._calendar())):
            return 0
        known, self._known = self._known, None  # while it is on, no calendar moves a clock
        return max(0, known.t_ms + now - int(str(known.data["calendar"])) - ms)

    def beat(self) -> Mapping[str, object]:
        """Return what a beat tells."""
        now = self._calendar()
        return {"calendar": now} if now else {}


def next_beat(terms: Terms, records: Sequence[Record]) -> int:
    """Return the table time at which a clock that runs is to be written down."""
    seldom = terms.in_days and records[-1].kind == "beat"
    return records[-1].t_ms + (LATER_MS if seldom else BEAT_MS)
