"""Letters from board to board in one network, with no broker between.

Each board listens, and calls those it is told of. It is enough that one of two calls the other.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from drivers.beside import begin, end, is_set_within, kept_up, meanwhile
from drivers.errors import DriverError
from firmware_bridge.distance.carrier import LARGEST, Carrier

PORT = 8767
"""Where a board listens for others, unless it is told otherwise."""
_BOARD = re.compile(r"(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{1,5}))?")
_LONGEST_ADDRESS = 200
_CALLERS = 8
"""Boards that may have called at once; friends in one house are fewer."""
_ROOM_FOR = 256
"""Messages that wait for one board; what is more is lost, and sent again by its owner."""
_PAUSE, _PATIENCE = 3.0, 5.0
"""Seconds between calls, and for one."""
_QUIET = logging.getLogger("firmware_bridge.distance.direct.calls")
_QUIET.setLevel(logging.CRITICAL)
"""Of calls that failed nobody is told: anything in the network may knock."""
_SPOKEN: Mapping[str, Any] = {
    "subprotocols": [Subprotocol("firmware-bridge-letters")],
    "compression": None,
    "max_size": LARGEST + _LONGEST_ADDRESS,
    "logger": _QUIET,
}
"""What both ends of a connection agree on."""


class DirectCarrier(Carrier):
    """Carries letters over WebSockets: `DirectCarrier("ada.local, 192.168.1.20:8767")`.

    What is sent goes to every board that is connected. None can read what is sealed for another.

    Args:
        boards: whom to call; none if it is always the other who calls.
        port: where this board listens.

    Raises:
        DriverError: one of the boards is no name or address of one.
    """

    def __init__(self, boards: str = "", port: int = PORT) -> None:
        super().__init__()
        self._boards = tuple(_address(name) for name in re.split(r"[,\s]+", boards) if name)
        self._port = port
        self.name = ", ".join(self._boards) or f"port {port}"

    @property
    def _connections(self) -> _Connections:
        """The connections, shared by all carriers of this process that have the same."""
        key = self._boards, self._port
        if key not in _SHARED:
            _SHARED[key] = _Connections(*key)
        return _SHARED[key]

    @property
    def trouble(self) -> str:  # type: ignore[override]
        """Why nobody can call us, after a colon, if so."""
        return self._connections.trouble

    def send(self, address: str, data: bytes) -> None:
        """Send to every board that is connected, and to ourselves."""
        asyncio.get_running_loop().call_soon(self.bring, address, data)
        self._connections.send(address.encode() + b"\n" + data)

    async def reached(self, patience: float) -> bool:
        """Return whether a board is connected, or, with none to call, whether we listen."""
        return await is_set_within(self._connections.ready, patience)

    async def run(self) -> None:
        """Listen and call until cancelled."""
        shared = self._connections
        shared.carriers.append(self)
        if len(shared.carriers) == 1:
            shared.task = begin(kept_up(shared.run, "direct letters"), "direct letters")
        try:
            await asyncio.Future()
        finally:
            shared.carriers.remove(self)
            if not shared.carriers:
                _SHARED.pop((self._boards, self._port), None)
                await end(shared.task)


class _Connections:
    """The connections of one board.

    Attributes:
        carriers: to whom is given what comes, and for whom it goes on.
        ready: is set while letters can be sent.
        trouble: why nobody can call us, after a colon.
        task: what goes on.
    """

    task: asyncio.Task[None]

    def __init__(self, boards: tuple[str, ...], port: int) -> None:
        self._boards, self._port = boards, port
        self.carriers: list[DirectCarrier] = []
        self.ready = asyncio.Event()
        self.trouble = ""
        self._waiting: dict[Connection, asyncio.Queue[bytes]] = {}
        self._heard_at: dict[ServerConnection, float] = {}

    def send(self, frame: bytes) -> None:
        """Send to every board that is connected; what finds no room is lost."""
        for waiting in self._waiting.values():
            with suppress(asyncio.QueueFull):
                waiting.put_nowait(frame)

    async def run(self) -> None:
        """Listen and call until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen())
            for board in self._boards:
                group.create_task(self._call(board))

    async def _listen(self) -> None:
        while True:
            try:
                server = await serve(
                    self._answer,
                    port=self._port,
                    origins=[None],  # a browser names the page that it comes from: it is no board
                    **_SPOKEN,
                )
            except OSError as error:  # another program listens there: we still call
                why = os.strerror(error.errno) if error.errno else error  # in few words
                self.trouble = f": {why} (distance.settings.port = {self._port})"
                await asyncio.sleep(_PAUSE)
                continue
            self.trouble = ""
            async with server:
                if not self._boards:
                    self.ready.set()
                await server.wait_closed()

    async def _answer(self, connection: ServerConnection) -> None:
        """Speak with a board that calls, in place of that which has brought nothing for longest.

        Who only keeps a place, and anybody in the network can, keeps no friend out.
        """
        if len(self._heard_at) >= _CALLERS:
            given_up = min(self._heard_at, key=self._heard_at.__getitem__)
            del self._heard_at[given_up]
            given_up.transport.abort()
        self._heard_at[connection] = -math.inf
        try:
            await self._speak(connection)
        finally:
            self._heard_at.pop(connection, None)

    async def _call(self, board: str) -> None:
        while True:
            with suppress(WebSocketException, OSError, TimeoutError):
                async with connect(
                    f"ws://{board}/", open_timeout=_PATIENCE, proxy=None, **_SPOKEN
                ) as connection:
                    await self._speak(connection)
            await asyncio.sleep(_PAUSE)

    async def _speak(self, connection: Connection) -> None:
        """Carry both ways until the other end is gone."""
        waiting = self._waiting[connection] = asyncio.Queue(_ROOM_FOR)
        self.ready.set()
        try:
            with suppress(ConnectionClosed):
                async with meanwhile(_write(connection, waiting)):
                    async for frame in connection:
                        brought = self._bring(frame if isinstance(frame, bytes) else b"")
                        if brought and connection in self._heard_at:
                            self._heard_at[connection] = asyncio.get_running_loop().time()
        finally:
            del self._waiting[connection]
            if self._boards and not self._waiting:
                self.ready.clear()

    def _bring(self, frame: bytes) -> bool:
        """Give a letter to all carriers; return whether it was for one of them."""
        address, _, data = frame.partition(b"\n")
        to = address.decode("ascii", "replace")
        brought = [carrier.bring(to, data) for carrier in tuple(self.carriers)]
        return any(brought)


_SHARED: dict[tuple[tuple[str, ...], int], _Connections] = {}
"""A machine listens at a port once, whoever of it has letters carried: lines, and a pairing."""


async def _write(connection: Connection, waiting: asyncio.Queue[bytes]) -> None:
    while True:
        await connection.send(await waiting.get())


def _address(board: str) -> str:
    """Return a board's host and port."""
    found = _BOARD.fullmatch(board)
    if not found or int(found["port"] or PORT) > 65535:
        raise DriverError(
            f'"{board}" is no board: write its name or address, such as "ada.local", '
            f"and its port if it is not {PORT}"
        )
    return f"{found['host']}:{found['port'] or PORT}"
