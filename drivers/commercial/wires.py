"""Makes drivers of sessions: at a serial port, or over Bluetooth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from drivers.commercial.ble import BleTransport, Gatt
from drivers.commercial.commercial_session import CommercialSession
from drivers.description import BoardDescription
from drivers.probes import RadioProbe, SerialProbe, found_by
from drivers.session_board import SessionBoard
from drivers.transport import PortSettings, Reconnecting, SerialTransport

S = TypeVar("S", bound=CommercialSession[Any])


def joined(session: S, transport: Reconnecting) -> SessionBoard[S]:
    """Return a driver; raise `DriverError` if the description is of another kind of board."""
    session.expect()
    return SessionBoard(session.description, transport, session, session.farewell)


def at_serial_port(
    session: type[S], probe: SerialProbe, baud: int, *, lines: bool | None = None
) -> Callable[..., SessionBoard[S]]:
    """Return what makes the driver of a board at a serial port.

    `lines` is its usual state of DTR and RTS, as in `PortSettings`.
    """

    @found_by(probe)
    def board(
        description: BoardDescription,
        port: str,
        baudrate: int = baud,
        assert_lines: bool | None = lines,
    ) -> SessionBoard[S]:
        wire = PortSettings(port, baudrate, assert_lines=assert_lines)
        return joined(session(description), SerialTransport(wire))

    return board


def over_bluetooth(session: type[S], gatt: Gatt) -> Callable[..., SessionBoard[S]]:
    """Return what makes the driver of a board in the air; without `address` the first found."""

    @found_by(RadioProbe(gatt, session.board))
    def board(description: BoardDescription, address: str = "") -> SessionBoard[S]:
        return joined(session(description), BleTransport(gatt, address))

    return board
