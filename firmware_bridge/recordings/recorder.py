"""A game as the board felt it, kept while it is played, for a recording of it."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Sequence

from firmware_bridge.messages import (
    Answer,
    Chosen,
    Coached,
    Hinted,
    Input,
    Piped,
    RefereeOpened,
    Seated,
    Tick,
    Weakened,
)
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.format import Header, Recording
from firmware_bridge.referee.game_state import State
from firmware_bridge.table import Table
from rules.interface import Turn

MOST = 50_000
"""Events kept of one game: some fifty long games' worth, and a few megabytes."""
_NOT_FELT = (Tick, Hinted, Coached, RefereeOpened, Seated, Weakened, Piped)
_BEFORE_AND_AFTER = ("set-up", "over")


class Recorder:
    """What was felt and said in one game since its pieces stood, or since it was resumed.

    It is kept in memory alone: what goes on after a restart is another recording. Everything is in
    it, secrets included; `firmware_bridge.recordings.export` decides when it may be told.
    """

    def __init__(self, sensing: Sensing) -> None:
        self._sensing = sensing
        self._header: Header | None = None
        self._events: list[Input] = []
        self._began = self._until = 0.0
        self._number = 0
        self._table: Table | None = None

    def hear(self, item: Input, table: Table) -> None:
        """Keep what the table is about to be fed, while a game is under way on it."""
        if table.state.stage in _BEFORE_AND_AFTER:
            return
        if self._header is None:
            if table.state.executing:
                return  # taken up while hands carry out a turn: no header could say what they owe
            self._header = self._beginning(table)
            self._began, self._number = item.t, table.state.number
        self._until, self._table = item.t, table
        if isinstance(item, Chosen):
            if item.number == table.state.number:
                self._keep(self._chosen(item.t, item.text, table.state))
        elif not isinstance(item, _NOT_FELT):
            self._keep(item)

    def roll(self, turns: Sequence[Turn]) -> Turn:
        """Roll the machine's dice, and keep what they showed as if its player had said so."""
        rolled = secrets.choice(turns)
        if self._table is not None:
            state, t, text = self._table.state, self._until, str(rolled)
            by_computer = state.position.side in self._table.agreement.computers
            self._keep(self._chosen(t, text, state) if by_computer else Answer(t, text))
        return rolled

    def recording(self) -> Recording | None:
        """Return what has been kept, times counted from its start; `None` if that is nothing."""
        if self._header is None:
            return None
        kept = [dataclasses.replace(item, t=item.t - self._began) for item in self._events]
        return Recording(self._header, (*kept, Tick(self._until - self._began)))

    def _chosen(self, t: float, text: str, state: State) -> Chosen:
        return Chosen(t, text, state.number - self._number)

    def _keep(self, item: Input) -> None:
        if len(self._events) < MOST:
            self._events.append(item)

    def _beginning(self, table: Table) -> Header:
        agreement = table.agreement
        return Header(
            game=agreement.game,
            position=str(table.state.position),
            tier=self._sensing.tier,
            clock=agreement.terms(self._sensing.tier).waits_for_press,
            options=agreement.options,
            tags=self._sensing.tags,
            on=dict(table.standing),
            settings=agreement.settings.model_dump(mode="json", exclude_defaults=True),
            computers=agreement.computers,
        )
