"""The searches as machine code, if they were compiled: the same turns in less time.

`firmware-bridge opponent compile` makes it of the source as it stands, for the Python that runs it.
It lies in a folder named after that very source: of any other source it is never taken, and where
there is none the source itself runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import rules

HOME = Path(sys.prefix, "lib", "firmware-bridge-compiled")
"""Where it lies: in the environment of this Python."""
GROUP = "firmware_bridge_searches"
_SEARCHES = (
    "any_game",
    "chesslike.board960",
    "chesslike.search_board",
    "chesslike.tables",
    "games.mockery",
    "games.reality_check.glance",
    "games.reality_check.packed_table",
    "games.reality_check.packed_turns",
    "games.reality_check.reach",
    "games.reality_check.worth",
    "games.realm.candidates",
    "games.realm.mate",
    "games.realm.mate_in_two",
    "games.realm.evaluation",
    "games.realm.tree",
    "games.realm.tree_search",
    "games.reversi",
    "search",
)
_RULES = "bitboard", "choices", "order", "realms", "search_state", "steps", "turn_search"
MODULES = (
    *(f"{__package__}.{name}" for name in _SEARCHES),
    *(f"rules.games.realm.{name}" for name in _RULES),
)
"""What is compiled: where positions are looked at. They call each other without Python between."""
_FOUND = (*MODULES, f"{GROUP}__mypyc")
_READ = {
    Path(str(rules.__file__)).parent: ("**/*.py",),
    Path(__file__).parents[1]: ("__init__.py", "opponents/**/*.py"),
}


def sources() -> Iterator[tuple[Path, bytes]]:
    """Yield the minds and all that they know, as they are on disk: where in a package, and what."""
    for root, patterns in _READ.items():
        for path in sorted(path for pattern in patterns for path in root.glob(pattern)):
            yield path.relative_to(root.parent), path.read_bytes()


def digest(parts: Iterable[tuple[Path, bytes]]) -> str:
    """Return what no other source has."""
    told = sha256()
    for path, text in parts:
        told.update(b"%s %d\n%s" % (str(path).encode(), len(text), text))
    return told.hexdigest()[:32]


class Finder:
    """Finds the compiled modules in a folder, for `sys.meta_path`."""

    def __init__(self, home: Path) -> None:
        self._home = home

    @cached_property
    def _folder(self) -> Path:
        return self._home / digest(sources()) if self._home.is_dir() else self._home

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - where the source lies
        target: ModuleType | None = None,  # noqa: ARG002 - what is loaded again
    ) -> ModuleSpec | None:
        """Return where a module's machine code is, `None` where there is none."""
        if name not in _FOUND:
            return None
        return PathFinder.find_spec(name, [str(self._folder.joinpath(*name.split(".")[:-1]))])


def use(home: Path = HOME) -> None:
    """Have the modules that are imported from now on be found in a folder, and in no other.

    Where one of them runs as source already, all do: machine code knows no classes but its own.
    """
    sys.meta_path[:] = [found for found in sys.meta_path if not isinstance(found, Finder)]
    if sys.modules.keys().isdisjoint(MODULES):
        sys.meta_path.insert(0, Finder(home))
