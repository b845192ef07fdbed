"""A game as the board felt it, kept while it is played, for a recording of it."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator, Sequence

from firmware_bridge.clock.clock import Clock
from firmware_bridge.messages import (
    Answer,
    Call,
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
from rules.values import SIDES

MOST = 50_000
"""Events kept of one game: some fifty long games' worth, and a few megabytes."""
_NOT_FELT = (Tick, Hinted, RefereeOpened, Seated, Weakened, Piped)


class Recorder:
    """What was felt and said in one game since its pieces stood, or since it was resumed.

    It is kept in memory alone: what goes on after a restart is another recording. Everything is in
    it, secrets included; `firmware_bridge.recordings.export` decides when it may be told.
    """

    def __init__(self, sensing: Sensing) -> None:
        self._sensing = sensing
        self._header: Header | None = None
        self._events: list[Input] = []
        self._after: list[Input] = []  # since the end: a game may go on after it
        self._began = self._until = 0.0
        self._number = 0
        self._table: Table | None = None

    def hear(self, item: Input, table: Table) -> None:
        """Keep what the table is about to be fed, while a game is under way on it."""
        state, self._table = table.state, table
        if state.stage == "ready" and table.reconciler.verdict.kind == "settled":
            self._header = None  # until hands begin it, players choose from which start, and when
        if self._header is None and not self._begin(item.t, table):
            return
        if state.stage != "over":
            self._events += self._after
            self._after, self._until = [], item.t
        if isinstance(item, Chosen | Coached):
            if item.number == state.number:
                kept = dataclasses.replace(item, number=item.number - self._number)
                self._keep(kept, state)
        elif not isinstance(item, _NOT_FELT):
            self._keep(item, state)

    def roll(self, turns: Sequence[Turn]) -> Turn:
        """Roll the machine's dice, and keep what they showed as if its player had said so."""
        rolled = secrets.choice(turns)
        if self._header is not None and self._table is not None:
            state, t, text = self._table.state, self._until, str(rolled)
            by_computer = state.position.side in self._table.agreement.computers
            number = state.number - self._number
            self._keep(Chosen(t, text, number) if by_computer else Answer(t, text), state)
        return rolled

    def recording(self) -> Recording | None:
        """Return what has been kept, times counted from its start; `None` if that is nothing."""
        if self._header is None or self._table is None:
            return None
        over = self._table.state.stage == "over"
        events = self._events if over else [*self._events, *self._after]
        until = max((self._until, *(item.t for item in events[-1:])))
        kept = [dataclasses.replace(item, t=item.t - self._began) for item in events]
        return Recording(self._header, (*kept, Tick(until - self._began)))

    def _begin(self, t: float, table: Table) -> bool:
        """Begin to keep what is felt; return whether it can be told from here on.

        It cannot where something is owed that no header could say: a turn to be carried out, or a
        puzzle of which turns have been made already.
        """
        state = table.state
        owed = state.executing or (table.agreement.puzzle and state.played)
        if owed or state.stage in ("set-up", "over"):
            return False
        self._header = self._beginning(table)
        self._began, self._number = t, state.number
        distrusted = (Call(t, "distrust", data={"cell": cell}) for cell in state.distrusted)
        self._events = [*distrusted, *_time_used(state, t)]
        return True

    def _keep(self, item: Input, state: State) -> None:
        if len(self._events) + len(self._after) < MOST:
            (self._after if state.stage == "over" else self._events).append(item)

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
            puzzle=agreement.puzzle,
        )


def _time_used(state: State, t: float) -> Iterator[Call]:
    """Yield by what full clocks come to read as they do in a game that goes on after a restart."""
    full = Clock.of(state.clock.control)
    for side in SIDES:
        if used := full.left(side, 0) - state.clock.left(side, state.t_ms):
            data = {"side": side, "seconds": f"{-used / 1000:+}", "reason": "-"}
            yield Call(t, "add-time", data=data)
