"""DGT Pegasus over Bluetooth: messages as of the e-Board, but it only feels that pieces stand.

DGT gives makers of programs a key that some boards want to see first; none is in here. Put yours
into the settings if the board shows all squares occupied without it.
"""

from __future__ import annotations

from drivers.commercial.ble import BleTransport, nordic_uart
from drivers.commercial.dgt import ASK_DUMP, ASK_SERIAL, DgtSession
from drivers.commercial.wires import joined
from drivers.description import BoardDescription
from drivers.port import DriverError, Reading
from drivers.probes import RadioProbe, found_by
from drivers.session_board import SessionBoard

GATT = nordic_uart("DGT_PEGASUS", "DGT_Pegasus")
_SPEED, _REPEAT, _BRIGHTNESS = 5, 0, 1
"""Fields of the light command: how fast, how often, how bright."""
_DARK = b"\x60\x02\x00\x00"


class PegasusSession(DgtSession):
    """A DGT session on a board without identities but with lights."""

    title = "DGT Pegasus"
    board = "pegasus"
    tiers = ("occupancy",)
    write_gap = 0.05
    """Seen between the commands of programs that play with it."""
    lights_gap = 0.4
    """A choice: the board walks through the squares of a frame by itself and needs time to."""

    def __init__(self, description: BoardDescription, key: bytes = b"") -> None:
        super().__init__(description)
        self._key = key

    def _begin(self, now: float) -> None:
        if self._key:
            self._say(b"\x63\x07" + self._key + b"\0")
        super()._begin(now)

    def _question(self) -> tuple[bytes, ...]:
        return super()._question() if not self.up else (ASK_SERIAL, ASK_DUMP)

    @staticmethod
    def _reading(code: int) -> Reading:
        return True if code else None

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        if not lit_cells:
            return _DARK
        squares = bytes(sorted(self.description.numbers[cell] for cell in lit_cells))
        head = bytes([0x60, 5 + len(squares), 5, _SPEED, _REPEAT, _BRIGHTNESS])
        return head + squares + b"\0"


@found_by(RadioProbe(GATT))
def pegasus_board(
    description: BoardDescription, address: str = "", key: str = ""
) -> SessionBoard[PegasusSession]:
    """Return the driver of a DGT Pegasus.

    Args:
        description: the board.
        address: of one certain board; without it the first is taken.
        key: six bytes in hexadecimal digits, as issued by DGT.
    """
    try:
        secret = bytes.fromhex(key)
    except ValueError:
        secret = b"?"
    if len(secret) not in {0, 6}:
        raise DriverError('"key" of a Pegasus is six bytes in hexadecimal digits, as DGT gave it.')
    return joined(PegasusSession(description, secret), BleTransport(GATT, address))


DRIVER = pegasus_board
