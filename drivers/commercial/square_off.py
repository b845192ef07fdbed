"""Square Off Pro and Swap over Bluetooth: texts such as `0#e2u*`; pieces are felt, not told."""

from __future__ import annotations

import re

from drivers.commercial.ble import nordic_uart
from drivers.commercial.commercial_session import ASK_EVERY, CommercialSession
from drivers.commercial.wires import over_bluetooth
from drivers.port import BoardEvent

GATT = nordic_uart("Square Off", "Squareoff", "SquareOff")
_LONGEST = 256
"""Bytes kept without an end; the longest message, a whole board, has 69."""
_NEW_GAME, _ASK_BOARD = b"14#1*", b"30#R*"
_MESSAGE = re.compile(r"([0-9]{1,2})#([^#]*)$")
_BOARD = re.compile("[01]{64}")
_HAND = re.compile("([a-h][1-8])([ud])")


class Parser:
    """Bytes in, (code, body) out."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[tuple[str, str]]:
        """Return the messages that these bytes complete."""
        *messages, self._buffer = (self._buffer + data).split(b"*")
        self._buffer = self._buffer[-_LONGEST:]
        found = (_MESSAGE.search(text.decode("ascii", errors="replace")) for text in messages)
        return [(match[1], match[2]) for match in found if match]


class SquareOffSession(CommercialSession[tuple[str, str]]):
    """Asks for the whole board, then follows each hand, and asks again now and then."""

    title = "Square Off"
    board = "square-off"
    parser = Parser
    opening = _NEW_GAME, _ASK_BOARD
    question = (_ASK_BOARD,)
    tiers = ("occupancy",)
    farewell = 0.2
    write_gap = 0.1
    lights_gap = 0.4
    """Choices, as long as fast signals stay apart; nobody has told what the board needs."""
    ask_every = ASK_EVERY

    def _message(self, message: tuple[str, str], now: float) -> list[BoardEvent]:
        code, body = message
        if code == "30" and _BOARD.fullmatch(body):
            return self._felt([True if bit == "1" else None for bit in body], now)
        if code == "0" and self.up and (hand := _HAND.fullmatch(body)):
            readings = list(self._stands)
            readings[self.description.built.index(hand[1])] = True if hand[2] == "d" else None
            return self._felt(readings, now)
        return []

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        built = sorted(self.description.built[self.description.numbers[cell]] for cell in lit_cells)
        return f"25#{''.join(built)}*".encode("ascii")


square_off_board = DRIVER = over_bluetooth(SquareOffSession, GATT)
