"""Finding the games: the modules of `rules.games`, and entry points of installed packages.

The module or package `rules.games.<id>` (with `_` for `-`) exposes `GAME`. Any other package names
its class of game in an entry point of the group `firmware_bridge.games`, under the game's id.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from rules.interface import Game, Position
from rules.plug_ins import NotUsable, class_at, package_of
from rules.values import OptionValue, UnknownGame, UnusableGame

GROUP = "firmware_bridge.games"
# Imported by name: in the package `rules`, the attribute `games` is the function below.
_shelf = importlib.import_module("rules.games")


@cache
def _points() -> Mapping[str, EntryPoint]:
    """Return where to find every game, by its id; none is imported.

    What a package offers under an id that is taken stands beside it, and cannot be used.
    """
    modules = sorted(info.name for info in pkgutil.iter_modules(_shelf.__path__))
    names = {module.replace("_", "-"): module for module in modules}
    points = {
        name: EntryPoint(name, f"{_shelf.__name__}.{module}:GAME", GROUP)
        for name, module in names.items()
    }
    for point in sorted(entry_points(group=GROUP), key=package_of):
        taken = point.name in points
        points[f"{point.name} of {package_of(point)}" if taken else point.name] = point
    return dict(sorted(points.items()))


def ids() -> tuple[str, ...]:
    """Return the ids of all games, sorted."""
    return tuple(_points())


def games() -> Mapping[str, type[Game]]:
    """Return every game class by its id, in the order of the ids.

    Raises:
        UnusableGame: when one of them cannot be used.
    """
    return {game_id: find(game_id) for game_id in ids()}


def load(game_id: str, /, **options: OptionValue) -> Game:
    """Return the game `game_id` with the given options; those not given keep their defaults.

    Raises:
        UnknownGame: when there is no such game, no such option, or no such value of it.
        UnusableGame: when the game lacks something; the message names all of it.
    """
    return find(game_id)(**options)


@cache
def find(game_id: str) -> type[Game]:
    """Return one game's class; its module is imported only now, which spares a small machine.

    Raises:
        UnknownGame: when there is no such game.
        UnusableGame: when it lacks something, or its id is taken; the message names all of it.
    """
    point = _points().get(game_id)
    if point is None:
        raise UnknownGame(f"There is no game {game_id!r}; there are {', '.join(ids())}.")
    if point.name != game_id:
        raise UnusableGame(
            f"{package_of(point)} offers a game {point.name!r}, but there is one already: "
            "uninstall the package, or give its game another id."
        )
    try:
        game = class_at(point, Game)  # type: ignore[type-abstract]
    except NotUsable as error:
        raise UnusableGame(f"The game {game_id!r} cannot be used: {error}.") from error
    if lacking := list(_lacking(game_id, game)):
        listed = "".join(f"\n  - {one}" for one in lacking)
        raise UnusableGame(f"The game {game_id!r} ({point.value}) cannot be used:{listed}")
    return game


def _lacking(game_id: str, game: type[Game]) -> Iterator[str]:
    """Yield what keeps a game from being used, a sentence each."""
    if getattr(game, "id", None) != game_id:
        yield f"its `id` must be {game_id!r}"
    if not getattr(game, "name", ""):
        yield "it has no `name`"
    if empty := [option for option, values in game.allowed.items() if not values]:
        yield f"its option {empty[0]!r} has no `allowed` values, the first of which is the default"
        return
    if methods := sorted(game.__abstractmethods__):
        yield f"it lacks {', '.join(methods)}"
    else:
        yield from _wrong_at_the_start(game)


def _wrong_at_the_start(game: type[Game]) -> Iterator[str]:
    try:
        start: object = game().start()
        if not isinstance(start, Position):
            yield f"`start` must return a rules.Position, not {type(start).__name__}"
        elif start.game.parse(str(start)) != start:
            yield f"`parse` does not read back the text of its start, {str(start)!r}"
        elif strange := start.placement.keys() - start.game.squares:
            yield f"at the start pieces stand beside its `squares`: {', '.join(sorted(strange))}"
    except Exception as error:  # noqa: BLE001 - another package's rules may raise anything
        yield f"its start cannot be made and read back ({type(error).__name__}: {error})"
