"""The bring-up of a new board, stage by stage: what to wire, what to measure, what it shows then.

The figures come with the board's description, in a file beside it; the words are in the catalogue.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import TypeAdapter, ValidationError

from drivers.board_reasons import Reason
from drivers.description import BoardDescription, stages_file
from drivers.port import BoardEvent, Driver, Lights, LinkChanged, Reading, Snapshot
from firmware_bridge.calibration.files import FilesError
from firmware_bridge.calibration.progress import Answer, Part
from firmware_bridge.calibration.prompts import Line
from firmware_bridge.calibration.walk_steps import NO, YES, Prompt, Reply, Step

KEY = "stage "
"""Before the name of a stage in the notebook."""
PICO = "pico"
"""The stage before which firmware has to be loaded."""


class Measure(Part):
    """One measurement.

    Attributes:
        at: where; part of a key of the catalogue.
        unit: volts between two bounds, milliamperes usually and at most, or more ohms than `low`.
        low: the lower bound, or what usually flows.
        high: the upper bound.
    """

    at: str
    unit: Literal["V", "mA", "Ohm"]
    low: float
    high: float

    @property
    def line(self) -> Line:
        """Return it in words."""
        gaps = {"at": f"setup-at-{self.at}", "low": f"{self.low:g}", "high": f"{self.high:g}"}
        return Line(
            {"V": "setup-volts", "mA": "setup-current", "Ohm": "setup-ohms"}[self.unit], gaps
        )


class Stage(Part):
    """One stage.

    Attributes:
        name: part of keys of the catalogue.
        board: whether the board can speak already.
        measures: what to measure.
    """

    name: str
    board: bool
    measures: tuple[Measure, ...]

    @property
    def title(self) -> str:
        """The key of what is built."""
        return f"setup-stage-{self.name}"

    @property
    def deed(self) -> str:
        """The key of what to do."""
        return f"setup-do-{self.name}"

    @property
    def sign(self) -> str:
        """The key of what the board shows when all is right."""
        return f"setup-shows-{self.name}"


STAGES = TypeAdapter(tuple[Stage, ...])


def load_stages(source: str | Path) -> tuple[Stage, ...]:
    """Return the stages of a board.

    Raises:
        FilesError: there are none, or they cannot be read.
    """
    path = stages_file(source)
    try:
        return STAGES.validate_json(path.read_bytes())
    except FileNotFoundError:
        raise FilesError(
            f"There is no {path}, which tells the stages of this board. In a checkout,\n"
            f"  python -m hardware.tools.generate {source} --out FOLDER\n"
            "writes it; put it beside the description."
        ) from None
    except (OSError, ValidationError) as error:
        raise FilesError(f"Cannot read {path}: {error}") from None


@dataclass(frozen=True, slots=True)
class Built(Step):
    """One stage built and measured.

    Attributes:
        stage: what it is about.
        number: which of all stages, from 1.
        total: how many there are.
    """

    stage: Stage
    number: int
    total: int

    @property
    def key(self) -> str:
        """Name the step in the notebook."""
        return f"{KEY}{self.stage.name}"

    @property
    def prompt(self) -> Prompt:
        """Say what to do, what to measure, and what is right."""
        gaps: dict[str, str | tuple[Line, ...]] = {
            "number": str(self.number),
            "total": str(self.total),
            "title": self.stage.title,
            "do": self.stage.deed,
            "measures": tuple(measure.line for measure in self.stage.measures),
            "shows": self.stage.sign,
        }
        return Prompt(Line("setup-stage", gaps), {YES: "setup-stage-yes", NO: "setup-stage-no"})

    def say(self, word: str, standing: Mapping[int, Reading]) -> Reply:
        """Note whether it is as it should be."""
        del standing
        if word == NO:
            return Reply(Answer(ok=False), Line("setup-stage-wrong"))
        return Reply(Answer())


class Bench(Driver):
    """What stands on the workbench before there is a board: nothing to light, nothing to hear."""

    def __init__(self, description: BoardDescription) -> None:
        self.description = description

    async def __aenter__(self) -> Self:
        """Need nothing."""
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Leave nothing behind."""

    async def events(self) -> AsyncIterator[BoardEvent]:
        """Be there at once, and empty, until it is closed."""
        yield LinkChanged(0.0, up=True, reason=Reason("told", {"text": ""}))
        yield Snapshot(0.0, {})
        await asyncio.Event().wait()

    async def show(self, lights: Lights) -> None:
        """Have no lights."""

    async def sound(self, name: str) -> None:
        """Have no sound."""
