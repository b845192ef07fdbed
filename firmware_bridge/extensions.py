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
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from typing import TypeVar

_LOG = logging.getLogger(__name__)
_Kind = TypeVar("_Kind")


def classes(group: str, kind: type[_Kind]) -> tuple[type[_Kind], ...]:
    """Return the classes that installed packages add, in the order of their entries' names."""
    added: list[type[_Kind]] = []
    for point in _points(group):
        try:
            found = point.load()
        except (ImportError, AttributeError) as error:
            _leave_out(point, str(error))
            continue
        if isinstance(found, type) and issubclass(found, kind):
            added.append(found)
        else:
            _leave_out(point, f"it is no {kind.__name__}")
    return tuple(added)


def folders(group: str, name: str | None = None) -> tuple[Traversable, ...]:
    """Return the folders of data that installed packages add, those of one name or all."""
    added: list[Traversable] = []
    for point in _points(group):
        if name in (None, point.name):
            try:
                added.append(resources.files(point.value))
            except ImportError as error:
                _leave_out(point, str(error))
    return tuple(added)


def _points(group: str) -> list[EntryPoint]:
    return sorted(entry_points(group=group), key=lambda point: (point.name, point.value))


def _leave_out(point: EntryPoint, why: str) -> None:
    package = point.dist.name if point.dist else point.value
    _LOG.error("%s of the package %s is left out (%s): %s", point.name, package, point.group, why)
