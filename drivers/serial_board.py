"""The own board at the end of a serial cable: protocol v1 over a port that comes and goes."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from drivers.link.session import HostSession
from drivers.port import Driver, Lights, LinkChanged
from drivers.transport import Lost, Opened, PortSettings, SerialTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from drivers.description import BoardDescription
    from drivers.link.session import LinkStatistics
    from drivers.port import BoardEvent

_LIGHTS_OUT = 0.05
"""Seconds given to the last frame, lights off, before the port is closed."""


class SerialBoard(Driver):
    """A board that speaks protocol v1: over USB, a UART, or the simulated board's pty."""

    def __init__(self, description: BoardDescription, port: str, baudrate: int = 115200) -> None:
        """Prepare; nothing is opened yet.

        Args:
            description: the board that is expected there.
            port: device path.
            baudrate: speed of a real UART; USB boards ignore it.
        """
        self.description = description
        self._transport = SerialTransport(PortSettings(port, baudrate))
        self._session = HostSession(description, nonce=secrets.randbelow(65536))
        self._events: asyncio.Queue[BoardEvent | None] = asyncio.Queue()
        self._pump_task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def statistics(self) -> LinkStatistics:
        """How well the wire works."""
        return self._session.statistics

    async def __aenter__(self) -> Self:
        """Begin to look for the board; returns at once, `events` tells what comes of it."""
        await self._transport.__aenter__()
        self._pump_task = asyncio.create_task(self._pump(), name="serial board")
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Darken the board where possible, and close the port. Idempotent."""
        if self._pump_task is None:
            return
        if self._session.up:
            await self.show(Lights())
            await asyncio.sleep(_LIGHTS_OUT)
        await self._transport.__aexit__(*exc)
        self._pump_task.cancel()
        with suppress(asyncio.CancelledError):
            await self._pump_task
        self._pump_task = None
        if self._timer is not None:
            self._timer.cancel()
        self._events.put_nowait(None)

    async def events(self) -> AsyncIterator[BoardEvent]:
        """Yield what happens on the board until it is closed."""
        while (event := await self._events.get()) is not None:
            yield event

    async def show(self, lights: Lights) -> None:
        """Show these lights; the board repeats nothing and misses nothing, the newest win."""
        self._session.show(lights)
        self._speak()

    async def sound(self, name: str) -> None:
        """Play a sound, if the board is there now; a late sound would only confuse."""
        self._session.sound(name, time.monotonic())
        self._speak()

    async def self_test(self) -> None:
        """Have the board test itself; it answers with a `BoardNotice`."""
        self._session.self_test(time.monotonic())
        self._speak()

    async def ask_snapshot(self) -> None:
        """Have the board send a `Snapshot` although nothing changed."""
        self._session.ask_snapshot()
        self._speak()

    async def _pump(self) -> None:
        async for item in self._transport.traffic():
            now = time.monotonic()
            match item:
                case Opened():
                    self._session.connect(now)
                case Lost(text):
                    self._events.put_nowait(LinkChanged(now, up=False, text=text))
                case bytes():
                    for value in self._session.receive(item, now):
                        self._events.put_nowait(value)
            self._speak()

    def _speak(self) -> None:
        """Send what is due, and come back when more will be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._transport.is_open:
            return
        now = time.monotonic()
        self._transport.write(self._session.poll(now))
        if self._session.problem is not None:
            self._transport.give_up(f"{self._transport.settings.port}: {self._session.problem}")
            return
        if self._session.up:
            self._transport.settled()
        delay = max(0.001, self._session.wake_at - now)
        self._timer = asyncio.get_running_loop().call_later(delay, self._speak)
