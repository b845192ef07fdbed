"""The parts catalogue and the three builds, read from their files beside this folder."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

HARDWARE = Path(__file__).parents[1]


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

    volts: float
    most: int
    kept: float = 1
    said: str


class Extra(_Entry):
    """Milliamperes that one part draws more than its fellows, since only one of them works."""

    typical: float
    most: float


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
    name: str
    spec: str
    alternatives: str
    orders: tuple[str, str]
    price: tuple[float, float]
    typical: float = Field(default=0, ge=0)
    most: float = Field(default=0, ge=0)
    start: float | None = Field(default=None, ge=0)
    at_work: Extra | None = None
    gives: dict[str, Gives] = {}
    ohm: float = 0
    size: tuple[float, float, float] | None = None
    coil: float = 0
    source: Literal["sheet", "derived"] = Field(alias="from")


class Build(_Entry):
    """One build of `builds.toml`. Hours are low and high.

    Attributes:
        at_hand: parts that are not counted, since a house has them.
        case: whether it has a case of wood and printed parts.
    """

    name: str = ""
    summary: str
    games: tuple[str, ...]
    hours: tuple[int, int]
    needs: str
    discs: int = Field(ge=0)
    pieces_with_magnets: int = Field(ge=0)
    extras: dict[str, int] = {}
    at_hand: tuple[str, ...] = ()
    case: bool = True


@cache
def parts() -> dict[str, Part]:
    """Return the catalogue by part id."""
    read = {key: part for key, part in _read("parts.toml").items() if isinstance(part, dict)}
    found = TypeAdapter(dict[str, Part]).validate_python(read)
    return {key: part.model_copy(update={"id": key}) for key, part in found.items()}


@cache
def priced() -> str:
    """Return the day of which the catalogue's prices are."""
    return str(_read("parts.toml")["priced"])


@cache
def builds() -> dict[str, Build]:
    """Return the builds by name; a build's name is also that of its board description."""
    found = TypeAdapter(dict[str, Build]).validate_python(_read("builds.toml"))
    return {key: build.model_copy(update={"name": key}) for key, build in found.items()}


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((HARDWARE / name).read_text(encoding="utf-8"))
