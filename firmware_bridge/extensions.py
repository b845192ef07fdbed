"""What other packages add to lists of ours: penalties, time controls, words, puzzles.

| group of entry points | an entry's name | points to |
|---|---|---|
| `firmware_bridge.penalties` | any | a subclass of `referee.penalties.Penalty` |
| `firmware_bridge.time_controls` | any | a subclass of `clock.modes.Mode` |
| `firmware_bridge.words` | any | a package with `<language>.toml`, like `firmware_bridge/words` |
| `firmware_bridge.puzzles` | a game's id | a package with `<id>.puzzles.toml` |

A language from elsewhere has no words for the games of ours, nor for the simulated board's page.
What cannot be used is told in the log and left out: games go on without it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import TypeVar

from drivers.plug_ins import NotLoaded, loaded

_LOG = logging.getLogger(__name__)
_Kind = TypeVar("_Kind")


def classes(group: str, kind: type[_Kind]) -> tuple[type[_Kind], ...]:
    """Return the classes that installed packages add, in the order of their entries' names."""
    added: list[type[_Kind]] = []
    for point, found in _found(group):
        if isinstance(found, type) and issubclass(found, kind):
            added.append(found)
        else:
            _leave_out(point, f"{point.value} is no class of {kind.__name__}")
    return tuple(added)


def folders(group: str, name: str | None = None) -> tuple[Traversable, ...]:
    """Return the folders of data that installed packages add, those of one name or all."""
    added: list[Traversable] = []
    for point, found in _found(group, name):
        if isinstance(found, ModuleType) and hasattr(found, "__path__"):
            added.append(resources.files(found))
        else:
            _leave_out(point, f"{point.value} is no package, a folder with __init__.py")
    return tuple(added)


def _found(group: str, name: str | None = None) -> Iterator[tuple[EntryPoint, object]]:
    """Yield what can be loaded of a group; say in the log what cannot."""
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        if name in (None, point.name):
            try:
                yield point, loaded(point)
            except NotLoaded as error:
                _leave_out(point, str(error))


def _leave_out(point: EntryPoint, why: str) -> None:
    _LOG.error("%s of the group %s is left out: %s", point.name, point.group, why)
