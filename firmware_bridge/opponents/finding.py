"""Finding a game's mind: ours, one of another package, or the one for any game.

The module or package `games.<id>` (with `_` for `-`) exposes `ENGINE`. Any other package names its
class of `Engine` in an entry point of the group `firmware_bridge.engines`, under the game's id, and
may have its levels in `<id>.levels.toml` beside it; one that cannot be used is told in the log. A
game without a mind whose turns are those of orthodox chess has the mind that plays them; any other
is played by a search over its rules.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from firmware_bridge.opponents import games
from firmware_bridge.opponents.engine import Engine
from firmware_bridge.opponents.levels import GROUP, plays_chess
from rules.plug_ins import NotUsable, whole_class_at

_LOG = logging.getLogger(__name__)


@cache
def engine_of(game_id: str) -> type[Engine]:
    """Return the class of the engine that plays a game; it is imported only now."""
    module = game_id.replace("-", "_")
    engine: type[Engine]
    if module in {info.name for info in pkgutil.iter_modules(games.__path__)}:
        engine = importlib.import_module(f"{games.__name__}.{module}").ENGINE
        return engine
    for point in entry_points(group=GROUP, name=game_id):
        try:
            return whole_class_at(point, Engine)  # type: ignore[type-abstract]
        except NotUsable as error:
            _LOG.error("A mind of %s is left out: %s", game_id, error)
    if plays_chess(game_id):
        from firmware_bridge.opponents.games.indistinguishable import IndistinguishableEngine

        return IndistinguishableEngine  # at levels that forget nothing, it is chess that it plays
    from firmware_bridge.opponents.any_game import AnyGame

    return AnyGame
