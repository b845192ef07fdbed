"""Finding the games: whatever stands in `rules.games` and exposes `GAME` can be played."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from rules import games as shelf
from rules.interface import Game, UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import OptionValue


@cache
def games() -> Mapping[str, type[Game]]:
    """Return every game class by its id, in the order of the ids."""
    found: dict[str, type[Game]] = {}
    for info in pkgutil.iter_modules(shelf.__path__):
        module = importlib.import_module(f"{shelf.__name__}.{info.name}")
        game: type[Game] | None = getattr(module, "GAME", None)
        if game is not None:
            found[game.id] = game
    return MappingProxyType(dict(sorted(found.items())))


def load(game_id: str, /, **options: OptionValue) -> Game:
    """Return the game `game_id` with the given options; those not given keep their defaults.

    Raises:
        UnknownGame: when there is no such game, no such option, or no such value of it.
    """
    game = games().get(game_id)
    if game is None:
        raise UnknownGame(f"There is no game {game_id!r}; there are {', '.join(games())}.")
    return game(**options)
