"""Boards behind a program on this computer or another, spoken to over a WebSocket."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidURI, WebSocketException

from drivers.beside import begin, end
from drivers.board_reasons import Reason
from drivers.transport import PortUnusableError, Reconnecting

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

OPEN_TIME = 5.0
"""Seconds in which the program must take the connection."""
LARGEST = 64 * 1024
"""Bytes of one message; whoever sends more is cut off."""
_OUT_LIMIT = 64
"""Messages that wait to be sent; more means that the other end takes none."""


class WebSocketTransport(Reconnecting):
    """Keeps one WebSocket open; what comes and goes are whole texts, as UTF-8."""

    def __init__(self, url: str, program: str) -> None:
        super().__init__()
        self._url = url
        self._program = program
        self._socket: ClientConnection | None = None
        self._out: asyncio.Queue[bytes] = asyncio.Queue(maxsize=_OUT_LIMIT)
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def name(self) -> str:
        """The address."""
        return self._url

    @property
    def is_open(self) -> bool:
        """Whether the program is connected."""
        return self._socket is not None

    def write(self, data: bytes) -> None:
        """Send a text; dropped while there is no connection."""
        if self.is_open and data:
            with suppress(asyncio.QueueFull):
                self._out.put_nowait(data)

    async def _connect(self) -> None:
        try:
            self._socket = await connect(
                self._url, open_timeout=OPEN_TIME, close_timeout=1.0, max_size=LARGEST, proxy=None
            )
        except (InvalidURI, ValueError) as error:
            unusable = Reason("address-unusable", {"address": self._url, "error": str(error)})
            raise PortUnusableError(unusable) from error
        except (OSError, WebSocketException) as error:
            missing = Reason("program-missing", {"program": self._program, "address": self._url})
            raise PortUnusableError(missing) from error

    async def _listen(self) -> None:
        if self._socket is not None:
            self._tasks = [
                begin(self._read_all(self._socket), f"reader of {self.name}", self.fail),
                begin(self._write_all(self._socket), f"writer of {self.name}", self.fail),
            ]

    async def _disconnect(self) -> None:
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            await end(task)
        while not self._out.empty():
            self._out.get_nowait()
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _read_all(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for message in socket:
                await self._items.put(message.encode() if isinstance(message, str) else message)
        self.give_up(Reason("connection-lost", {"board": self._program}))

    async def _write_all(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):  # whoever reads says so
            while True:
                await socket.send((await self._out.get()).decode())
