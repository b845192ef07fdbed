"""Gives the hints that players ask for, made from what they may know themselves."""

from __future__ import annotations

import logging

from firmware_bridge.messages import Hinted
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.protocol import Seating
from firmware_bridge.service.adviser import Adviser
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.service.seat_process import Fault, lines

_LOG = logging.getLogger(__name__)

CEILING_S = 6.0
"""Seconds that a hint may take at most; on a slow machine it is then the best one so far."""


class HintGiver(GameFollower):
    """Answers whoever waits for a hint."""

    def __init__(self, controller: Controller, adviser: Adviser | None = None) -> None:
        super().__init__(controller)
        self._adviser = adviser or Adviser()

    async def _look(self) -> None:
        controller = self._controller
        if not controller.table.awaits_hint:
            return
        game_id, agreement, state = controller.game_id, controller.agreement, controller.table.state
        side = state.position.side
        # The seed has no part in it: who knows the same is advised the same.
        seating = Seating(agreement.game, agreement.options, LEVELS[-1], "hint", analyses=True)
        told = lines(controller.table.summary().briefing(side))
        try:
            found = await self._adviser.analyse(seating, told, state.position, CEILING_S)
            text = str(found.turn)
        except Fault as fault:
            _LOG.warning("a hint's process: %s (%s)", fault, fault.kind)
            text = None
        if controller.game_id == game_id:
            await controller.submit(Hinted(controller.now(), state.number, text))

    async def _close(self) -> None:
        await self._adviser.close()
