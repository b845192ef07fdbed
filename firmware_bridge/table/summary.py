"""The table as it stood at one moment, for all readers, with clocks that go on running."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from firmware_bridge import views
from firmware_bridge.messages import PublicOutput
from firmware_bridge.messages.outputs import Output
from firmware_bridge.messages.records import PhoneSeat, Record
from firmware_bridge.views import ClockFace, PlayerView, PublicView, RefereeView, Told
from firmware_bridge.views.disclosure import Disclosure
from firmware_bridge.views.public import clocks
from firmware_bridge.views.table_facts import Facts
from rules.interface import Side


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What may be shown of a table until the next summary.

    A summary never changes. Who takes one only after the journal has what happened cannot show
    anything that is not on disk, whoever asks in the meantime.

    Attributes:
        facts: the table, secrets included.
        table_ms: gives the table time of a host time.
        taken_up: when the game was begun or taken up from disk, in the host's monotonic seconds.
    """

    facts: Facts
    records: tuple[Record, ...]
    table_ms: Callable[[float], int]
    taken_up: float

    def view(self, t: float) -> PublicView:
        """Return the table as everyone may see it at `t`, in the host's monotonic seconds."""
        return views.public(self._at(t))

    def told(self, outputs: Iterable[Output]) -> tuple[PublicOutput, ...]:
        """Return what everyone may know of what the table has given out."""
        disclosure = Disclosure(self.facts.terms.secret)
        return tuple(told for output in outputs if (told := disclosure.of(output)))

    def clocks(self, t: float) -> Mapping[Side, ClockFace]:
        """Return the clocks as they stand at `t`."""
        return clocks(self._at(t))

    def used(self, side: Side, t: float) -> int | None:
        """Return the milliseconds that a player had used of his turn at `t`.

        It is `None` where nobody counts, or his clock stood then or was written down since.
        """
        clock, ms = self.facts.state.clock, self.table_ms(t)
        runs = clock.running == side and not clock.control.untimed and ms >= clock.since
        return clock.reading(side, ms)[1] if runs else None

    def seat(self, side: Side, t: float) -> PlayerView:
        """Return the table as one player may see it."""
        return views.player(self._at(t), side)

    def briefing(self, side: Side) -> Told:
        """Return all that the mind in one seat is told of the game."""
        return views.told(self.facts.state, self.records, side)

    @property
    def seats(self) -> Mapping[Side, PhoneSeat]:
        """Who plays with a phone."""
        return self.facts.state.seats

    def referee_view(self, t: float) -> RefereeView:
        """Return everything, for the referee alone."""
        return views.referee(self._at(t), self.records)

    def _at(self, t: float) -> Facts:
        return replace(self.facts, t_ms=max(self.table_ms(t), self.facts.state.t_ms))
