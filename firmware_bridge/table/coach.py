"""Asks before the press about a turn that loses much: once a turn, and never for long.

What a turn costs is found out by others while it stands on the board. A press that comes before
they know is kept for a moment; then the turn stands, whatever they may say later.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge.messages import Coached, Cost, Said
from firmware_bridge.messages.verdict import WHOLE, Verdict
from firmware_bridge.table.game_log import GameLog, Moment
from rules.interface import Side

PATIENCE = 1.0
"""Seconds that a press waits at most: as long as nobody wonders whether it was felt."""


class Considered(NamedTuple):
    """A turn that stands whole on the board: the number of the position, and its text."""

    number: int
    text: str


class Kept(NamedTuple):
    """A press that waits for what is thought of its turn."""

    side: Side
    at: Moment
    turn: Considered


class Coach:
    """What is asked about the turns of one table.

    Attributes:
        kept: the press that waits, if one does.
    """

    def __init__(self, log: GameLog) -> None:
        self.kept: Kept | None = None
        self._log = log
        self._thought: dict[Considered, Cost | None] = {}
        self._asked: Considered | None = None

    @property
    def wake_at(self) -> float | None:
        """When the press that waits has waited long enough, in host seconds."""
        return self.kept.at.t + PATIENCE if self.kept else None

    def considered(self, verdict: Verdict) -> Considered | None:
        """Return the turn that is to be thought about: one that stands, if the player is helped."""
        log = self._log
        state, terms = log.state, log.terms
        if not terms.coach or state.stage != "playing" or verdict.kind not in WHOLE:
            return None
        if state.executing or not terms.advises(state.position.side):
            return None
        return Considered(state.number, str(verdict.turns[0]))

    def unknown(self, verdict: Verdict) -> Considered | None:
        """Return the same, unless it is known already what it costs."""
        turn = self.considered(verdict)
        return None if turn in self._thought else turn

    def take_in(self, coached: Coached) -> bool:
        """Learn what a turn costs; return whether a press has waited for it."""
        turn = Considered(coached.number, coached.text)
        known = {t: cost for t, cost in self._thought.items() if t.number == turn.number}
        self._thought = {**known, turn: coached.cost}
        return self.kept is not None and self.kept.turn == turn

    def stops(self, verdict: Verdict, side: Side, at: Moment) -> bool:
        """Return whether a press of the mover ends no turn yet: it is asked about, or waits."""
        turn = self.considered(verdict)
        if turn is None or (self._asked and self._asked.number == turn.number):
            return False
        if turn not in self._thought:
            self.kept = self.kept or Kept(side, at, turn)
            return True
        if (said := self._said(turn, at.t)) is None:
            return False
        self._asked = turn
        self._log.put(said)
        return True

    def release(self, verdict: Verdict) -> Kept | None:
        """Return the press that waits no more, if its turn still stands; it is not stopped again.

        Its turn is asked about if it is known by now what it costs.
        """
        kept, self.kept = self.kept, None
        if kept is None or kept.turn != self.considered(verdict):
            return None
        if kept.turn not in self._thought:
            self._asked = kept.turn
        return kept

    def doubt(self, verdict: Verdict) -> Said | None:
        """Return what is being asked of the turn that stands."""
        turn = self.considered(verdict)
        return self._said(turn, 0.0) if turn is not None and turn == self._asked else None

    def _said(self, turn: Considered, t: float) -> Said | None:
        cost = self._thought.get(turn)
        if cost is None:
            return None
        if cost == "game":
            return Said(t, "coach-game")
        if cost == "much":
            return Said(t, "coach-much")
        return Said(t, "coach-piece", {"piece": f"the-{cost}"})
