"""What other packages may add, and how penalties, time controls, words and puzzles are found.

| group of entry points | an entry's name | points to |
|---|---|---|
| `firmware_bridge.games` | the game's id | a subclass of `rules.Game` |
| `firmware_bridge.engines` | a game's id | a subclass of `firmware_bridge.opponents.Engine` |
| `firmware_bridge.puzzles` | a game's id | a package with `<id>.puzzles.toml` |
| `firmware_bridge.penalties` | any | a subclass of `firmware_bridge.referee.penalties.Penalty` |
| `firmware_bridge.time_controls` | any | a subclass of `firmware_bridge.clock.modes.Mode` |
| `firmware_bridge.words` | any | a package with `<language>.toml`, like `firmware_bridge/words` |
| `firmware_bridge.drivers` | `board.driver` | what takes a description and `board.settings` |
| `firmware_bridge.indicators` | `[indicators.<name>]` | what takes the settings of that table |
| `firmware_bridge.carriers` | `distance.carrier` | what takes `distance.settings` |
| `firmware_bridge.commands` | the command | a click command |

A language from elsewhere has no words for the games of ours, nor for the simulated board's page.
What cannot be used is named in the log and left out: games go on without it. What a player has
asked for by its name, such as a driver, is refused in a sentence instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from rules.plug_ins import NotUsable, whole_class_at

_LOG = logging.getLogger(__name__)
_Kind = TypeVar("_Kind")


def classes(group: str, kind: type[_Kind]) -> tuple[type[_Kind], ...]:
    """Return the classes that installed packages add, in the order of their entries' names."""
    return tuple(found for _, found in _usable(group, lambda point: whole_class_at(point, kind)))


def folders(group: str, name: str | None = None) -> tuple[Path, ...]:
    """Return the folders of data that installed packages add, those of one name or all.

    None of their code is run: it may need the words that are looked for here.
    """
    return tuple(folder for _, folder in _usable(group, _folder_at, name))


def _folder_at(point: EntryPoint) -> Path:
    """Return the folder that an entry point names; raise `NotUsable` where there is none."""
    package, *inner = point.module.split(".")
    found = find_spec(package)
    for place in (found and found.submodule_search_locations) or ():
        if (folder := Path(place, *inner)).is_dir():
            return folder
    raise NotUsable(f"{point.value} is no package, a folder of modules")


def _usable(
    group: str, use: Callable[[EntryPoint], _Kind], name: str | None = None
) -> Iterator[tuple[EntryPoint, _Kind]]:
    """Yield what can be used of a group; say in the log what cannot."""
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        if name in (None, point.name):
            try:
                yield point, use(point)
            except NotUsable as error:
                leave_out(group, point.name, str(error))


def leave_out(group: str, name: str, why: str) -> None:
    """Say in the log what of an installed package is not used, and why."""
    _LOG.error("%s of the group %s is left out: %s", name, group, why)
