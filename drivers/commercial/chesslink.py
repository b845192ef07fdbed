"""Millennium ChessLink: USB serial or Bluetooth (as a serial port), 38400 baud, odd parity.

Every character carries its parity in bit 7, put there by ourselves: so the port is opened without
parity, as the Pi's small UART needs it. The board tells the kind of every piece, and lights the
corners of the squares in patterns that it plays by itself.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from drivers.commercial.commercial_session import CommercialSession, built_place
from drivers.commercial.wires import at_serial_port
from drivers.port import BoardEvent, Reading
from drivers.probes import SerialProbe

_LENGTHS = {"s": 67, "l": 3, "x": 3, "v": 7, "w": 7, "r": 7}
"""Reply -> its length, the two digits of the check included."""
_SLOT = 0x28
"""Length of a pattern's step in units of 4.096 ms: 164 ms."""
_READINGS: dict[str, Reading] = {
    ".": None,
    **{k: f"piece:w{k}" for k in "KQRNBP"},
    **{k.lower(): f"piece:b{k}" for k in "KQRNBP"},
}


def framed(command: str) -> bytes:
    """Return a command as it goes over the wire: with its check, and odd parity in bit 7."""
    return bytes(
        code if code.bit_count() % 2 else code | 0x80
        for code in f"{command}{_check(command)}".encode("ascii")
    )


def _check(text: str) -> str:
    return f"{reduce(xor, text.encode('ascii')):02X}"


class Parser:
    """Bytes in, replies out without their check. What does not check is passed over."""

    def __init__(self) -> None:
        self._text = ""

    def feed(self, data: bytes) -> list[str]:
        """Return the replies that these bytes complete."""
        self._text += bytes(byte & 0x7F for byte in data).decode("ascii")
        replies = []
        while self._text:
            length = _LENGTHS.get(self._text[0])
            if length is None:
                self._text = self._text[1:]
            elif len(self._text) < length:
                break
            elif self._text[length - 2 : length] == _check(self._text[: length - 2]):
                replies.append(self._text[: length - 2])
                self._text = self._text[length:]
            else:
                self._text = self._text[1:]
        return replies


class ChessLinkSession(CommercialSession[str]):
    """Asks for the position whenever the board has not told it by itself for a moment.

    Settings in the board's memory are left alone: it may be used with other programs as well.
    """

    title = "Millennium ChessLink"
    board = "chesslink"
    parser = Parser
    opening = framed("V"), framed("S")
    question = (framed("S"),)
    farewell = 0.2
    write_gap = 0.05
    """The longest command, 167 characters of lights, takes 44 ms at 38400 baud."""
    plays_patterns = True
    ask_every = 0.25
    """The board scans 24 times a second but may be set to tell nothing by itself. An answer takes
    18 ms of the line."""

    def _message(self, message: str, now: float) -> list[BoardEvent]:
        kind, letters = message[0], message[1:]
        if kind != "s" or any(letter not in _READINGS for letter in letters):
            return []
        self._ask_at = now + self.ask_every
        return self._felt([_READINGS[letter] for letter in letters], now)

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        if not steps:
            return framed("X")
        lights = [0] * 81
        for cell, bits in steps.items():
            for number in corners(*built_place(self.description, cell)):
                lights[number - 1] |= bits
        return framed(f"L{_SLOT:02X}" + "".join(f"{bits:02X}" for bits in lights))


def corners(file: int, rank: int) -> tuple[int, int, int, int]:
    """Return the lights, from 1, at the corners of a square with the cable on White's left."""
    first = 9 * file + 7 - rank + 1
    return first, first + 1, first + 9, first + 10


chesslink_board = DRIVER = at_serial_port(ChessLinkSession, SerialProbe(1.5), 38400)
