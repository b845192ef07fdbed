"""Boards that speak the open Chess Peripheral Protocol, as lines of text over a serial port.

We are its central: we begin a round with whatever stands on the board, so that nothing has to be
put right, and then only listen to the states that it streams. Which turn a hand has made is not
asked of the board; the moves that it names are acknowledged, so that it goes on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from drivers.commercial.session import CommercialSession, expect
from drivers.session_board import SessionBoard
from drivers.transport import PortSettings, SerialTransport

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.port import BoardEvent, Reading

_LONGEST = 512
_STATES = frozenset({"state", "sync", "unsync", "unsync_setible"})
_READINGS: dict[str, Reading] = {
    **dict.fromkeys("?wUu", True),
    **{k: f"piece:w{k}" for k in "KQRNBP"},
    **{k.lower(): f"piece:b{k}" for k in "KQRNBP"},
}
"""Letter of a state -> reading; `b` may also be any black piece, see `readings`."""


class Parser:
    """Bytes in, lines out; a line without end is dropped."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that these bytes complete."""
        *lines, self._buffer = re.split(rb"[\r\n\0]+", self._buffer + data)
        if len(self._buffer) > _LONGEST:
            self._buffer = b""
        return [line.decode("ascii", errors="replace").strip() for line in lines if line.strip()]


def readings(state: str) -> list[Reading] | None:
    """Return the readings of a state from a8 along the ranks, or `None` when it is none.

    A board that tells colours but not kinds writes `w` and `b`: where a `w` stands, which is no
    piece letter, a `b` is no bishop either.
    """
    placement = state.split(" ", maxsplit=1)[0]
    if len(rows := placement.split("/")) != 8:
        return None
    colours_only = "w" in placement
    found: list[Reading] = []
    for row in rows:
        cells = "".join("." * int(c) if c in "12345678" else c for c in row)
        if len(cells) != 8 or any(c != "." and c not in _READINGS for c in cells):
            return None
        found += [None if c == "." else True if colours_only else _READINGS[c] for c in cells]
    return found


class CppSession(CommercialSession[str]):
    """Asks for the features it needs, then for the state, then begins a round with that state."""

    title = "CPP board"
    silence = float("inf")  # a board on which nobody moves has nothing to say

    def _new_parser(self) -> Parser:
        return Parser()

    def _begin(self, now: float) -> None:  # noqa: ARG002 - the protocol knows no times
        self._begun = False
        self._ask("feature get_state", "feature state_stream", "get_state")

    def _message(self, message: str, now: float) -> list[BoardEvent]:
        word, _, rest = message.partition(" ")
        if word in _STATES and (found := readings(rest)) is not None:
            if not self._begun:
                self._begun = True
                self._ask(f"begin {rest}")
            return self._felt(found, now)
        if word in {"move", "undo", "draw_offer"}:
            self._ask("ok")
        elif word == "err":
            self.problem = self.problem or f"The board reports an error: {rest[:80]}"
        return []

    def _ask(self, *lines: str) -> None:
        self._say(*(f"{line}\n".encode("ascii", errors="replace") for line in lines))


def cpp_board(
    description: BoardDescription, port: str, baudrate: int = 115200
) -> SessionBoard[CppSession]:
    """Return the driver of a board that speaks the protocol over a serial port."""
    expect(description, "cpp", ("identity", "occupancy"))
    transport = SerialTransport(PortSettings(port, baudrate))
    return SessionBoard(description, transport, CppSession(description))


DRIVER = cpp_board
