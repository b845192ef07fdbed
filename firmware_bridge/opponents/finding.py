"""Finding a game's mind: the modules of `firmware_bridge.opponents.games`, or one for any game.

The module or package `games.<id>` (with `_` for `-`) exposes `ENGINE`. A game without one, such as
one of another package, is played by a search over its rules.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from firmware_bridge.opponents import games

if TYPE_CHECKING:
    from firmware_bridge.opponents.engine import Engine


@cache
def engine_of(game_id: str) -> type[Engine]:
    """Return the class of the engine that plays a game; it is imported only now."""
    module = game_id.replace("-", "_")
    if module not in {info.name for info in pkgutil.iter_modules(games.__path__)}:
        from firmware_bridge.opponents.any_game import AnyGame

        return AnyGame
    engine: type[Engine] = importlib.import_module(f"{games.__name__}.{module}").ENGINE
    return engine
