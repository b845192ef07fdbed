"""Helps who plays: gives hints, and finds out what a turn costs while it stands on the board."""

from __future__ import annotations

import logging
from typing import get_args

from firmware_bridge.messages import Coached, Cost, Hinted
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.protocol import SURE, knows
from firmware_bridge.service.adviser import Adviser, Analysis, Care
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.service.review import expected
from firmware_bridge.service.seat_process import Fault, Opponent, Start, lines
from rules.interface import IllegalTurn, Position, Turn

_LOG = logging.getLogger(__name__)

CARE = Care(LEVELS[-2], ceiling_s=3.0)
"""How closely a turn is looked at: the highest level would often come after the press."""
WORTH_A_QUESTION = 0.2
"""What a turn must give away of what could be expected: a pawn and a half where all is even."""
HINTED = Care(LEVELS[-1], ceiling_s=6.0)
"""How closely it is looked for a hint: on a slow machine it is then the best one so far."""


class HintGiver(GameFollower):
    """Answers whoever waits for a hint."""

    def __init__(self, controller: Controller, start: Start = Opponent.start) -> None:
        super().__init__(controller)
        self._adviser = Adviser(HINTED, start)

    async def _look(self) -> None:
        controller = self._controller
        if not controller.table.awaits_hint:
            return
        game_id, agreement, state = controller.game_id, controller.agreement, controller.table.state
        told = lines(controller.table.summary().briefing(state.position.side))
        try:
            found = await self._adviser.analyse(agreement, told, state.position)
            text = str(found.turn)
        except Fault as fault:
            _LOG.warning("a hint's process: %s (%s)", fault, fault.kind)
            text = None
        if controller.game_id == game_id:
            await controller.submit(Hinted(controller.now(), state.number, text))

    async def _close(self) -> None:
        await self._adviser.close()


class CoachingService(GameFollower):
    """Tells the table of each turn that stands what it costs, so that the press need not wait.

    Only in games without secrets: who acts knows the position, and so does whoever looks at it.
    """

    def __init__(self, controller: Controller, start: Start = Opponent.start) -> None:
        super().__init__(controller)
        self._adviser = Adviser(CARE, start)
        self._best: tuple[Position, Analysis] | None = None

    async def _look(self) -> None:
        """Look at the position in good time, and then at the turn, if one stands already."""
        controller, state = self._controller, self._controller.table.state
        if not controller.table.coaches:
            return
        game_id, cost = controller.game_id, None
        try:
            best = await self._best_of(state.position)
            text = controller.table.considered
            if text is None or controller.table.state.number != state.number:
                return
            cost = await self._cost(state.position, state.position.parse_turn(text), best)
        except (Fault, IllegalTurn) as error:
            _LOG.warning("a coach's process: %s", error)
            text = controller.table.considered
        if text is not None and controller.game_id == game_id:
            await controller.submit(Coached(controller.now(), state.number, text, cost))

    async def _close(self) -> None:
        await self._adviser.close()

    async def _best_of(self, position: Position) -> Analysis:
        if self._best is None or self._best[0] is not position:
            self._best = position, await self._analyse(position)
        return self._best[1]

    async def _cost(self, position: Position, turn: Turn, best: Analysis) -> Cost | None:
        """Return what a turn loses, `None` if that is not worth a question."""
        after = position.play(turn)
        if turn == best.turn or after.outcome is not None or after.side == position.side:
            return None
        reply = await self._analyse(after)
        if expected(best.score) - expected(-reply.score) < WORTH_A_QUESTION:
            return None
        if reply.score > SURE:
            return "game"
        return _piece_lost(position, turn, after, reply) or "much"

    async def _analyse(self, position: Position) -> Analysis:
        told = (knows(position.knowledge(position.side)),)
        return await self._adviser.analyse(self._controller.agreement, told, position)


def _piece_lost(position: Position, turn: Turn, after: Position, reply: Analysis) -> Cost | None:
    """Return the kind of the piece that the reply takes, where it is no exchange."""
    gained = {position.shown[square].kind for square in position.deed(turn).taken}
    taken = [after.shown[square].kind for square in after.deed(reply.turn).taken]
    if len(taken) != 1 or gained.intersection(taken) or _retaken(after, reply):
        return None
    return next((kind for kind in get_args(Cost) if kind == taken[0]), None)


def _retaken(after: Position, reply: Analysis) -> bool:
    """Return whether the turn expected after the reply takes something in its turn."""
    then = after.play(reply.turn)
    if len(reply.line) < 2 or then.outcome is not None:
        return False
    try:
        return bool(then.deed(then.parse_turn(reply.line[1])).taken)
    except IllegalTurn:  # what is expected was looked at less closely
        return False
