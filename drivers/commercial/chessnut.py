"""Chessnut Air, Air+, Pro and Go on a USB cable: a HID device that tells the pieces apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.commercial.hid import HidTransport
from drivers.commercial.session import CommercialSession, expect, rows_of_bits
from drivers.session_board import SessionBoard

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.port import BoardEvent, Reading

VENDOR = 0x2D80
_POSITION = 0x01
_KNOWN = frozenset({_POSITION, 0x2A, 0x27, 0x32, 0x41})
"""First bytes of what the board sends."""
_TELL_POSITIONS, _ASK_BATTERY = b"\x21\x01\x00", b"\x29\x01\x00"
_CODES = (None, "bQ", "bK", "bB", "bP", "bN", "wR", "wP", "bR", "wB", "wN", "wQ", "wK")
_READINGS: tuple[Reading, ...] = tuple(label and f"piece:{label}" for label in _CODES)
_TONES = {"accepted": (1000, 80), "illegal": (300, 400), "attention": (700, 200)}
"""Sound -> frequency in hertz and length in milliseconds."""


class Parser:
    """Bytes in, (kind, data) out: a kind, a length and so many bytes; padding is passed over."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the messages that these bytes complete."""
        self._buffer += data
        messages = []
        while self._buffer:
            if self._buffer[0] not in _KNOWN:
                del self._buffer[0]
                continue
            if len(self._buffer) < 2 or len(self._buffer) < 2 + self._buffer[1]:
                break
            end = 2 + self._buffer[1]
            messages.append((self._buffer[0], bytes(self._buffer[2:end])))
            del self._buffer[:end]
        return messages


def readings(position: bytes) -> list[Reading]:
    """Return the readings in the board's order; the first square is in the low half of a byte.

    Raises:
        ValueError: when a code is no piece.
    """
    codes = [code for byte in position[:32] for code in (byte & 0x0F, byte >> 4)]
    if max(codes) >= len(_READINGS):
        raise ValueError("no such piece")
    return [_READINGS[code] for code in codes]


class ChessnutSession(CommercialSession):
    """Tells the board to send positions, which it then does whenever one changes."""

    title = "Chessnut board"
    write_gap = lights_gap = 0.2
    silence = 12.0
    ask_every = 4.0
    """After so long a silence the battery is asked for, to hear whether the board is there."""

    def _begin(self, now: float) -> None:  # noqa: ARG002 - it can be spoken to at once
        self._parser = Parser()
        self._say(_TELL_POSITIONS)

    def _understand(self, data: bytes, now: float) -> list[BoardEvent]:
        events: list[BoardEvent] = []
        self._ask_at = now + self.ask_every
        for kind, message in self._parser.feed(data):
            if kind != _POSITION or len(message) < 32:
                continue
            try:
                events += self._felt(readings(message), now)
            except ValueError:
                continue  # half of one message and half of another; the next is whole
        return events

    def _question(self) -> tuple[bytes, ...]:
        return (_ASK_BATTERY if self.up else _TELL_POSITIONS,)

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        return b"\x0a\x08" + rows_of_bits(self.description, lit_cells, a_file_highest=True)

    def _tone(self, name: str) -> bytes:
        if name not in _TONES:
            return b""
        frequency, length = _TONES[name]
        return b"\x0b\x04" + frequency.to_bytes(2, "big") + length.to_bytes(2, "big")


def chessnut_board(description: BoardDescription, port: str = "") -> SessionBoard[ChessnutSession]:
    """Return the driver of a Chessnut board on a USB cable.

    Args:
        description: the board.
        port: its device, such as `/dev/hidraw3`; without it the first Chessnut board is taken.
    """
    expect(description, "chessnut", ("identity",))
    transport = HidTransport(VENDOR, port)
    return SessionBoard(description, transport, ChessnutSession(description), farewell=0.3)
