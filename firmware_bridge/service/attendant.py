"""Looks after a board that nobody looks after: a kiosk's game that was left behind is given up."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from firmware_bridge.views import Announcement

if TYPE_CHECKING:
    from firmware_bridge.agreement import Agreement
    from firmware_bridge.service.desk import Desk

WARNING = 30.0
"""Seconds between the warning and the end of the game."""
LOOKS = 1.0
"""Seconds between two looks."""
NOTHING_TO_GIVE_UP = {"waiting", "set-up", "ready", "storage-failed"}


class Attendant:
    """Gives up a game that nobody touches any more, after a warning.

    Args:
        desk: where the game goes on.
        agreement: the game that is offered to whoever comes next.
        idle: seconds without a touch after which the game is given up.
    """

    def __init__(self, desk: Desk, agreement: Agreement, idle: float) -> None:
        self._desk = desk
        self._agreement = agreement
        self._idle = idle
        self._warned_of = 0.0

    async def run(self) -> None:
        """Look after the board until cancelled."""
        while True:
            await asyncio.sleep(LOOKS)
            await self.look()

    async def look(self) -> None:
        """Do what is due now."""
        desk = self._desk
        if desk.view().phase in NOTHING_TO_GIVE_UP:
            return
        quiet = desk.now() - desk.touched
        if quiet >= self._idle:
            await desk.begin(self._agreement)
        elif quiet >= self._idle - WARNING and self._warned_of != desk.touched:
            self._warned_of = desk.touched
            desk.announce(Announcement("page-idle", {"seconds": f"{self._idle - quiet:.0f}"}))
