"""The steps of the walk: what each asks for, and what counts as its answer. All immutable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace

from drivers.port import Reading
from firmware_bridge.calibration.progress import Answer
from firmware_bridge.calibration.prompts import Line

YES, NO, SKIP, KEEP, WITHOUT, AGAIN = "y", "n", "s", "k", "w", "a"
"""What people may answer: yes, which leads on and a page shows first, no, skip, keep, go on without
what is lacking, again."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked, shown and played.

    Attributes:
        words: the answers that can be given, each with the key of what it means.
        cells: cells to light, as the players see them.
        signal: the signal to light them with.
    """

    text: Line
    words: Mapping[str, str]
    cells: tuple[str, ...] = ()
    signal: str = "setup"
    sound: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a step makes of something.

    Attributes:
        answer: the answer that ends the step, if this was one.
        text: what to tell people, if anything.
        step: the step as it goes on, if it has learnt something on the way.
    """

    answer: Answer | None = None
    text: Line | None = None
    step: Step | None = None


NOTHING = Reply()
_SKIPPED = Reply(Answer(ok=False))


class Step(ABC):
    """One step. What stands on the board comes along as sensor number -> reading."""

    @property
    @abstractmethod
    def key(self) -> str:
        """Name the step in the notebook."""

    @property
    @abstractmethod
    def prompt(self) -> Prompt:
        """Return what is asked."""

    def begin(self, standing: Mapping[int, Reading]) -> Reply:
        """Look at the board when the step begins; the answer may stand there already."""
        del standing
        return NOTHING

    def feel(self, sensor: int, standing: Mapping[int, Reading]) -> Reply:
        """Take a change of one sensor."""
        del sensor, standing
        return NOTHING

    def press(self, button: str) -> Reply:
        """Take a button."""
        del button
        return NOTHING

    @abstractmethod
    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Take a word of `prompt.words`, or cells where those are asked for."""


@dataclass(frozen=True, slots=True)
class Empty(Step):
    """Nothing stands on the board; a sensor that says otherwise is stuck.

    Attributes:
        names: sensor -> cell as the players see it.
        felt: the sensors that feel something.
    """

    names: tuple[str, ...]
    felt: tuple[int, ...] = ()
    key = "empty"

    @property
    def prompt(self) -> Prompt:
        """Ask for what is felt to be taken off."""
        cells = tuple(self.names[sensor] for sensor in self.felt)
        words = {WITHOUT: "setup-empty-without"}
        return Prompt(Line("setup-empty"), words, cells, "must-go-back")

    def begin(self, standing: Mapping[int, Reading]) -> Reply:
        """Go on at once where nothing is felt."""
        felt = tuple(sorted(standing))
        return Reply(step=replace(self, felt=felt)) if felt else Reply(Answer())

    def feel(self, sensor: int, standing: Mapping[int, Reading]) -> Reply:
        """Go on as soon as nothing is felt any more."""
        del sensor
        return self.begin(standing)

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Note what is felt on an empty board."""
        del word
        return Reply(Answer(ok=not standing, sensors=tuple(sorted(standing))))


@dataclass(frozen=True, slots=True)
class Corner(Step):
    """A piece on one corner, to see how the board lies.

    Attributes:
        cell: the corner as White sees it.
        where: the key of the same in words.
        candidates: sensors that can lie there, the board turned whichever way.
    """

    cell: str
    where: str
    candidates: frozenset[int]

    @property
    def key(self) -> str:
        """Name the step in the notebook."""
        return f"corner {self.cell}"

    @property
    def prompt(self) -> Prompt:
        """Ask for a piece there."""
        return Prompt(
            Line("setup-corner", {"cell": self.cell, "where": self.where}),
            {YES: "setup-corner-yes", SKIP: "setup-corner-skip"},
        )

    def feel(self, sensor: int, standing: Mapping[int, Reading]) -> Reply:
        """Take a corner at once; on the way to it a piece may cross other cells."""
        if sensor in standing and sensor in self.candidates:
            return Reply(Answer(sensors=(sensor,)))
        return NOTHING

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Take whatever single sensor feels the piece, if people say that it is there."""
        if word == SKIP:
            return _SKIPPED
        if len(standing) == 1:
            return Reply(Answer(sensors=tuple(standing)))
        felt = "setup-corner-several" if standing else "setup-corner-nothing"
        return Reply(text=Line(felt, {"cell": self.cell}))


@dataclass(frozen=True, slots=True)
class Cell(Step):
    """A piece on one cell: does its sensor answer, and does its light shine?

    Attributes:
        cell: the cell as the players see it.
        sensor: the sensor that should answer.
        names: sensor -> cell as the players see it, for what is said.
        tags: whether the board reads tags.
    """

    cell: str
    sensor: int
    names: tuple[str, ...]
    tags: bool

    @property
    def key(self) -> str:
        """Name the step in the notebook."""
        return f"cell {self.cell}"

    @property
    def prompt(self) -> Prompt:
        """Ask for a piece there."""
        return Prompt(
            Line("setup-cell", {"cell": self.cell}),
            {
                SKIP: "setup-cell-skip",
                KEEP: "setup-cell-keep",
                **({WITHOUT: "setup-cell-without"} if self.tags else {}),
            },
            (self.cell,),
        )

    def feel(self, sensor: int, standing: Mapping[int, Reading]) -> Reply:
        """Go on when the right sensor answers, with a tag where there are tags."""
        reading = standing.get(sensor)
        if reading is None:
            return NOTHING
        if sensor != self.sensor:
            gaps = {"here": self.cell, "there": self.names[sensor], "word": KEEP}
            return Reply(text=Line("setup-cell-other", gaps))
        if self.tags and reading is True:
            return Reply(text=Line("setup-cell-no-tag", {"cell": self.cell}))
        return Reply(Answer(sensors=(sensor,)))

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Go on without a sensor, with another one, or without a tag."""
        if word == SKIP:
            return _SKIPPED
        if word == WITHOUT:
            if self.tags and standing.get(self.sensor) is True:
                return Reply(Answer(ok=False, sensors=(self.sensor,), tagless=True))
            return Reply(text=Line("setup-cell-nothing", {"cell": self.cell}))
        if len(standing) != 1:
            return Reply(text=Line("setup-cell-one", {"cell": self.cell}))
        (sensor,) = standing
        tagless = self.tags and standing[sensor] is True
        return Reply(Answer(ok=not tagless, sensors=(sensor,), tagless=tagless))


@dataclass(frozen=True, slots=True)
class Lamps(Step):
    """All lights at once in one colour; those that people name go out.

    Attributes:
        colour: the colour's name, or empty where lights have only one.
        signal: the signal that shows it.
        cells: all cells that have a light.
        dark: the cells that were named so far.
    """

    colour: str
    signal: str
    cells: tuple[str, ...]
    dark: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name the step in the notebook."""
        return f"lights {self.colour}".strip()

    @property
    def prompt(self) -> Prompt:
        """Ask whether all shine."""
        return Prompt(
            Line(f"setup-lights-{self.colour}" if self.colour else "setup-lights"),
            {YES: "setup-lights-yes"},
            tuple(cell for cell in self.cells if cell not in self.dark),
            self.signal,
        )

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Note a cell that was named, or that there are no more."""
        del standing
        if word == YES:
            return Reply(Answer(ok=not self.dark, cells=self.dark))
        if word not in self.cells:
            return Reply(text=Line("setup-lights-none", {"word": word}))
        dark = tuple(dict.fromkeys((*self.dark, word)))
        noted = Line("setup-lights-noted", {"cells": ", ".join(dark)})
        return Reply(step=replace(self, dark=dark), text=noted)


@dataclass(frozen=True, slots=True)
class Button(Step):
    """One button pressed."""

    name: str

    @property
    def key(self) -> str:
        """Name the step in the notebook."""
        return f"button {self.name}"

    @property
    def prompt(self) -> Prompt:
        """Ask for the button."""
        return Prompt(Line("setup-button", {"name": self.name}), {SKIP: "setup-button-skip"})

    def press(self, button: str) -> Reply:
        """Take the right button."""
        if button == self.name:
            return Reply(Answer())
        return Reply(text=Line("setup-button-other", {"pressed": button, "name": self.name}))

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Go on without it."""
        del word, standing
        return _SKIPPED


@dataclass(frozen=True, slots=True)
class Sound(Step):
    """A sound to be heard, as often as people want.

    Attributes:
        times: how often it was played.
    """

    times: int = 1
    key = "sound"

    @property
    def prompt(self) -> Prompt:
        """Play it, and ask whether it was heard."""
        again = Line("setup-sound-again", {"times": str(self.times)})
        return Prompt(
            again if self.times > 1 else Line("setup-sound"),
            {YES: "setup-sound-yes", NO: "setup-sound-no", AGAIN: "setup-sound-once-more"},
            sound="attention",
        )

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Note whether it was heard, or play it again."""
        del standing
        if word == AGAIN:
            return Reply(step=Sound(self.times + 1))
        return Reply(Answer(ok=word == YES))
