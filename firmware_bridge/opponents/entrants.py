"""Players by the names that commands call them: levels, stand-ins, turns at random."""

from __future__ import annotations

from firmware_bridge.opponents.levels import LEVELS, Level, level_of
from firmware_bridge.opponents.match import Entrant, entrant
from firmware_bridge.opponents.stand_ins import STAND_INS
from rules.interface import Game

RANDOM = "random"


class UnknownPlayer(ValueError):  # noqa: N818 - as in `rules`
    """A name that no player has; the message says which there are."""


def player(game: Game, name: str) -> Entrant | None:
    """Return the player of this name; `None` for one who draws turns at random.

    Raises:
        UnknownPlayer: when there is none.
    """
    if name == RANDOM:
        return None
    if name in STAND_INS:
        return STAND_INS[name]
    if name.isdecimal():
        return entrant(level_named(game, name))
    known = ", ".join((f"{LEVELS[0]} to {LEVELS[-1]}", RANDOM, *STAND_INS))
    raise UnknownPlayer(f"{name!r} is no player; players are {known}.")


def level_named(game: Game, name: str) -> Level:
    """Return the level of this number.

    Raises:
        UnknownPlayer: when there is none.
    """
    for level in LEVELS:
        if str(level) == name:
            return level_of(game.id, level)
    raise UnknownPlayer(f"There is no level {name}; levels are {LEVELS[0]} to {LEVELS[-1]}.")
