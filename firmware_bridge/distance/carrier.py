"""What moves sealed bytes between hosts: it may lose, double, reorder, delay or read them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from drivers.beside import meanwhile
from firmware_bridge.config import DistanceConfig
from firmware_bridge.mqtt.client import Client
from firmware_bridge.mqtt.connection import Broker

_ROOM_FOR = 256
"""Messages that wait for the broker; what is more is lost, and sent again by its owner."""
_AGAIN = 1.0
"""Seconds after which we send to ourselves again."""
_PAUSE = 5.0
"""Seconds between attempts to reach the broker, at most: players wait for it."""
LARGEST = 16384
"""Bytes of a message; what is larger is no letter of any version that we know."""


class Carrier(Protocol):
    """Moves bytes to an address, as well as it can; others than the broker's may do the same."""

    def send(self, address: str, data: bytes) -> None:
        """Send, or lose it."""

    def listen(self, address: str, hear: Callable[[bytes], None]) -> None:
        """Give what arrives at an address to somebody, from now on."""


class MqttCarrier:
    """A carrier over a broker.

    Args:
        config: where it is.
    """

    def __init__(self, config: DistanceConfig) -> None:
        # A client of an identifier of its own: a service and a command may be connected at once.
        identifier = f"fb-{secrets.token_hex(8)}"
        self._broker = Broker(config, identifier, "distance", longest=_PAUSE)
        self._base = config.base
        self._ears: dict[str, Callable[[bytes], None]] = {}
        self._waiting: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(_ROOM_FOR)
        self._connected = asyncio.Event()
        self._echoed = asyncio.Event()
        self._echo = secrets.token_hex(16)
        self.listen(self._echo, lambda _: self._echoed.set())

    @property
    def name(self) -> str:
        """Host and port."""
        return self._broker.name

    @property
    def base(self) -> str:
        """The topic below which it carries."""
        return self._base

    @property
    def trouble(self) -> str:
        """Why the broker is not reached, after a colon, where anything is known."""
        return f": {self._broker.trouble}" if self._broker.trouble else ""

    def send(self, address: str, data: bytes) -> None:
        """Send to an address when the broker is there; what finds no room is lost."""
        if self._connected.is_set() and not self._waiting.full():
            self._waiting.put_nowait((address, data))

    def listen(self, address: str, hear: Callable[[bytes], None]) -> None:
        """Give what arrives at an address to somebody; to be said before it runs."""
        self._ears[self._topic(address)] = hear

    async def reached(self, patience: float) -> bool:
        """Return whether the broker is reached within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._connected.wait()
        return self._connected.is_set()

    async def carries(self, patience: float) -> bool:
        """Return whether what we send to ourselves arrives within so many seconds.

        Not every broker tells whom it lets read nothing.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not self._echoed.is_set():
                    self.send(self._echo, b"echo")
                    with suppress(TimeoutError):
                        async with asyncio.timeout(_AGAIN):
                            await self._echoed.wait()
        return self._echoed.is_set()

    async def run(self) -> None:
        """Carry until cancelled, and connect again whenever the broker is lost."""
        await self._broker.stay_connected(self._serve)

    async def _serve(self, client: Client) -> None:
        await client.follow(*self._ears)
        self._connected.set()
        try:
            async with meanwhile(self._write(client)):
                async for message in client.messages:
                    hear = self._ears.get(message.topic.value)
                    data = message.payload
                    if hear and isinstance(data, bytes) and len(data) <= LARGEST:
                        hear(data)
        finally:
            self._connected.clear()

    async def _write(self, client: Client) -> None:
        while True:
            address, data = await self._waiting.get()
            await client.tell(self._topic(address), data)  # without an answer we connect again

    def _topic(self, address: str) -> str:
        return f"{self._base}/{address}"
