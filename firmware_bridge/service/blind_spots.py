"""What nobody watched for a while: what cells tell next may have been so for long."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from drivers.port import CellEvent, Snapshot
from firmware_bridge.messages import Call, Input
from firmware_bridge.table import Table

HEARTBEAT = 1.0
"""Seconds after which whoever waits for news looks at the clock again."""
STOPPED = 2.0
"""Seconds later than that, at which it must have been stopped itself."""
BACKLOG = 1.0
"""Seconds after it within which news of what happened meanwhile is stamped, where it is stamped as
it comes and not by a board with a clock of its own."""
HELD_UP = 0.25
"""Seconds for which whoever looks at the time may be held up and nobody speaks of it."""
ON_ITS_WAY = HEARTBEAT + HELD_UP + 1.5
"""Seconds within which what was done at the board has surely been taken in, as long as nobody who
looks at the time is held up. It is the same whether hands do anything meanwhile or nothing."""


class BlindSpots:
    """Remembers which cells were not watched."""

    def __init__(self, cells: Collection[str]) -> None:
        self._all = frozenset(cells)
        self._unseen: frozenset[str] = frozenset()
        self._behind_until = 0.0
        self._looked: float | None = None
        self._since = 0.0
        self._gap: tuple[float, float] | None = None

    def lost(self, cells: Collection[str] = ()) -> None:
        """These cells, or all, cannot be felt for now."""
        self._unseen |= frozenset(cells) or self._all

    def looked(self, at: float, now: float) -> float:
        """Take in that somebody looks at the time, as is done at every heartbeat.

        Args:
            at: the event loop's clock, which goes on while the service is stopped or held up.
            now: the host's monotonic clock.

        Returns:
            The seconds for which the service stood still; 0 if it did not.
        """
        stood = 0.0 if self._looked is None else at - self._looked
        if self._looked is None or stood > HEARTBEAT + HELD_UP:
            self._since = at
        self._looked = at
        if stood <= HEARTBEAT + STOPPED:
            return 0.0
        self._behind_until = now + BACKLOG
        self._gap = now - stood, now
        return stood

    def taken_in(self, at: float, now: float) -> float | None:
        """Return until when all that was done at the board has been taken in.

        `at` and `now` are the clocks of `looked`.

        Returns:
            The host's monotonic time, `None` while somebody is held up or has just been.
        """
        looked = self._looked or 0.0
        held_up = at - looked > HEARTBEAT + HELD_UP or at - self._since < BACKLOG
        return None if held_up else now - ON_ITS_WAY

    def first(self, item: Input, table: Table) -> Iterator[Input]:
        """Yield what is to be taken in before an item, so that what nobody watched costs nobody.

        While the service stood still nobody could press and no display showed a clock: it paused.
        A line to somebody far away watches that itself.
        """
        gap, self._gap = self._gap, None
        if gap and table.state.stage == "playing" and not table.agreement.away:
            yield Call(gap[0], "pause")
            yield Call(gap[1], "resume")
        if self.hides(item):
            yield Snapshot(item.t, dict(table.standing))

    def hides(self, item: Input) -> bool:
        """Return whether this is the first news of a gap; each gap is told once."""
        if isinstance(item, Snapshot):
            self._see_all()
        if not isinstance(item, CellEvent):
            return False
        hidden = item.cell in self._unseen or item.t < self._behind_until
        if hidden:
            self._see_all()
        return hidden

    def _see_all(self) -> None:
        self._unseen, self._behind_until = frozenset(), 0.0
