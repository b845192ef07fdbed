"""Boards that speak the open Chess Peripheral Protocol: lines of text, or messages in the air.

We are its central: we begin a round with whatever stands on the board, so that nothing has to be
put right, listen to the states that it streams, and ask for the state again and again. Which turn
a hand has made is not asked of the board; the moves that it names are acknowledged, so that it
goes on.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from drivers.board_reasons import Reason
from drivers.commercial.commercial_session import ASK_EVERY, CommercialSession
from drivers.commercial.wires import at_serial_port
from drivers.port import BoardEvent, Reading
from drivers.probes import SerialProbe

_LONGEST = 512
"""Bytes of a line; a FEN with its word has some hundred, so what is longer is noise."""
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


class Messages:
    """One notification is one message: nothing ends it, nothing is put together."""

    def feed(self, data: bytes) -> list[str]:
        """Return the message."""
        return [data.decode("ascii", errors="replace").strip("\r\n\0 ")]


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
    """Asks for the features it needs and for the state, and begins a round with that state.

    A damaged line costs nothing: what it said is asked again before long.
    """

    title = "CPP board"
    board = "cpp"
    parser: ClassVar[type[Parser | Messages]] = Parser
    tiers = ("identity", "occupancy")
    ask_every = ASK_EVERY
    line_end = "\n"

    def _begin(self, now: float) -> None:  # noqa: ARG002 - the protocol knows no times
        self._begun = False
        self._error = ""
        self._doubted: list[Reading] | None = None
        self._ask("feature get_state", "feature state_stream", "get_state")

    def _message(self, message: str, now: float) -> list[BoardEvent]:
        word, _, rest = message.partition(" ")
        if word in _STATES and (found := readings(rest)) is not None:
            self._begun = self._begun or word != "state"
            if not self._begun:
                self._ask(f"begin {rest}")
            return self._felt(found, now) if self._believed(found) else []
        if word in {"move", "undo", "draw_offer"}:
            self._ask("ok", "get_state")
        elif word == "err":
            self._error = rest[:80]
        return []

    def _trouble(self, now: float) -> Reason | None:
        trouble = super()._trouble(now)
        if trouble is None or not self._error:
            return trouble
        return replace(trouble, more=(Reason("reports-error", {"error": self._error}),))

    def _believed(self, found: list[Reading]) -> bool:
        """Return whether a state counts; in one with an exchanged piece a letter may be damaged.

        Such a state is asked for again, and counts when it is said twice.
        """
        exchanged = any(
            before is not None and now is not None and before != now
            for before, now in zip(self._stands, found, strict=True)
        )
        if not (self.up and exchanged) or found == self._doubted:
            self._doubted = None
            return True
        self._doubted = found
        self._ask("get_state")
        return False

    def _question(self) -> tuple[bytes, ...]:
        return (self._line("get_state"),)

    def _ask(self, *lines: str) -> None:
        self._say(*map(self._line, lines))

    def _line(self, text: str) -> bytes:
        return f"{text}{self.line_end}".encode("ascii", errors="replace")


class CppRadioSession(CppSession):
    """The same over Bluetooth: one message a notification and a write, and no line ends."""

    parser = Messages
    line_end = ""
    write_gap = 0.05
    """About one interval of the radio, in which it takes one write: more would only wait there."""


cpp_board = DRIVER = at_serial_port(CppSession, SerialProbe(1.0), 115200)
