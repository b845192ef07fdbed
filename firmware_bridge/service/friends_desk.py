"""What friends far away are answered while the service runs: so far their test letters."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from firmware_bridge.distance.carrier import MqttCarrier
from firmware_bridge.distance.friends import FriendsUnreadable, friends_in
from firmware_bridge.distance.greeting import Desk
from firmware_bridge.distance.sealing import NotInstalled, hold_installed

if TYPE_CHECKING:
    from firmware_bridge.config import Config
    from firmware_bridge.distance.pairing import Friend

_LOG = logging.getLogger(__name__)
LOOKS = 5.0
"""Seconds after which it is seen whether a command has made or forgotten friends."""


class FriendsDesk:
    """Answers friends, those who are made meanwhile included.

    Args:
        config: the configuration; `distance.host` must be set.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._why = ""

    async def run(self) -> None:
        """Answer until cancelled; without the extra it is only told what to install."""
        try:
            hold_installed()
        except NotInstalled as missing:
            _LOG.warning("friends: %s", missing)
            return
        while True:
            await self._answer(await asyncio.to_thread(self._friends))

    async def _answer(self, friends: tuple[Friend, ...]) -> None:
        """Answer these for as long as they are our friends; without any no broker is needed."""
        carrier = MqttCarrier(self._config.distance)
        desks = [Desk(friend, carrier) for friend in friends]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(desk.run()) for desk in desks]
            if desks:
                tasks.append(group.create_task(carrier.run()))
            await self._others_than(friends)
            for task in tasks:
                task.cancel()

    async def _others_than(self, friends: tuple[Friend, ...]) -> None:
        """Wait until our friends are others."""
        while True:
            await asyncio.sleep(LOOKS)
            if await asyncio.to_thread(self._friends) != friends:
                return

    def _friends(self) -> tuple[Friend, ...]:
        """Return our friends; none while their file cannot be read, which is told once."""
        why = ""
        friends: tuple[Friend, ...] = ()
        try:
            friends = friends_in(self._config.data)
        except FriendsUnreadable as unreadable:
            why = str(unreadable)
        if why and why != self._why:
            _LOG.error("friends: %s", why)
        self._why = why
        return friends
