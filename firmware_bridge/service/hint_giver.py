"""Gives the hints that players ask for, made from what they may know themselves."""

from __future__ import annotations

import logging

from firmware_bridge.messages import Hinted
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.service.adviser import Adviser, Care
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.service.seat_process import Fault, Opponent, Start, lines

_LOG = logging.getLogger(__name__)

CARE = Care(LEVELS[-1], ceiling_s=6.0)
"""On a slow machine a hint is then the best one so far."""


class HintGiver(GameFollower):
    """Answers whoever waits for a hint."""

    def __init__(self, controller: Controller, start: Start = Opponent.start) -> None:
        super().__init__(controller)
        self._adviser = Adviser(CARE, start)

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
