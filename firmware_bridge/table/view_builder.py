"""What a table shows: the facts for its views, and the lights that follow them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import LightsChanged
from firmware_bridge.referee.game_state import Played, State
from firmware_bridge.referee.remarks import faces, open_to_all
from firmware_bridge.table.computer_turns import ComputerTurns
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play
from firmware_bridge.views import PublicView, Revealed
from firmware_bridge.views.lights import lights
from firmware_bridge.views.public import wordless
from firmware_bridge.views.static_part import by_state
from firmware_bridge.views.table_facts import Facts, SetUp
from firmware_bridge.views.types import Announcement
from rules.interface import Position, Turn
from rules.values import owner

SHOWN_MS = 5_000
"""How long pieces stay open to all after a turn that shows them."""


class Display:
    """Keeps what is shown beside the game itself.

    Attributes:
        set_up: what the set-up check found last.
        failed: whether nothing can be written down any more.
        revealed_until: until when, in table time, pieces stay open to all; 0 when none are.
        stale: whether the lights must be made anew.
    """

    def __init__(self, agreement: Agreement, play: Play, computer: ComputerTurns) -> None:
        self.set_up = SetUp(None)
        self.failed = False
        self.revealed_until = 0
        self.stale = True
        self._agreement = agreement
        self._play = play
        self._computer = computer
        self._revealed: tuple[Revealed, ...] = ()
        self._lights: Mapping[str, str] = {}
        self._view: tuple[State, PublicView] | None = None
        self._last = self._last_played()

    def repaint(self, at: Moment) -> None:
        """Let the lights follow, if anything has happened that could change them."""
        log = self._play.log
        self._close(at)
        if not (self.stale or log.changed()):
            return
        self.stale = False
        self._open(at)
        shown = lights(wordless(self.facts(at)))
        if shown != self._lights:
            self._lights = shown
            log.put(LightsChanged(at.t, shown))
            log.changed()

    def facts(self, at: Moment) -> Facts:
        """Return everything that views are made from."""
        play, view = self._play, self._by_state()
        beside: dict[str, Any] = {
            "faults": play.faults,
            "revealed": self._revealed,
            "declared": view.declarable if play.reconciler.declared else (),
            "new_start": play.new_start,
            "progress": self._computer.progress,
            "doubt": self._doubt(),
        }
        # A copy takes longer than all of this, and hardly ever is there anything to change in it.
        told = {name: value for name, value in beside.items() if getattr(view, name) != value}
        return Facts(
            terms=play.log.terms,
            state=play.log.state,
            view=replace(view, **told) if told else view,
            verdict=play.told.verdict,
            judged_in=play.told.judged_in,
            begun=play.told.begun,
            t_ms=at.ms,
            handling=play.reconciler.handling,
            set_up=self.set_up,
            unread=play.told.unread(play.reconciler),
            failed=self.failed,
        )

    def _doubt(self) -> Announcement | None:
        said = self._play.coach.doubt(self._play.reconciler.verdict)
        return Announcement(said.key, said.words) if said else None

    def _open(self, at: Moment) -> None:
        """Show to all for a while what the last turn shows."""
        last = self._last_played()
        if last is not self._last:
            self._last = last
            self._revealed = shown_by(last.before, last.turn) if last else ()
            self.revealed_until = at.ms + SHOWN_MS if self._revealed else 0

    def _close(self, at: Moment) -> None:
        if self._revealed and at.ms >= self.revealed_until:
            self._revealed, self.revealed_until, self.stale = (), 0, True

    def _last_played(self) -> Played | None:
        played = self._play.log.state.played
        return played[-1] if played else None

    def _by_state(self) -> PublicView:
        """Return what of the view the state decides, made anew only when the state is another."""
        log = self._play.log
        if self._view is None or self._view[0] is not log.state:
            self._view = log.state, by_state(log.terms, log.state, self._agreement)
        return self._view[1]


def shown_by(before: Position, turn: Turn) -> tuple[Revealed, ...]:
    """Return what a legal turn shows, by square as it is after the turn."""
    return tuple(
        Revealed(square, owner(label), "".join(faces(label)))
        for square, label in open_to_all(before, turn)
    )
