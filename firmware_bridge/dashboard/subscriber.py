"""The wall's ear: what the broker brings goes into the hall."""

from __future__ import annotations

import asyncio
import secrets
import time
from functools import partial

from drivers.beside import kept_up
from firmware_bridge.config import ConfigError, MqttConfig
from firmware_bridge.dashboard.hall import Hall
from firmware_bridge.mqtt.client import Client
from firmware_bridge.mqtt.connection import Broker

LOOK_ROUND = 10.0
"""Seconds between two looks for boards that have fallen silent."""


class Watch:
    """Keeps a hall up to date.

    Attributes:
        hall: the boards.
        connected: whether the broker is there.
        moves: rises whenever the hall changes or the broker comes or goes.

    Raises:
        ConfigError: no broker is named, or a certificate or the password's file cannot be read.
    """

    def __init__(self, config: MqttConfig) -> None:
        if not config.host:
            raise ConfigError("mqtt.host is not set: name the broker that the boards publish to.")
        self.hall = Hall(config.base)
        self.connected = False
        # Many walls may watch one hall, so each has a name of its own.
        self._broker = Broker(config, f"firmware-bridge-wall-{secrets.token_hex(4)}")
        self.moves = 0
        self._moved = asyncio.Event()

    async def run(self) -> None:
        """Listen until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(kept_up(self._look_round, "look round the hall"))
            group.create_task(kept_up(partial(self._broker.stay_connected, self._listen), "broker"))

    async def news(self, since: int) -> None:
        """Return when something has changed since `moves` had this value."""
        if self.moves == since:
            await self._moved.wait()

    async def _listen(self, client: Client) -> None:
        # Nothing is asked twice: what a full queue drops comes again with the next beat, while
        # confirmations would be held back by the broker's limit on those under way.
        await client.follow(*(f"{self.hall.base}/+/{what}" for what in _TOLD), qos=0)
        self._connection(up=True)
        try:
            async for message in client.messages:
                payload = message.payload if isinstance(message.payload, bytes) else b""
                self.hall.take(message.topic.value, payload, time.monotonic(), time.time())
                self._stir()
        finally:
            self._connection(up=False)

    async def _look_round(self) -> None:
        while True:
            await asyncio.sleep(LOOK_ROUND)
            before = self.hall.number
            if self.connected:
                self.hall.silence(time.monotonic())
            if self.hall.number != before:
                self._stir()

    def _connection(self, *, up: bool) -> None:
        self.connected = up
        self._stir()

    def _stir(self) -> None:
        self.moves += 1
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


_TOLD = ("availability", "state")
