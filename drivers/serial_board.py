"""The own board at the end of a serial cable: protocol v1 over a port that comes and goes."""

from __future__ import annotations

import secrets
import time

from drivers.description import BoardDescription
from drivers.link.host_session import HostSession, LinkStatistics
from drivers.looking import LookingTransport
from drivers.session_board import SessionBoard
from drivers.transport import PortSettings, SerialTransport


class SerialBoard(SessionBoard[HostSession]):
    """A board that speaks protocol 1.1: over USB, a UART, or the simulated board's pty."""

    def __init__(
        self, description: BoardDescription, port: str = "", baudrate: int = 115200
    ) -> None:
        """Prepare; nothing is opened yet.

        Without a port the one board there is looked for. `baudrate` is for a real UART; USB boards
        ignore it.
        """
        transport = (SerialTransport if port else LookingTransport)(PortSettings(port, baudrate))
        super().__init__(
            description, transport, HostSession(description, nonce=secrets.randbelow(65536))
        )

    @property
    def statistics(self) -> LinkStatistics:
        """How well the wire works."""
        return self.session.statistics

    async def self_test(self) -> None:
        """Have the board test itself; it answers with a `BoardNotice`."""
        self.session.self_test(time.monotonic())
        self._speak()

    async def ask_snapshot(self) -> None:
        """Have the board send a `Snapshot` although nothing changed."""
        self.session.ask_snapshot()
        self._speak()
