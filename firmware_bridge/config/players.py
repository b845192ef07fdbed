"""Who plays: a person by name, or `computer LEVEL`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from firmware_bridge.config.game_settings import BadSetting
from firmware_bridge.opponents.levels import LEVELS
from rules.interface import Side

_COMPUTER = re.compile(r"\s*computer\b\s*(.*?)\s*", re.IGNORECASE)


def _name(text: str) -> str:
    if any(
        unicodedata.category(letter) in _NOT_WRITTEN or unicodedata.bidirectional(letter) in _TURNS
        for letter in text
    ):
        raise ValueError("a name is written in letters; this one holds signs that nobody sees")
    return text


_NOT_WRITTEN = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode's control characters, halves of characters, and ends of lines and paragraphs."""
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""What turns the way in which all that follows is read, also what is not of the name."""
Name = Annotated[str, Field(max_length=40), AfterValidator(_name)]
"""What people, boards and games are called, wherever it is entered: it fits into one line."""


def computers(players: Mapping[Side, str]) -> Mapping[Side, int]:
    """Return at which level a computer plays, by side.

    Raises:
        BadSetting: naming the side whose computer has no such level.
    """
    found: dict[Side, int] = {}
    for side, name in players.items():
        if written := _COMPUTER.fullmatch(name):
            found[side] = _level(side, written[1], name)
    return found


def computer(level: int) -> str:
    """Return what is entered as a player's name for a computer of this level."""
    return f"computer {level}"


def _level(side: Side, level: str, name: str) -> int:
    if not level.isdecimal() or int(level) not in LEVELS:
        raise BadSetting(
            f"players.{side}: {name!r} is no player. A computer plays at level {LEVELS[0]} to "
            f"{LEVELS[-1]}: write {computer(3)!r}."
        )
    return int(level)
