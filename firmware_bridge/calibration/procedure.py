"""The walk: which step comes next, and what everything that happens means to it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from drivers.description import BoardDescription
from drivers.port import BoardEvent, ButtonEvent, CellEvent, Lights, Reading, Snapshot
from firmware_bridge.calibration.cell_monitor import CHATTER
from firmware_bridge.calibration.orientation_probe import (
    Lie,
    corners,
    lie_of,
    possible,
    ways_to_lie,
)
from firmware_bridge.calibration.progress import Progress
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.calibration.stages import Built
from firmware_bridge.calibration.walk_steps import (
    Button,
    Cell,
    Corner,
    Empty,
    Lamps,
    Prompt,
    Reply,
    Sound,
    Step,
)

UNDO = "u"
PARTS = ("orientation", "cells", "lights", "buttons", "sound")
"""The parts of the walk, in their order; any of them can be walked alone."""
_COLOURS = {"red": "must-go-here", "blue": "invisible", "cyan": "realm"}
"""Steady signals that light every colour of an LED at least once."""


class Procedure:
    """A walk over one board, from wherever its notebook stands.

    Stages of the bring-up, where any are given, come before the parts.

    Attributes:
        book: everything found out so far.
        lie: how the board lies and is wired, as far as it was found out.
    """

    def __init__(
        self,
        description: BoardDescription,
        book: Progress | None = None,
        parts: tuple[str, ...] = PARTS,
        language: str = "en",
        stages: tuple[Built, ...] = (),
    ) -> None:
        self._words = words_of(language)
        self._description = description
        self._ways = ways_to_lie(description)
        self._parts = parts
        self._stages = stages
        self._standing: dict[int, Reading] = {}
        self._changed_at: dict[int, float] = {}
        self._felt = False
        self.book: Progress
        self.lie: Lie
        self._steps: tuple[Step, ...]
        self._step: Step | None
        self._turn_to(book or Progress(fingerprint=description.fingerprint))

    @property
    def prompt(self) -> Prompt | None:
        """What is asked now; `None` when the walk is over."""
        return self._step.prompt if self._step else None

    @property
    def progress(self) -> tuple[int, int]:
        """Return how many steps are done, and how many there are."""
        keys = [step.key for step in self._steps]
        return sum(key in self.book.answers for key in keys), len(keys)

    @property
    def asks(self) -> str | None:
        """What is asked now as one line, with what may be entered; `None` when it is over."""
        prompt = self.prompt
        if prompt is None:
            return None
        done, total = self.progress
        words = "; ".join(f"{word}: {self._words.text(key)}" for word, key in prompt.words.items())
        return f"{done + 1}/{total}  {prompt.text.told(self._words)}  [{words}]"

    @property
    def shines(self) -> tuple[str, ...]:
        """The cells that shine, as players see them."""
        return self.prompt.cells if self.prompt else ()

    @property
    def words(self) -> dict[str, str]:
        """What may be entered now, and what it means."""
        meanings = dict(self.prompt.words) if self.prompt else {}
        meanings |= {UNDO: "setup-undo", "q": "setup-stop"}
        return {word: self._words.text(key) for word, key in meanings.items()}

    @property
    def sound(self) -> str:
        """The sound that belongs to what is asked, or nothing."""
        return self.prompt.sound if self.prompt else ""

    @property
    def lights(self) -> Lights:
        """What the driver is to show, in the driver's own names."""
        prompt = self.prompt
        if prompt is None:
            return Lights()
        return Lights({self.lie.lamp(cell): prompt.signal for cell in prompt.cells})

    def begin_anew(self) -> None:
        """Forget the answers of all steps of these parts."""
        book = self.book
        for step in self._steps:
            book = book.without(step.key)
        if "cells" in self._parts:
            book = book.model_copy(update={"flickers": {}})
        self._turn_to(book)

    def hear(self, event: BoardEvent) -> str:
        """Take something that happened on the board; return what to tell people, if anything."""
        match event:
            case CellEvent():
                return self._cell(event)
            case ButtonEvent(button=button):
                return self._take(self._step.press(button)) if self._step else ""
            case Snapshot(readings=readings):
                numbers = self._description.numbers
                self._standing = {numbers[cell]: felt for cell, felt in readings.items() if felt}
                self._felt = True
                self._begin()
            case _:
                pass
        return ""

    def order(self, word: str) -> str:
        """Take a word that people entered; return what to tell them, if anything."""
        step, word = self._step, word.lower()
        if word == UNDO:
            return self._undo()
        if step is None or not self._felt:
            return self._words.text("setup-not-there")
        if word not in step.prompt.words and not isinstance(step, Lamps):
            known = ", ".join((*step.prompt.words, UNDO, "q"))
            return self._words.text("setup-no-answer", {"word": word, "words": known})
        return self._take(step.say(word, self._loose()))

    def _cell(self, event: CellEvent) -> str:
        sensor = self._description.numbers[event.cell]
        if event.t - self._changed_at.get(sensor, float("-inf")) < CHATTER:
            self.book = self.book.flickering(sensor)
        self._changed_at[sensor] = event.t
        self._standing.pop(sensor, None)
        if event.reading:
            self._standing[sensor] = event.reading
        if isinstance(event.reading, str) and event.reading.startswith("piece:"):
            self.book = self.book.model_copy(update={"by_kind": True})
        return self._take(self._step.feel(sensor, self._loose())) if self._step else ""

    def _loose(self) -> dict[int, Reading]:
        """Return what stands on the board, without sensors that were found to be stuck."""
        empty = self.book.answers.get(Empty.key)
        stuck = empty.sensors if empty else ()
        return {n: reading for n, reading in self._standing.items() if n not in stuck}

    def _take(self, reply: Reply) -> str:
        if reply.answer is not None and self._step is not None:
            self._turn_to(self.book.noting(self._step.key, reply.answer))
            self._begin()
        elif reply.step is not None:
            self._step = reply.step
        return reply.text.told(self._words) if reply.text else ""

    def _undo(self) -> str:
        done = [step.key for step in self._steps if step.key in self.book.answers]
        if not done:
            return self._words.text("setup-nothing-to-undo")
        self._turn_to(self.book.without(done[-1]))
        return self._words.text("setup-undone", {"step": done[-1]})

    def _begin(self) -> None:
        """Take the answers that stand on the board already."""
        while self._felt and self._step is not None:
            reply = self._step.begin(self._loose())
            if reply.answer is None:
                self._step = reply.step or self._step
                return
            self._turn_to(self.book.noting(self._step.key, reply.answer))

    def _turn_to(self, book: Progress) -> None:
        self.book = book
        self.lie = lie_of(self._ways, book)
        self._steps = tuple(self._plan())
        self._step = next((step for step in self._steps if step.key not in book.answers), None)

    def _plan(self) -> Iterator[Step]:
        parts, board = self._parts, self.lie.turned
        yield from self._stages
        if "orientation" in parts or "cells" in parts:
            yield Empty(self.lie.cells)
        if "orientation" in parts:
            yield from self._corners()
        if "cells" in parts:
            tags = board.tier != "occupancy"
            for cell in _way(board):
                yield Cell(cell, board.numbers[cell], self.lie.cells, tags)
        if "lights" in parts:
            yield from _lamps(board)
        if "buttons" in parts:
            yield from map(Button, board.button_names)
        if "sound" in parts and board.buzzer:
            yield Sound()

    def _corners(self) -> Iterator[Step]:
        known: dict[str, int] = {}
        for cell, where in zip(corners(self._description), ("setup-left", "setup-right"),
                               strict=False):  # fmt: skip
            boards = possible(self._ways, known)
            yield Corner(cell, where, frozenset(board.numbers[cell] for board in boards))
            if (answer := self.book.answers.get(f"corner {cell}")) and answer.sensors:
                known[cell] = answer.sensors[0]


def _way(board: BoardDescription) -> Iterator[str]:
    """Yield all cells so that one piece can be pushed from each to the next."""
    for rank in range(1, 10):
        row = sorted(cell for cell in board.cells if len(cell) == 2 and cell[1] == str(rank))
        yield from row if rank % 2 else reversed(row)
    yield from board.reserves


def _lamps(board: BoardDescription) -> Iterator[Step]:
    lit = tuple(
        cell for cell, led in zip(board.cells, board.led_positions, strict=True) if led is not None
    )
    if board.leds is None or not lit:
        return
    if board.leds.colours == "rgb":
        for colour, signal in _COLOURS.items():
            yield Lamps(colour, signal, lit)
    else:
        yield Lamps("", "must-go-here", lit)
