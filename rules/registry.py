"""Finding the games: the module or package `rules.games.<id>` (with `_` for `-`) exposes `GAME`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from rules.interface import Game, UnknownGame
from rules.reasons import COMMON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import OptionValue

# Imported by name: in the package `rules`, the attribute `games` is the function below.
_shelf = importlib.import_module("rules.games")


@cache
def ids() -> tuple[str, ...]:
    """Return the ids of all games, sorted."""
    return tuple(
        sorted(info.name.replace("_", "-") for info in pkgutil.iter_modules(_shelf.__path__))
    )


def games() -> Mapping[str, type[Game]]:
    """Return every game class by its id, in the order of the ids."""
    return {game_id: _game(game_id) for game_id in ids()}


def load(game_id: str, /, **options: OptionValue) -> Game:
    """Return the game `game_id` with the given options; those not given keep their defaults.

    Raises:
        UnknownGame: when there is no such game, no such option, or no such value of it.
    """
    if game_id not in ids():
        raise UnknownGame(f"There is no game {game_id!r}; there are {', '.join(ids())}.")
    return _game(game_id)(**options)


def all_reasons() -> Mapping[str, str]:
    """Return every reason code with its sentence: those of all games, and those of each.

    Raises:
        ValueError: when two games give one code different meanings.
    """
    reasons = dict(COMMON)
    for game in games().values():
        for code, sentence in game.own_reasons.items():
            if reasons.setdefault(code, sentence) != sentence:
                raise ValueError(f"{game.id} gives {code!r} another meaning than others do.")
    return reasons


def _game(game_id: str) -> type[Game]:
    """Return one game's class; its module is imported only now, which spares a small machine."""
    module = importlib.import_module(f"{_shelf.__name__}.{game_id.replace('-', '_')}")
    game: type[Game] = module.GAME
    return game
