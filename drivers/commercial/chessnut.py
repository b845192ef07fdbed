"""Chessnut Air, Air+, Pro and Go on a USB cable: a HID device that tells the pieces apart."""

from __future__ import annotations

from drivers.commercial.commercial_session import CommercialSession, rows_of_bits
from drivers.commercial.hid import HidTransport, UsbProbe
from drivers.commercial.wires import joined
from drivers.description import BoardDescription
from drivers.port import BoardEvent, Reading
from drivers.probes import found_by
from drivers.session_board import SessionBoard

VENDOR = 0x2D80  # of the USB device
_POSITION = 0x01  # what a message that tells one begins with
_LENGTHS = frozenset({0x22, 0x24, 0x3D})
"""Lengths of a position message over Bluetooth, in older texts, and over USB."""
_TELL_POSITIONS, _ASK_BATTERY = b"\x21\x01\x00", b"\x29\x01\x00"
_CODES = (None, "bQ", "bK", "bB", "bP", "bN", "wR", "wP", "bR", "wB", "wN", "wQ", "wK")
_READINGS: tuple[Reading, ...] = tuple(label and f"piece:{label}" for label in _CODES)
_TONES = {"accepted": (1000, 80), "illegal": (300, 400), "attention": (700, 200)}
"""Sound -> frequency in hertz and length in milliseconds."""


class Parser:
    """Bytes in, positions out: the readings in the board's order.

    Messages have no check. So only lengths and pieces that there are count as a position, and what
    comes between is passed over byte by byte: noise, padding, and answers that need not be read.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[list[Reading]]:
        """Return the positions that these bytes complete."""
        self._buffer += data
        positions = []
        while len(self._buffer) >= 2:
            kind, length = self._buffer[:2]
            if kind != _POSITION or length not in _LENGTHS:
                del self._buffer[0]
            elif len(self._buffer) < 2 + length:
                break
            elif (position := _readings(self._buffer[2:34])) is None:
                del self._buffer[0]
            else:
                positions.append(position)
                del self._buffer[: 2 + length]
        return positions


def _readings(position: bytearray) -> list[Reading] | None:
    """Return what 32 bytes say, or `None` when a code is no piece; low halves come first."""
    codes = [code for byte in position for code in (byte & 0x0F, byte >> 4)]
    return [_READINGS[code] for code in codes] if max(codes) < len(_READINGS) else None


class ChessnutSession(CommercialSession[list[Reading]]):
    """Tells the board to send positions, which it then does whenever one changes."""

    title = "Chessnut board"
    board = "chessnut"
    parser = Parser
    opening = (_TELL_POSITIONS,)
    farewell = 0.3
    write_gap = lights_gap = 0.2
    """The maker's own programs leave so long between writes."""
    silence = 12.0
    """Three questions without an answer."""
    ask_every = 4.0
    """After so long a silence the battery is asked for, to hear whether the board is there."""

    def _message(self, message: list[Reading], now: float) -> list[BoardEvent]:
        self._ask_at = now + self.ask_every
        return self._felt(message, now)

    def _question(self) -> tuple[bytes, ...]:
        return (_ASK_BATTERY if self.up else _TELL_POSITIONS,)

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        return b"\x0a\x08" + rows_of_bits(self.description, lit_cells, a_file_highest=True)

    def _tone(self, name: str) -> bytes:
        if name not in _TONES:
            return b""
        frequency, length = _TONES[name]
        return b"\x0b\x04" + frequency.to_bytes(2, "big") + length.to_bytes(2, "big")


@found_by(UsbProbe(VENDOR))
def chessnut_board(description: BoardDescription, port: str = "") -> SessionBoard[ChessnutSession]:
    """Return the driver of a Chessnut board, at `port` (`/dev/hidraw3`) or the first one on USB."""
    return joined(ChessnutSession(description), HidTransport(VENDOR, port))


DRIVER = chessnut_board
