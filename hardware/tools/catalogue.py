"""The parts catalogue and the three builds, read from their files beside this folder."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

HARDWARE = Path(__file__).parents[1]


Game = Literal["indistinguishable", "reversi", "realm", "mockery", "reality-check"]
_Words = Annotated[str, Field(min_length=3)]
_Price = Annotated[float, Field(gt=0, le=500)]
_Side = Annotated[float, Field(gt=0, le=200)]
_Count = Annotated[int, Field(gt=0, le=1000)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Gives(_Entry):
    """What a supply gives at one of its pins.

    Attributes:
        volts: what stands there.
        most: milliamperes it may give.
        kept: share of the power that a converter passes on; 1 where current just runs through.
        said: what it is, in a sentence.
    """

    volts: float = Field(ge=3.3, le=5)
    most: int = Field(gt=0, le=10_000)
    kept: float = Field(default=1, ge=0.5, le=1)
    said: _Words


class Extra(_Entry):
    """Milliamperes that one part draws more than its fellows, since only one of them works."""

    typical: float = Field(gt=0)
    most: float = Field(gt=0)


class Part(_Entry):
    """One part of `parts.toml`. Prices are euros for one, low and high; currents milliamperes.

    Attributes:
        orders: two ways to order it: makers' numbers, or what to look for by name.
        typical: in a game.
        most: in a game, at worst.
        start: when the board is switched on, at worst; as `most` where nothing else is said.
        at_work: what the one that works draws more.
        gives: name of a pin -> the supply that stands there.
        ohm: of a resistor.
        size: width, height and depth in millimetres, where it matters under a cell.
        coil: side of a reader's coil, at one end of the board's width.
    """

    id: str = ""
    name: _Words
    spec: _Words
    alternatives: _Words
    orders: tuple[_Words, _Words]
    price: tuple[_Price, _Price]
    typical: float = Field(default=0, ge=0)
    most: float = Field(default=0, ge=0)
    start: float | None = Field(default=None, ge=0)
    at_work: Extra | None = None
    gives: dict[str, Gives] = {}
    ohm: float = Field(default=0, ge=0)
    size: tuple[_Side, _Side, _Side] | None = None
    coil: float = Field(default=0, ge=0)
    source: Literal["sheet", "derived"] = Field(alias="from")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.price[0] > self.price[1]:
            raise ValueError("price: the low end of the band is above the high one")
        if self.orders[0] == self.orders[1]:
            raise ValueError("orders: both ways to order are the same")
        for drawn in (self, self.at_work):
            if drawn and drawn.typical > drawn.most:
                raise ValueError("typical: more than most")
        if self.coil > min(self.size[:2] if self.size else (self.coil,)):
            raise ValueError("coil: larger than the board that it lies on")
        return self


class Build(_Entry):
    """One build of `builds.toml`. Hours are low and high.

    Attributes:
        at_hand: parts that are not counted, since a house has them.
        case: whether it has a case of wood and printed parts.
    """

    name: str = ""
    summary: _Words
    games: tuple[Game, ...]
    hours: tuple[_Count, _Count]
    needs: _Words
    discs: int = Field(ge=0)
    pieces_with_magnets: int = Field(ge=0)
    extras: dict[str, _Count] = {}
    at_hand: tuple[str, ...] = ()
    case: bool = True

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.hours[0] > self.hours[1]:
            raise ValueError("hours: the fewest are more than the most")
        return self


@cache
def parts() -> dict[str, Part]:
    """Return the catalogue by part id."""
    return read_parts(_read("parts.toml"))


def read_parts(data: dict[str, object]) -> dict[str, Part]:
    """Return the parts of a catalogue's file; raise ValidationError at what cannot be."""
    read = {key: part for key, part in data.items() if isinstance(part, dict)}
    found = TypeAdapter(dict[str, Part]).validate_python(read)
    return {key: part.model_copy(update={"id": key}) for key, part in found.items()}


@cache
def priced() -> str:
    """Return the day of which the catalogue's prices are."""
    return str(_read("parts.toml")["priced"])


@cache
def builds() -> dict[str, Build]:
    """Return the builds by name; a build's name is also that of its board description."""
    return read_builds(_read("builds.toml"))


def read_builds(data: dict[str, object]) -> dict[str, Build]:
    """Return the builds of their file; raise ValidationError at what cannot be."""
    found = TypeAdapter(dict[str, Build]).validate_python(data)
    return {key: build.model_copy(update={"name": key}) for key, build in found.items()}


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((HARDWARE / name).read_text(encoding="utf-8"))
