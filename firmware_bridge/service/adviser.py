"""Asks a process of its own what it thinks of a position: for hints, the coach and the review.

The process is one of `service.opponent`: it is told what a seat may know and nothing else, and
whatever is wrong with it costs that one answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from drivers.beside import begin
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.opponents.protocol import Judgement, Known, Seating
from firmware_bridge.service.seat_process import Attempt, Fault, Opponent, Start
from rules.interface import Position, Turn

IDLE_S = 300.0
"""Seconds after which a process of which nobody asks anything is ended: longer than people think
about a turn, and soon enough that a game that is over leaves its memory to the next one."""
SEED = "advice"


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was thought of a position.

    Attributes:
        turn: the best turn.
        score: what the side to act may expect, in hundredths of a pawn; see `opponents.protocol`.
        line: the texts of the turns expected, the best one first.
        known: what the seat could not know for certain, if anything.
    """

    turn: Turn
    score: int
    line: tuple[str, ...] = ()
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class Care:
    """How closely positions are looked at.

    Attributes:
        level: as much is looked at as a computer of this level does.
        ceiling_s: seconds a position after which the best so far will do.
        lines: how many turns are told while it deepens.
        nodes: how many positions it deepens to; 0 for what the level looks at.
    """

    level: int
    ceiling_s: float
    lines: int = 1
    nodes: int = 0


class Adviser:
    """One process that is asked again and again, started when it is needed, ended when it is not.

    Whoever knows the same is told the same: its seed is always `SEED`.
    """

    def __init__(self, care: Care, start: Start = Opponent.start, idle_s: float = IDLE_S) -> None:
        self._care = care
        self._start = start
        self._idle_s = idle_s
        self._resting: asyncio.Task[None] | None = None
        self._spent = False
        self._running: Opponent | None = None
        self._seating: Seating | None = None

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """What it thinks of the turns that seem best, so far, the best first."""
        judged = self._running.judgements if self._running is not None else {}
        return tuple(judged[rank] for rank in sorted(judged))

    @property
    def known(self) -> Known | None:
        """What the seat cannot know for certain, if anything."""
        return self._running.known if self._running is not None else None

    def stop(self) -> None:
        """Have it name the best turn so far."""
        if self._running is not None:
            self._running.tell("stop")

    async def analyse(
        self, agreement: Agreement, told: Sequence[str], position: Position
    ) -> Analysis:
        """Return what to do in a position.

        `told` are lines of the protocol; the process knows nothing else of the position.

        Raises:
            Fault: when nothing came of it.
        """
        if self._resting is not None:
            self._resting.cancel()
        care, game = self._care, agreement.game
        seating = Seating(game, agreement.options, care.level, SEED, analyses=True, told=care.lines)
        try:
            opponent = await self._told(seating, told)
            limit = f"nodes {care.nodes}" if care.nodes else ""
            turn = await opponent.think(position, care.ceiling_s, limit)
        except Fault:
            await self.close()
            raise
        self._resting = begin(self._rest(), "end of an adviser")
        if isinstance(turn, Attempt):
            raise Fault("illegal", "it forgot whose a piece is")
        return Analysis(turn, opponent.judgement.score, opponent.judgement.line, opponent.known)

    async def _told(self, seating: Seating, told: Sequence[str]) -> Opponent:
        running = self._running
        if running is None or running.fault.done() or self._spent or seating != self._seating:
            await self.close()
            running = self._running = await self._start(seating, told)
            self._seating = seating
        else:
            running.brief(told)
        return running

    async def close(self) -> None:
        """End the process; it is started again when it is needed."""
        if self._resting is not None:
            self._resting.cancel()
        await self._end()

    async def _rest(self) -> None:
        await asyncio.sleep(self._idle_s)
        self._spent = True  # also where the end is cut short by the next question
        await self._end()

    async def _end(self) -> None:
        if self._running is not None:
            await self._running.close()
        self._running, self._spent = None, False
