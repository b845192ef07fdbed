"""Chessnut Move over Bluetooth: as its sisters without motors, but its lights have colours.

The motors are not used: what moves pieces here are hands.
"""

from __future__ import annotations

from drivers.commercial.bluetooth import CHESSNUT_MOVE
from drivers.commercial.chessnut import ChessnutSession
from drivers.commercial.wires import over_bluetooth

_LIGHTS = b"\x43\x20"
_COLOUR = 2
"""Green, of red (1), green and blue (3): the one that is seen best on wood."""


class ChessnutMoveSession(ChessnutSession):
    """A Chessnut session with half a byte of colour for each square, in the order of positions."""

    title = "Chessnut Move"
    board = "chessnut-move"

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        halves = bytearray(len(self.description.cells) // 2)
        for cell in lit_cells:
            number = self.description.numbers[cell]
            halves[number // 2] |= _COLOUR << 4 * (number % 2)
        return _LIGHTS + bytes(halves)


chessnut_move_board = DRIVER = over_bluetooth(ChessnutMoveSession, CHESSNUT_MOVE)
