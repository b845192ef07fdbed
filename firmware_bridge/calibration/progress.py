"""What a walk over a board has found out so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """What is kept in a file, or read from one: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(Part):
    """What came of one step.

    Attributes:
        ok: whether all is as it should be.
        sensors: numbers of the sensors that answered, or that are at fault.
        cells: cells that people named.
        tagless: whether the piece was felt but its tag was not read.
    """

    ok: bool = True
    sensors: tuple[int, ...] = ()
    cells: tuple[str, ...] = ()
    tagless: bool = False


class Progress(Part):
    """All answers, by the key of the step, and how often each sensor flickered.

    Attributes:
        fingerprint: of the board description that the sensors are numbered by.
        answers: what came of the steps done so far.
        flickers: sensor -> changes that followed each other too fast for a hand.
        by_kind: whether the board tells pieces by their kind, so that it needs no piece set.
    """

    fingerprint: int
    answers: Mapping[str, Answer] = {}
    flickers: Mapping[int, int] = {}
    by_kind: bool = False

    def noting(self, key: str, answer: Answer) -> Self:
        """Return the notebook with this answer."""
        return self.model_copy(update={"answers": {**self.answers, key: answer}})

    def without(self, key: str) -> Self:
        """Return the notebook as before this answer."""
        kept = {other: answer for other, answer in self.answers.items() if other != key}
        return self.model_copy(update={"answers": kept})

    def flickering(self, sensor: int) -> Self:
        """Return the notebook with one more flicker of this sensor."""
        count = self.flickers.get(sensor, 0) + 1
        return self.model_copy(update={"flickers": {**self.flickers, sensor: count}})
