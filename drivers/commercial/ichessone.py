"""iChessOne over Bluetooth: it tells the kind of every piece, and lights the squares."""

from __future__ import annotations

from drivers.commercial.ble import nordic_uart
from drivers.commercial.commercial_session import ASK_EVERY, CommercialSession, rows_of_bits
from drivers.commercial.wires import over_bluetooth
from drivers.port import BoardEvent, Reading

GATT = nordic_uart("iChessOne")
_POSITION, _BATTERY = b"=p", b"=b"
_SEND_CHANGES, _ASK_BOARD = b"CPIRQ", b"RP"
_READINGS: tuple[Reading, ...] = (None, *(f"piece:{s}{k}" for s in "wb" for k in "PNBRQK"))


class Parser:
    """Bytes in, positions out, from a8 along the ranks; what is no position is passed over."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[list[Reading]]:
        """Return the positions that these bytes complete."""
        self._buffer += data
        positions = []
        while (start := self._buffer.find(_POSITION)) >= 0:
            body = self._buffer[start + 2 : start + 34]
            if len(body) < 32:
                break
            position = _readings(body)
            if position is not None:
                positions.append(position)
            self._buffer = self._buffer[start + (2 if position is None else 34) :]
        keep = start if start >= 0 else len(self._buffer) - 1
        self._buffer = self._buffer[max(0, keep) :]
        return positions


def _readings(body: bytes) -> list[Reading] | None:
    """Return what 32 bytes say, or `None` when a code is no piece; high halves come first."""
    codes = [code for byte in body for code in (byte >> 4, byte & 0x0F)]
    return [_READINGS[code] for code in codes] if max(codes) < len(_READINGS) else None


class IChessOneSession(CommercialSession[list[Reading]]):
    """Has the board send changes, and asks for the position now and then."""

    title = "iChessOne"
    board = "ichessone"
    parser = Parser
    opening = _SEND_CHANGES, _ASK_BOARD
    question = (_ASK_BOARD,)
    farewell = 0.2
    write_gap = 0.1
    """A choice: a few intervals of the radio; nobody has told what the board needs."""
    ask_every = ASK_EVERY

    def _message(self, message: list[Reading], now: float) -> list[BoardEvent]:
        return self._felt(message, now)

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        red = 0x80 if lit_cells else 0
        rows = rows_of_bits(self.description, lit_cells, a_file_highest=False)
        return b"EL" + bytes([red, 0x0F, 0]) + rows + b"\x00\x01\xff"


ichessone_board = DRIVER = over_bluetooth(IChessOneSession, GATT)
