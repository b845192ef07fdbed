"""Letters over a broker."""

from __future__ import annotations

import asyncio
import secrets

from drivers.beside import is_set_within, meanwhile
from firmware_bridge.config import DistanceConfig
from firmware_bridge.distance.carrier import Carrier
from firmware_bridge.mqtt.client import Client
from firmware_bridge.mqtt.connection import Broker

_ROOM_FOR = 256
"""Messages that wait for the broker; what is more is lost, and sent again by its owner."""
_PAUSE = 5.0
"""Seconds between attempts to reach the broker, at most: players wait for it."""


class MqttCarrier(Carrier):
    """A carrier over a broker."""

    def __init__(self, config: DistanceConfig) -> None:
        super().__init__()
        # A client of an identifier of its own: a service and a command may be connected at once.
        identifier = f"fb-{secrets.token_hex(8)}"
        self._broker = Broker(config, identifier, "distance", longest=_PAUSE)
        self.name = self._broker.name
        self._base = f"{config.base}/"
        self._waiting: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(_ROOM_FOR)
        self._connected = asyncio.Event()

    @property
    def trouble(self) -> str:  # type: ignore[override]
        """Why the broker is not reached, after a colon, where anything is known."""
        return f": {self._broker.trouble}" if self._broker.trouble else ""

    def send(self, address: str, data: bytes) -> None:
        """Send to an address when the broker is there; what finds no room is lost."""
        if self._connected.is_set() and not self._waiting.full():
            self._waiting.put_nowait((address, data))

    async def reached(self, patience: float) -> bool:
        """Return whether the broker is reached within so many seconds."""
        return await is_set_within(self._connected, patience)

    async def run(self) -> None:
        """Carry until cancelled, and connect again whenever the broker is lost."""
        await self._broker.stay_connected(self._serve)

    async def _serve(self, client: Client) -> None:
        await client.follow(*(self._base + address for address in self.addresses))
        self._connected.set()
        try:
            async with meanwhile(self._write(client)):
                async for message in client.messages:
                    self.bring(message.topic.value.removeprefix(self._base), message.payload)
        finally:
            self._connected.clear()

    async def _write(self, client: Client) -> None:
        while True:
            address, data = await self._waiting.get()
            await client.tell(self._base + address, data)  # without an answer we connect again
