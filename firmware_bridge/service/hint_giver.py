"""Gives the hints that players ask for, made from what they may know themselves."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from firmware_bridge.messages import Hinted
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.protocol import Seating
from firmware_bridge.service.adviser import Adviser
from firmware_bridge.service.opponent import Fault, lines

if TYPE_CHECKING:
    from firmware_bridge.messages import PublicOutput
    from firmware_bridge.service.controller import Controller

_LOG = logging.getLogger(__name__)

CEILING_S = 6.0
"""Seconds that a hint may take at most; on a slow machine it is then the best one so far."""


class HintGiver:
    """Answers whoever waits for a hint.

    Args:
        controller: where the game goes on.
        adviser: who knows.
    """

    def __init__(self, controller: Controller, adviser: Adviser | None = None) -> None:
        self._controller = controller
        self._adviser = adviser or Adviser()
        self._changed = asyncio.Event()

    def hear(self, outputs: tuple[PublicOutput, ...]) -> None:
        """Take notice that somebody may have asked."""
        del outputs  # the state tells more, and is the same after a restart
        self._changed.set()

    async def run(self) -> None:
        """Answer until cancelled."""
        try:
            while True:
                self._changed.clear()
                if self._controller.table.awaits_hint:
                    await self._answer()
                await self._changed.wait()
        finally:
            await self._adviser.close()

    async def _answer(self) -> None:
        controller = self._controller
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
