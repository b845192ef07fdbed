"""The words of the pages: what is said at the table, and what stands around it."""

from __future__ import annotations

import dataclasses
import tomllib
from functools import cache
from importlib import resources

from firmware_bridge.words import Catalogue, catalogue


@cache
def texts(language: str, game: str) -> Catalogue:
    """Return all texts that a page shows while this game is on the table."""
    at_table = catalogue(language, game)
    source = resources.files("firmware_bridge.words").joinpath(f"pages.{language}.toml")
    around = tomllib.loads(source.read_text(encoding="utf-8"))
    return dataclasses.replace(at_table, texts={**at_table.texts, **around})
