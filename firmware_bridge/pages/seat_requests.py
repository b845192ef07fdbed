"""Phones that ask for a seat which another one holds."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass

from firmware_bridge.service.controller import Controller
from firmware_bridge.views import Announcement
from rules.interface import Side

ASKS_SECONDS = 120.0
"""How long a phone asks for a seat, and how long nobody asks again once it was kept."""


@dataclass(slots=True)
class Asking:
    """A phone that asks for a seat which is taken.

    Attributes:
        game_id: the game that the seat belongs to.
        token: by which the phone is known again.
        until: when nobody asks any more, on the host's monotonic clock.
        agreed: what the phone that holds the seat has answered.
    """

    game_id: str
    token: str
    until: float
    agreed: bool | None = None


class Waiting:
    """Who asks for which seat.

    Attributes:
        lock: held by whoever changes who has a seat.
    """

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self.lock = asyncio.Lock()
        self._asking: dict[Side, Asking] = {}
        self._unshown: dict[Side, str] = {}

    def for_seat(self, side: Side) -> Asking | None:
        """Return who asks for this seat now."""
        asking, controller = self._asking.get(side), self._controller
        if (
            asking is None
            or asking.game_id != controller.game_id
            or asking.until <= controller.now()
        ):
            return None
        return asking

    def begin(self, side: Side) -> Asking:
        """Let a phone ask, and everyone know."""
        until = self._controller.now() + ASKS_SECONDS
        asking = self._asking[side] = Asking(self._controller.game_id, secrets.token_hex(16), until)
        self._controller.notices.post(Announcement("seat-asked", {"side": f"side-{side}"}))
        return asking

    def give(self, side: Side, client: str) -> None:
        """Remember who got a seat until he shows that he has it: the answer may be lost."""
        self._unshown[side] = client

    def shows(self, side: Side) -> None:
        """Whoever got this seat has it."""
        self._unshown.pop(side, None)

    def waits_for(self, side: Side, client: str) -> bool:
        """Return whether he got this seat last, and has not shown yet that he has it."""
        return self._unshown.get(side) == client

    def end(self, side: Side) -> None:
        """Nobody asks for this seat any more."""
        self._asking.pop(side, None)
