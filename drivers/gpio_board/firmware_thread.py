"""The firmware in a thread of its own, and the wire between it and the driver."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from drivers.board_reasons import Reason
from drivers.gpio_board.boardware_modules import Board, Parts, identity, ticks
from drivers.gpio_board.expanders import Expanders
from drivers.gpio_board.header import Header, NoHeaderError
from drivers.link.board_session import BoardSession
from drivers.transport import PortUnusableError, Reconnecting

if TYPE_CHECKING:
    from boardware.edge import Scanner

_ROUNDS, _PAUSE = 4, 0.001
"""Rounds of the firmware's loop between two pauses of so many seconds."""
_FIRST_SCANS = 3
"""Samples taken before the board greets, so that it knows what stands on it."""
_KEPT = 64
"""Pieces of what the host sends that wait for the firmware at most."""


class PiParts(Parts):
    """The parts of a board on the Pi: those of the firmware, and port expanders."""

    def __init__(self, config: dict[str, Any], header: Header) -> None:
        self._header = header
        super().__init__(config, header, header.line)

    def _scanner(self, reeds: dict[str, Any], contacts: int) -> Scanner:
        if reeds["kind"] == "mcp23017":
            return Expanders(self._header.smbus(), reeds["addresses"], contacts)
        return super()._scanner(reeds, contacts)


class _Wire:
    """The board's end of the wire, read and written by the firmware's thread."""

    def __init__(self, arrived: Callable[[bytes], object]) -> None:
        self.to_board: deque[bytes] = deque(maxlen=_KEPT)
        self._arrived = arrived

    def read(self) -> bytes:
        return self.to_board.popleft() if self.to_board else b""

    def write(self, data: bytes) -> int:
        self._arrived(bytes(data))
        return len(data)


class _Watchdog:
    """Linux looks after its threads; what fails in ours is told instead."""

    def feed(self) -> None:
        pass


class Controller(Reconnecting):
    """Runs the firmware on the header, and is the wire to it; started anew after every fault."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self._config = config
        self._boots = 0
        self._header: Header | None = None
        self._board: Board | None = None
        self._wire: _Wire | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def name(self) -> str:
        """What people call it."""
        return "GPIO"

    @property
    def is_open(self) -> bool:
        """Whether the firmware runs."""
        return self._board is not None

    def write(self, data: bytes) -> None:
        """Hand bytes to the firmware; what it does not take in time is sent again by protocol."""
        if self._wire is not None:
            self._wire.to_board.append(data)

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._wire = _Wire(lambda data: loop.call_soon_threadsafe(self._arrived, data))
        leds = self._config["leds"]
        try:
            self._header = Header(leds["pins"].get("select") if leds else None)
            parts = PiParts(self._config, self._header)
            board = Board(parts, self._session(), self._wire, _Watchdog())
            while board.scans < _FIRST_SCANS:
                board.step()
        except Exception as error:  # pins and buses raise whatever they like
            await self._disconnect()
            raise PortUnusableError(_explain(error)) from error
        self._board = board

    async def _listen(self) -> None:
        self._stop.clear()
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(loop,), name="board", daemon=True)
        self._thread.start()

    async def _disconnect(self) -> None:
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        self._board = self._wire = None
        if self._header is not None:
            self._header.close()
            self._header = None

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        board = self._board
        try:
            while board is not None and not self._stop.is_set():
                for _ in range(_ROUNDS):
                    board.step()
                time.sleep(_PAUSE)
        except Exception as error:  # noqa: BLE001 - told, or the thread would end in silence
            loop.call_soon_threadsafe(self.give_up, _explain(error))

    def _arrived(self, data: bytes) -> None:
        if not self._items.full():
            self._items.put_nowait(data)

    def _session(self) -> BoardSession:
        self._boots += 1
        return BoardSession(identity(self._config, b"header\0\0"), self._boots, ticks.ms())


def _explain(error: Exception) -> Reason:
    """Return why pins or buses cannot be used."""
    codes: dict[type[Exception], str] = {
        ImportError: "header-library",
        NoHeaderError: "header-missing",
        FileNotFoundError: "header-bus-off",
        PermissionError: "header-forbidden",
    }
    found = (code for kind, code in codes.items() if isinstance(error, kind))
    return Reason(next(found, "header-failed"), {"error": str(error)})
