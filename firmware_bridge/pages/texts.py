"""The words of the pages: what is said at the table, and what stands around it."""

from __future__ import annotations

import dataclasses
import tomllib
from functools import cache
from importlib import resources

from firmware_bridge.words import Catalogue, catalogue


@cache
def texts(language: str, game: str | None, *more: str) -> Catalogue:
    """Return all texts that a page shows while this game, if any, is on the table.

    Args:
        language: such as `en`.
        game: whose words stand before those of all games.
        more: further files of words, such as `wall`.
    """
    found = catalogue(language, game)
    for name in ("pages", *more):
        source = resources.files("firmware_bridge.words").joinpath(f"{name}.{language}.toml")
        around = tomllib.loads(source.read_text(encoding="utf-8"))
        found = dataclasses.replace(found, texts={**found.texts, **around})
    return found
