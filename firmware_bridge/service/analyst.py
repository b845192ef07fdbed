"""Thinks about one position of a game that is over, and lets it be seen while it does.

Nothing is analysed while people play a game that counts, or against each other: whoever plays could
ask it about his own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from drivers.beside import begin, end
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.protocol import Judgement, Known
from firmware_bridge.recordings.export import GameSoFar
from firmware_bridge.service.adviser import Adviser, Care
from firmware_bridge.service.review import Question
from firmware_bridge.service.seat_process import Fault

_LOG = logging.getLogger(__name__)

CARE = Care(LEVELS[-1], ceiling_s=20.0, lines=3, nodes=1_000_000)
"""The ceiling comes before so many positions are looked at."""
_BEAT_S = 0.3
"""Seconds between two looks at whether the next position is asked for."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in a game somebody looks.

    Attributes:
        number: how many of its turns had been made.
        branch: turns that are tried from there on.
    """

    game_id: str
    number: int
    branch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """What is thought so far.

    Attributes:
        judgements: of the turns that seem best, the best first.
        known: what the side to act could not know for certain, if anything.
        goes_on: whether it is still thought about.
        failed: whether nothing came of it.
    """

    question: Question
    judgements: tuple[Judgement, ...] = ()
    known: Known | None = None
    goes_on: bool = True
    failed: bool = False


def practised(table: GameSoFar) -> bool:
    """Whether the game on a table is there to learn by, and hides nothing while it goes on."""
    terms = table.agreement.terms()
    return terms.practice and not terms.secret and table.state.under_way


def unaided(table: GameSoFar) -> bool:
    """Whether a game is under way on a table in which nobody may be helped."""
    terms = table.agreement.terms()
    helped = terms.practice or terms.computers or terms.puzzle
    return table.state.under_way and not helped


class Analyst:
    """Thinks about the position that was asked for last."""

    def __init__(self, table: Callable[[], GameSoFar]) -> None:
        self._table = table
        self._adviser = Adviser(CARE)
        self._asked: tuple[Spot, Agreement] | None = None
        self._thought: Thought | None = None
        self._thinking = False
        self._working: asyncio.Task[None] | None = None

    @property
    def allowed(self) -> bool:
        """Whether anything may be analysed now."""
        return not unaided(self._table())

    @property
    def practised(self) -> GameSoFar | None:
        """The game on the table, if it may be looked at while it goes on."""
        table = self._table()
        return table if practised(table) else None

    def look(self, spot: Spot, agreement: Agreement, question: Question) -> None:
        """Think about a position from now on, and about no other."""
        self._asked, self._thought = (spot, agreement), Thought(question)
        self._thinking = False
        if self._working is None or self._working.done():
            self._working = begin(self._work(), "analysis")

    def current(self, game_id: str) -> tuple[Spot, Thought] | None:
        """Return what is thought so far, and of which position; `None` if of another game."""
        if self._asked is None or self._asked[0].game_id != game_id or self._thought is None:
            return None
        thought = self._thought
        if self._thinking:
            judged, known = self._adviser.judgements, self._adviser.known
            thought = Thought(thought.question, judged, known)
        return self._asked[0], thought

    async def close(self) -> None:
        """End what is under way."""
        if self._working is not None:
            await end(self._working)
        await self._adviser.close()

    async def _work(self) -> None:
        done = None
        while self._asked is not done and self._asked is not None and self._thought is not None:
            done = self._asked
            found = await self._about(done, self._thought.question)
            if self._asked is done:
                self._thinking, self._thought = False, found

    async def _about(self, asked: tuple[Spot, Agreement], question: Question) -> Thought:
        """Return what comes of thinking about a position, until another one is asked for."""
        position = question.position
        if position.outcome is not None or position.awaits_dice:
            return Thought(question, goes_on=False)
        watch = begin(self._watch(asked), "watch of an analysis")
        self._thinking = True
        try:
            await self._adviser.analyse(asked[1], question.told, position)
        except Fault as fault:
            _LOG.warning("an analysis: %s (%s)", fault, fault.kind)
            return Thought(question, goes_on=False, failed=True)
        finally:
            watch.cancel()
        return Thought(question, self._adviser.judgements, self._adviser.known, goes_on=False)

    async def _watch(self, asked: tuple[Spot, Agreement]) -> None:
        """Have an end made as soon as another position is asked for, or a game forbids it."""
        while True:
            await asyncio.sleep(_BEAT_S)
            if self._asked is not asked or not self.allowed:
                self._adviser.stop()
