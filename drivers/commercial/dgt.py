"""DGT e-Board: serial, USB or Bluetooth (as a serial port), 9600 baud.

The board tells the kind of every piece. It has no lights, and the clock's lever is not used:
which side it belongs to depends on how the clock stands.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.commercial.commercial_session import ASK_EVERY, CommercialSession
from drivers.commercial.wires import at_serial_port
from drivers.port import BoardEvent, Reading
from drivers.probes import SerialProbe

DUMP, FIELD, SERIAL = 0x86, 0x8E, 0x91  # answers: the whole board, one square, its number
ASK_DUMP, ASK_SERIAL, SEND_CHANGES = b"\x42", b"\x45", b"\x44"
_LARGEST = 256
"""No message that is asked for is longer; one that claims to be is noise."""
_PIECES: tuple[Reading, ...] = (None, *(f"piece:{s}{k}" for s in "wb" for k in "PRNBKQ"))
"""Piece code -> reading. Codes above stand for results and are no pieces."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the board: its kind, bit 7 set, and its data."""

    kind: int
    data: bytes


class Parser:
    """Bytes in, messages out. Only the first byte of a message has bit 7 set, so noise passes."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that these bytes complete."""
        messages = []
        for byte in data:
            if byte & 0x80:
                self._buffer.clear()
            elif not self._buffer:
                continue
            self._buffer.append(byte)
            if len(self._buffer) < 3:
                continue
            length = self._buffer[1] << 7 | self._buffer[2]
            if not 3 <= length <= _LARGEST:
                self._buffer.clear()
            elif len(self._buffer) == length:
                messages.append(Message(self._buffer[0], bytes(self._buffer[3:])))
                self._buffer.clear()
        return messages


class DgtSession(CommercialSession[Message]):
    """Asks for the whole board once, then for changes; asks again after changes and every second.

    A change is only a hint: pieces in motion are seen on two squares, and a captured one may never
    be seen to leave. So the whole board is asked for as soon as it has been quiet for a moment.
    """

    title = "DGT e-Board"
    board = "dgt"
    parser = Parser
    opening = SEND_CHANGES, ASK_DUMP
    write_gap = 0.1
    """Programs that play with these boards leave so long between commands."""
    settle = 0.35
    """Seconds of quiet after which the whole board is asked for again."""
    ask_every = ASK_EVERY
    """Whole boards are asked for anyway; the answers also show that the board is there."""

    def _begin(self, now: float) -> None:
        self._write_at = now + 0.5  # the board needs a moment after its port is opened
        super()._begin(now)

    def _message(self, message: Message, now: float) -> list[BoardEvent]:
        match message.kind, len(message.data):
            case (0x86, 64):
                return self._felt([self._reading(code) for code in message.data], now)
            case (0x8E, 2) if self.up and message.data[0] < 64:
                self._ask_at = now + self.settle
                readings = list(self._stands)
                readings[message.data[0]] = self._reading(message.data[1])
                return self._felt(readings, now)
            case _:
                return []

    @staticmethod
    def _reading(code: int) -> Reading:
        return _PIECES[code] if code < len(_PIECES) else None

    def _question(self) -> tuple[bytes, ...]:
        return (ASK_DUMP,) if self.up else self.opening


dgt_board = DRIVER = at_serial_port(DgtSession, SerialProbe(2.0, "fragile"), 9600)
