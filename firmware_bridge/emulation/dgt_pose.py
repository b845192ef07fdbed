"""Poses as a DGT e-Board at a serial port: answers its commands, tells its changes. Pure.

There is no clock: whoever asks for one hears that none is connected. Commands that would write to
a board's memory, start its loader or speak to a clock are taken in and not answered.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.emulation.follower import Done, Follower

RESET, SEND_CLOCK, SEND_BOARD = 0x40, 0x41, 0x42  # commands
UPDATES = {0x43, 0x44, 0x4B}
"""Commands after which changes are told."""
WITH_SIZE = {0x2B, 0x60}
"""Commands that say in their second byte how many more follow."""
DUMP, TIME, FIELD = 0x86, 0x8D, 0x8E  # answers: the whole board, the clock, one square
NO_CLOCK = bytes((0, 0, 0, 0, 0, 0, 0x20))
_ANSWERS = {
    0x45: (0x91, b"00001"),
    0x46: (0x90, bytes((0, 1))),
    0x47: (0x92, b"firmware-bridge, speaks like a board of Digital Game Technology"),
    0x4D: (0x93, bytes((1, 7))),
    0x55: (0xA2, b"0000000001"),
}
"""Command -> kind and data of what is answered whatever stands on the board."""
_CODES = {
    f"{side}{kind}": code
    for code, (side, kind) in enumerate(((s, k) for s in "wb" for k in "PRNBKQ"), start=1)
}


class DgtPose:
    """One board at the other end of a cable."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        follower.restarts = True
        self._told = bytes(64)
        self._updating = False
        self._skip: int | None = 0

    def hear(self, data: bytes, t: float) -> bytes:  # noqa: ARG002 - this protocol knows no times
        """Take in commands; return the answers."""
        return b"".join(self._command(byte) for byte in data)

    def felt(self, done: Sequence[Done]) -> bytes:  # noqa: ARG002 - it tells squares, not moves
        """Return what is told of what the board now shows."""
        before, self._told = self._told, self._codes()
        if not self._updating:
            return b""
        changed = [square for square in range(64) if before[square] != self._told[square]]
        # What was lifted comes first: a piece is not in two places.
        changed.sort(key=lambda square: self._told[square] != 0)
        return b"".join(_message(FIELD, bytes((n, self._told[n]))) for n in changed)

    def _command(self, byte: int) -> bytes:
        if self._skip is None:
            self._skip = byte
        elif self._skip:
            self._skip -= 1
        elif byte in WITH_SIZE:
            self._skip = None
        else:
            return self._answer(byte)
        return b""

    def _answer(self, command: int) -> bytes:
        if command in _ANSWERS:
            return _message(*_ANSWERS[command])
        if command == SEND_BOARD:
            self._told = self._codes()
            return _message(DUMP, self._told)
        if command == SEND_CLOCK:
            return _message(TIME, NO_CLOCK)
        if command in UPDATES:
            self._updating = True
        elif command == RESET:
            self._updating = False
        return b""

    def _codes(self) -> bytes:
        """Return the piece codes from a8 along the ranks; what nobody can name is not told."""
        stands = self._follower.stands
        cells = (f"{file}{rank}" for rank in range(8, 0, -1) for file in "abcdefgh")
        return bytes(_CODES.get(stands.get(cell) or "", 0) for cell in cells)


def _message(kind: int, data: bytes) -> bytes:
    size = len(data) + 3
    return bytes((kind, size >> 7, size & 0x7F)) + data
