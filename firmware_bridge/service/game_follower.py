"""What looks at the game whenever it may have gone on: computers, hints, the coach."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from drivers.beside import is_set_within
from firmware_bridge.messages import PublicOutput
from firmware_bridge.service.controller import Controller


class GameFollower(ABC):
    """Looks at the game when it begins, and again whenever something was given out.

    Attributes:
        looks_after: seconds after which it looks again in any case; `None` where it does not.
    """

    looks_after: float | None = None

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._changed = asyncio.Event()

    def hear(self, outputs: tuple[PublicOutput, ...]) -> None:
        """Take notice that the game may have gone on."""
        del outputs  # the state tells more, and is the same after a restart
        self._changed.set()

    async def run(self) -> None:
        """Look until cancelled."""
        try:
            while True:
                self._changed.clear()
                await self._look()
                await is_set_within(self._changed, self.looks_after)
        finally:
            await self._close()

    @abstractmethod
    async def _look(self) -> None:
        """Do what is due now, if anything."""

    async def _close(self) -> None:  # noqa: B027 - most start nothing
        """End the processes that were asked."""
