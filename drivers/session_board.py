"""The shell around every board that speaks over a wire: a session decides, a transport carries.

The session is pure (bytes and time in, values and bytes out); the transport keeps the wire open.
This module is all that stands between them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Generic, Protocol, Self, TypeVar

from drivers.beside import begin, end, log
from drivers.board_reasons import Reason
from drivers.description import BoardDescription
from drivers.port import BoardEvent, Driver, Lights, LinkChanged
from drivers.transport import Lost, Opened, Reconnecting

__all__ = ["Session", "SessionBoard"]


class Session(Protocol):
    """One board's protocol, over any number of connections.

    `connect` when the wire is open, `receive` with what it brings, `poll` at `wake_at` and after
    every call; what `poll` returns is sent. When `problem` is set the wire is closed.
    """

    problem: Reason | None

    @property
    def up(self) -> bool:
        """Whether the board has answered and is the one expected."""

    @property
    def wake_at(self) -> float:
        """The time at which `poll` must be called at the latest."""

    def connect(self, now: float) -> None:
        """Begin a connection: the wire has just been opened."""

    def receive(self, data: bytes, now: float) -> Sequence[BoardEvent]:
        """Take bytes from the wire; return what they say, in order."""

    def poll(self, now: float) -> bytes:
        """Return the bytes to send now."""

    def show(self, lights: Lights) -> None:
        """Have the board show these lights; they are shown again after every return."""

    def sound(self, name: str, now: float) -> None:
        """Have the board play a sound, if it is there and can."""


S = TypeVar("S", bound=Session)
_WAITING = 4096
"""Events that wait to be heard, many times the cells of any board; more are left on the wire."""


class SessionBoard(Driver, Generic[S]):
    """A board at the other end of a wire.

    Attributes:
        session: what is spoken over the wire.
        overhear: told of everything on the wire, as (time, `in`, `out`, `opened` or `lost`, bytes);
            `None` while nobody looks for faults.
    """

    def __init__(
        self,
        description: BoardDescription,
        transport: Reconnecting,
        session: S,
        farewell: float = 0.05,
    ) -> None:
        """Prepare; the last frame, lights off, has `farewell` seconds until the wire is closed."""
        self.description = description
        self.session = session
        self._transport = transport
        self._farewell = farewell
        self.overhear: Callable[[float, str, bytes], None] | None = None
        self._events: asyncio.Queue[BoardEvent | None] = asyncio.Queue(_WAITING)
        self._pump_task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        """Begin to look for the board; returns at once, `events` tells what comes of it."""
        await self._transport.__aenter__()
        self._pump_task = begin(self._pump(), f"board {self._transport.name}")
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Darken the board where possible, and close the wire, even if cancelled. Idempotent."""
        if self._pump_task is None:
            return
        pump, self._pump_task = self._pump_task, None
        try:
            if self.session.up:
                await self.show(Lights())
                await asyncio.sleep(self._farewell)
        finally:
            await self._close(pump)

    async def _close(self, pump: asyncio.Task[None]) -> None:
        try:
            await self._transport.__aexit__(None, None, None)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            pump.cancel()
            if self._events.full():
                self._events.get_nowait()
            self._events.put_nowait(None)
            await end(pump)

    async def events(self) -> AsyncIterator[BoardEvent]:
        """Yield what happens on the board until it is closed."""
        while (event := await self._events.get()) is not None:
            yield event

    async def show(self, lights: Lights) -> None:
        """Show these lights; the board misses nothing, the newest win."""
        self.session.show(lights)
        self._speak()

    async def sound(self, name: str) -> None:
        """Play a sound, if the board is there now; a late sound would only confuse."""
        self.session.sound(name, time.monotonic())
        self._speak()

    async def _pump(self) -> None:
        async for item in self._transport.traffic():
            try:
                events = self._heard(item, time.monotonic())
            except Exception as error:  # noqa: BLE001 - of what a device says anything may come
                self._fail(error)
                continue
            for event in events:
                await self._events.put(event)
            self._speak()

    def _heard(self, item: bytes | Opened | Lost, now: float) -> Sequence[BoardEvent]:
        """Return what has come of something that happened on the wire."""
        match item:
            case Opened():
                self._note(now, "opened")
                self.session.connect(now)
                return ()
            case Lost(reason):
                self._note(now, "lost")
                return (LinkChanged(now, up=False, reason=reason),)
            case bytes():
                self._note(now, "in", item)
                return self.session.receive(item, now)

    def _fail(self, error: Exception) -> None:
        log(f"board {self._transport.name}", error)
        self._transport.fail(error)

    def _note(self, now: float, what: str, data: bytes = b"") -> None:
        if self.overhear is not None:
            self.overhear(now, what, data)

    def _speak(self) -> None:
        """Send what is due, and come back when more will be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._transport.is_open:
            return
        now = time.monotonic()
        try:
            data = self.session.poll(now)
        except Exception as error:  # noqa: BLE001 - as of what it hears
            self._fail(error)
            return
        if data:
            self._note(now, "out", data)
            self._transport.write(data)
        if self.session.problem is not None:
            wire = {"wire": self._transport.name}
            self._transport.give_up(Reason("on-wire", wire, (self.session.problem,)))
            return
        if self.session.up:
            self._transport.settled()
        delay = max(0.001, self.session.wake_at - now)
        self._timer = asyncio.get_running_loop().call_later(delay, self._speak)
