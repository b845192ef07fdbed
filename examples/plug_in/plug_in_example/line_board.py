"""A board that speaks lines of text.

It is asked `all` and answers `all e1 e2 h1`, the squares on which something stands. By itself it
says `up e2`, `down e4` and `press white`. It understands `light e4 d5` and `tone accepted`.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.board_reasons import Reason
from drivers.port import ButtonEvent, CellEvent, LinkChanged, Snapshot
from drivers.probes import SerialProbe, found_by
from drivers.session_board import SessionBoard
from drivers.transport import PortSettings, SerialTransport

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.port import BoardEvent, Lights, Reading

NAMED = {"board": "line board"}
BOARD_FILE = Path(__file__).with_name("line-board.toml")
ANSWER_TIME = 2.0
"""Seconds in which the board must answer."""
LONGEST = 1000
"""Bytes: no line is longer; one that is, is noise."""


class LineSession:
    """The board's protocol, without input or output; see `drivers.session_board.Session`."""

    def __init__(self, description: BoardDescription) -> None:
        self.description = description
        self.problem: Reason | None = None
        self.up = False
        self._heard = self._out = b""
        self._lit = "light"
        self._deadline = math.inf

    @property
    def wake_at(self) -> float:
        """The time at which `poll` must be called at the latest."""
        return math.inf if self.up else self._deadline

    def connect(self, now: float) -> None:
        """Begin a connection: the wire has just been opened."""
        self.problem, self.up = None, False
        self._heard, self._out = b"", b"all\n"
        self._deadline = now + ANSWER_TIME

    def receive(self, data: bytes, now: float) -> list[BoardEvent]:
        """Take bytes from the wire; return what they say, in order."""
        *lines, self._heard = (self._heard + data).split(b"\n")
        self._heard = self._heard[-LONGEST:]
        words = [line.decode("ascii", "replace").split() for line in lines]
        return [event for said in words if said for event in self._said(said[0], said[1:], now)]

    def _said(self, word: str, rest: list[str], now: float) -> list[BoardEvent]:
        cells = [cell for cell in rest if cell in self.description.numbers]
        if word == "all" and not self.up:
            self.up = True
            self._out += f"{self._lit}\n".encode()
            there = Snapshot(now, dict.fromkeys(cells, True))
            return [LinkChanged(now, up=True, reason=Reason("found", NAMED)), there]
        if word in ("up", "down") and self.up:
            reading: Reading = True if word == "down" else None
            return [CellEvent(now, cell, reading) for cell in cells]
        if word == "press" and self.up:
            return [ButtonEvent(now, name) for name in rest if name in ("white", "black")]
        return []

    def poll(self, now: float) -> bytes:
        """Return the bytes to send now."""
        if not self.up and now >= self._deadline:
            self.problem = Reason("nothing-answers", NAMED)
        sent, self._out = self._out, b""
        return sent

    def show(self, lights: Lights) -> None:
        """Have the board show these lights; they are shown again after every return."""
        known = sorted(lights.cells.keys() & self.description.numbers.keys())
        self._lit = " ".join(("light", *known))
        if self.up:
            self._out += f"{self._lit}\n".encode()

    def sound(self, name: str, now: float) -> None:  # noqa: ARG002 - at once, or never
        """Have the board play a tone, if it is there."""
        if self.up:
            self._out += f"tone {name}\n".encode()


@found_by(SerialProbe(patience=1.5, description=str(BOARD_FILE)))
def line_board(description: BoardDescription, port: str) -> SessionBoard[LineSession]:
    """Return the driver of a line board at a serial port."""
    transport = SerialTransport(PortSettings(port, 115200))
    return SessionBoard(description, transport, LineSession(description))
