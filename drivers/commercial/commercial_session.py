"""What all these boards have in common, without input or output.

A board answers, tells now and then what stands on all its squares, and may show lights. From that
comes what the service wants to know: link up, one snapshot, and then every change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from drivers.board_reasons import Reason
from drivers.commercial.lamps import lit, moving, played
from drivers.description import BoardDescription
from drivers.port import (
    BoardEvent,
    BoardNotice,
    CellEvent,
    DriverError,
    Lights,
    LinkChanged,
    Reading,
    Snapshot,
)

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)

ANSWER_TIME = 6.0
"""Seconds in which a board must tell what stands on it: a Millennium takes three to start anew."""
_NEVER = float("inf")
_KEPT = 32
"""Commands kept for a board that is slow to take them, a few seconds' worth; more are dropped."""
ASK_EVERY = 2.0
"""Seconds between questions to a board that is not heard otherwise: two fit into `silence`."""

START = {
    f"{file}{rank}": f"piece:{side}{kind}"
    for side, base, pawns in (("w", 1, 2), ("b", 8, 7))
    for rank, kinds in ((base, "RNBQKBNR"), (pawns, "PPPPPPPP"))
    for file, kind in zip("abcdefgh", kinds, strict=True)
}
"""The readings of the usual starting position, by which a board that lies turned is known."""


class Parser(Protocol[M_co]):
    """Bytes in, messages out, however the bytes are cut; keeps no more than one message."""

    def feed(self, data: bytes) -> Sequence[M_co]:
        """Return the messages that these bytes complete."""


class CommercialSession(ABC, Generic[M]):
    """One board's protocol, over any number of connections; see `drivers.session_board.Session`.

    A subclass says what to send when the wire opens (`opening`), what cuts bytes into messages
    (`parser`), understands them (`_message`), and makes light frames (`_frame`). Sensor numbers are
    those of the description's wiring.

    Attributes:
        description: the board, turned round if its pieces showed that it lies so.
        problem: why this connection cannot go on; `None` while all is well.
        up: whether the board has told what stands on it.
    """

    title: ClassVar[str]
    """What people call the board."""
    board: ClassVar[str]
    """The name of its driver and its description."""
    parser: ClassVar[type[Parser[Any]]]
    """What cuts the bytes of a connection into messages."""
    opening: ClassVar[tuple[bytes, ...]] = ()
    """The commands that open the conversation."""
    question: ClassVar[tuple[bytes, ...]] = ()
    """The commands that are said again and again, every `ask_every` seconds."""
    tiers: ClassVar[tuple[str, ...]] = ("identity",)
    """What such boards can feel."""
    farewell: ClassVar[float] = 0.05
    """Seconds for the last frame, lights off, before the wire is closed: longer than the gaps."""
    write_gap: ClassVar[float] = 0.0
    """Least seconds between two writes."""
    lights_gap: ClassVar[float] = 0.2
    """Least seconds between two light frames, and so the length of a pattern's step.

    Five steps a second are seen as blinking and leave the wire to what hands do; a board that is
    known to need longer says so.
    """
    plays_patterns: ClassVar[bool] = False
    """Whether the board itself plays blinking patterns."""
    ask_every: ClassVar[float] = _NEVER
    """Seconds after which the board is asked again what it has not told by itself."""
    silence: ClassVar[float] = 5.0
    """Seconds without a byte after which the board counts as gone: as with the own board."""

    def __init__(self, description: BoardDescription) -> None:
        self.description = description
        self.problem: Reason | None = None
        self.up = False
        self._stands: list[Reading] = [None] * len(description.cells)
        self._steps: dict[str, int] = {}
        self._commands: deque[bytes] = deque()
        self._reset(_NEVER)

    def expect(self) -> None:
        """Raise `DriverError` if the description cannot be that of this board."""
        board = self.description
        if len(board.cells) != 64 or board.tier not in self.tiers:
            raise DriverError(
                f'The driver "{self.board}" is for another kind of board than "{board.name}": '
                f'set the board\'s description to "{self.board}" in the configuration.'
            )

    def _reset(self, now: float) -> None:
        self._parser = self._new_parser()
        self.problem = None
        self.up = False
        self._opened_at = self._heard_at = self._write_at = now
        self._heard = 0
        self._commands.clear()
        self._ask_at = now + self.ask_every
        self._frame_at = now if self._steps else _NEVER
        self._frame_sent = b""
        self._step = 0

    # what the shell calls

    def connect(self, now: float) -> None:
        """Begin a connection: the wire has just been opened."""
        self._reset(now)
        self._begin(now)

    def receive(self, data: bytes, now: float) -> list[BoardEvent]:
        """Take bytes from the wire; return what they say, in order."""
        self._heard += len(data)
        self._heard_at = now
        return [
            event for message in self._parser.feed(data) for event in self._message(message, now)
        ]

    def show(self, lights: Lights) -> None:
        """Have the board show these lights; cells that it does not have are left out."""
        known = {cell: s for cell, s in lights.cells.items() if cell in self.description.numbers}
        self._steps = played(Lights(known))
        self._step = 0
        self._frame_at = min(self._frame_at, self._write_at)

    def sound(self, name: str, now: float) -> None:  # noqa: ARG002 - as soon as possible, or never
        """Have the board play a sound, if it is there and can."""
        if self.up and (tone := self._tone(name)):
            self._say(tone)

    def poll(self, now: float) -> bytes:
        """Return the bytes to send now; sets `problem` when the board is not there any more."""
        self.problem = self.problem or self._trouble(now)
        if self.problem is not None:
            return b""
        if now >= self._ask_at:
            self._ask_at = now + self.ask_every
            self._say(*self._question())
        if now < self._write_at:
            return b""
        command = self._commands.popleft() if self._commands else self._due_frame(now)
        if command:
            self._write_at = now + self.write_gap
        return command

    @property
    def wake_at(self) -> float:
        """The time at which `poll` must be called at the latest."""
        deadline = self._heard_at + self.silence if self.up else self._opened_at + ANSWER_TIME
        work = self._write_at if self._commands else self._frame_at if self.up else _NEVER
        return min(deadline + 0.01, max(work, self._write_at), self._ask_at)

    # what a board fills in

    def _new_parser(self) -> Parser[M]:
        return self.parser()

    def _begin(self, now: float) -> None:  # noqa: ARG002 - most can be spoken to at once
        self._say(*self.opening)

    @abstractmethod
    def _message(self, message: M, now: float) -> list[BoardEvent]:
        """Return what a message says."""

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        """Return the light frame for the cells that are on, or for a board's own patterns."""
        return b""

    def _question(self) -> tuple[bytes, ...]:
        return self.question

    def _tone(self, name: str) -> bytes:  # noqa: ARG002 - most of these boards have none
        """Return the command for a sound."""
        return b""

    # what a board uses

    def _say(self, *commands: bytes) -> None:
        """Send commands as soon as the gap between writes allows."""
        for command in commands:
            if len(self._commands) < _KEPT:
                self._commands.append(command)

    def _felt(self, readings: Sequence[Reading], now: float) -> list[BoardEvent]:
        """Return the events that lead to these readings, in the order of the sensor numbers."""
        events: list[BoardEvent] = []
        before, self._stands = self._stands, list(readings)
        turned = self._turned()
        if turned is not None:
            self.description = self.description.oriented(turned)
            text = "The board lies the other way round; its squares are named accordingly now."
            events.append(BoardNotice(now, "turned", text))
        if not self.up:
            self.up = True
            self._frame_at = now
            events.append(LinkChanged(now, up=True, reason=Reason("found", self._named)))
        if events:
            return [*events, self._snapshot(now)]
        cells = self.description.cells
        changes = [
            CellEvent(now, cell, new)
            for cell, old, new in zip(cells, before, self._stands, strict=True)
            if old != new
        ]
        # What was lifted comes first: a piece that moves is never in two places.
        changes.sort(key=lambda change: change.reading is not None)
        return [*changes]

    def _snapshot(self, now: float) -> Snapshot:
        standing = zip(self.description.cells, self._stands, strict=True)
        return Snapshot(now, {cell: reading for cell, reading in standing if reading is not None})

    def _turned(self) -> Literal[0, 180] | None:
        """Return how the board lies if it shows the starting position from the other side."""
        if START.get(self.description.cells[0]) == self._stands[0]:
            return None  # the cheapest sign that it lies as described, or shows no start at all
        other: Literal[0, 180] = 0 if self.description.orientation.turned == 180 else 180
        across = zip(self.description.oriented(other).cells, self._stands, strict=True)
        return other if {c: r for c, r in across if r is not None} == START else None

    def _trouble(self, now: float) -> Reason | None:
        if not self.up:
            if now - self._opened_at <= ANSWER_TIME:
                return None
            return Reason("another-device" if self._heard else "nothing-answers", self._named)
        if now - self._heard_at > self.silence:
            return Reason("gone-silent", self._named)
        return None

    @property
    def _named(self) -> dict[str, str]:
        """What fills the gap for the board in a reason."""
        return {"board": self.title}

    def _due_frame(self, now: float) -> bytes:
        """Return the next light frame if one is due and differs from the last."""
        if not self.up or now < self._frame_at:
            return b""
        frame = self._frame(lit(self._steps, self._step), self._steps)
        self._step += 1
        plays = moving(self._steps) and not self.plays_patterns
        self._frame_at = now + self.lights_gap if plays else _NEVER
        if frame == self._frame_sent:
            return b""
        self._frame_sent = frame
        return frame


def built_place(description: BoardDescription, cell: str) -> tuple[int, int]:
    """Return file and rank, 0 to 7, of a cell as the board was built, however it lies."""
    built = description.built[description.numbers[cell]]
    return "abcdefgh".index(built[0]), int(built[1]) - 1


def rows_of_bits(
    description: BoardDescription, cells: frozenset[str], *, a_file_highest: bool
) -> bytes:
    """Return eight bytes, rank 8 first, with a bit for each cell."""
    rows = bytearray(8)
    for cell in cells:
        file, rank = built_place(description, cell)
        rows[7 - rank] |= 0x80 >> file if a_file_highest else 1 << file
    return bytes(rows)
