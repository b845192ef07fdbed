"""Two hosts meet in a room of the carrier, whose name the words of an invitation tell."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from drivers.beside import is_set_within
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.carrier import Carrier
from firmware_bridge.distance.invitation import Invitation
from firmware_bridge.distance.pairing import Friend, Inviter, Joiner, Spent

VALID = 600.0
"""Seconds for which the side that shows the words waits."""
PATIENCE = 60.0
"""Seconds for which the side that has entered them does."""
AGAIN = 1.0
"""Seconds after which the same is said again: what carries it may lose it."""
LINGER = 5.0
"""Seconds for which the last word is said again."""


class Meeting:
    """One side in the room of an invitation; to be made before the carrier runs.

    `here` and `there` are who we are in it, and who the other is.
    """

    def __init__(
        self, carrier: Carrier, side: Inviter | Joiner, room: str, here: str, there: str
    ) -> None:
        self._tell = partial(carrier.send, f"{room}/{there}")
        self._side = side
        self._moved = asyncio.Event()
        self._spent: Spent | None = None
        carrier.listen(f"{room}/{here}", self._hear)

    @classmethod
    def shown(cls, carrier: Carrier, invitation: Invitation, name: str) -> Meeting:
        """Return the side that shows the words; `name` is what the friend will see."""
        return cls(carrier, Inviter(invitation, name), invitation.room, "inviter", "joiner")

    @classmethod
    def entered(cls, carrier: Carrier, invitation: Invitation, name: str) -> Meeting:
        """Return the side that has entered the words; `name` is what the friend will see."""
        return cls(carrier, Joiner(invitation, name), invitation.room, "joiner", "inviter")

    async def friend(self, patience: float) -> Friend:
        """Return who was met within `patience` seconds.

        Raises:
            Spent: nobody came in time, or somebody who does not know the words.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not self._side.done and self._spent is None:
                    await self._go_on()
        if self._spent is not None:
            raise self._spent  # whoever hears of it lingers: the other side is to hear of it too
        if self._side.friend is None:
            raise Spent("pairing-nobody")
        return self._side.friend

    async def linger(self) -> None:
        """Say for a while what was said last: it may have been lost, and nobody answers it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while True:
                    await self._go_on()

    async def _go_on(self) -> None:
        """Say what is to be said, and wait for a message, or until it is time to say it again."""
        if self._side.telling:
            self._tell(self._side.telling)
        await is_set_within(self._moved, AGAIN)
        self._moved.clear()

    def _hear(self, message: bytes) -> None:
        """Take a message; what is new is answered at once, and what comes again by and by."""
        told = self._side.telling
        try:
            self._side.hear(message)
        except Refused:
            return
        except Spent as spent:
            self._spent = self._spent or spent
        if self._spent or self._side.done or self._side.telling != told:
            self._moved.set()
