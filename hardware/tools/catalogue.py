"""The parts catalogue and the three builds, read from their files beside this folder."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

HARDWARE = Path(__file__).parents[1]

Rail = Literal["5V", "3V3", "LED", "readers", "own", "none"]
"""Where a part takes its current: the Pi's 5 V through USB, the Pico's regulator, the supply of
lights and readers, the readers' own 3.3 V regulator, a supply of its own, or nowhere."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Part(_Entry):
    """One part of `parts.toml`. Prices are euros for one, low and high; currents milliamperes.

    Attributes:
        typical: in a game.
        most: in a game, at worst.
        start: when the board is switched on, at worst; as `most` where nothing else is said.
    """

    id: str = ""
    name: str
    spec: str
    alternatives: str
    price: tuple[float, float]
    rail: Rail
    typical: float = Field(ge=0)
    most: float = Field(ge=0)
    start: float | None = Field(default=None, ge=0)
    source: Literal["sheet", "derived"] = Field(alias="from")


class Build(_Entry):
    """One build of `builds.toml`. Hours are low and high."""

    name: str = ""
    summary: str
    games: tuple[str, ...]
    hours: tuple[int, int]
    needs: str
    discs: int = Field(ge=0)
    pieces_with_magnets: int = Field(ge=0)
    extras: dict[str, int]


@cache
def parts() -> dict[str, Part]:
    """Return the catalogue by part id."""
    found = TypeAdapter(dict[str, Part]).validate_python(_read("parts.toml"))
    return {key: part.model_copy(update={"id": key}) for key, part in found.items()}


@cache
def builds() -> dict[str, Build]:
    """Return the builds by name; a build's name is also that of its board description."""
    found = TypeAdapter(dict[str, Build]).validate_python(_read("builds.toml"))
    return {key: build.model_copy(update={"name": key}) for key, build in found.items()}


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((HARDWARE / name).read_text(encoding="utf-8"))
