"""How strong a mind plays: the levels of each game, read from `levels.toml`."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from rules import registry

_LOG = logging.getLogger(__name__)
GROUP = "firmware_bridge.engines"
"""The entry points by which other packages bring minds, named by the games' ids."""
ANY_GAME, ORTHODOX = "any-game", "orthodox"
"""The levels of games that have none of their own: any, and those whose turns are chess."""


_DATA: Mapping[str, Any] = tomllib.loads(
    files(__package__).joinpath("levels.toml").read_text(encoding="utf-8")
)
TECHNIQUE = 3
"""From this level up a king who is alone is mated as books teach it, without errors."""
OPENING = 4  # full moves: eight plies, as long as club players know openings by heart
LEVELS = range(1, 1 + len(_DATA["names"]))
"""Their numbers, the weakest first: the same in every game."""


class NoSuchLevel(ValueError):  # noqa: N818 - as in `rules`
    """A level that a game does not have."""


@dataclass(frozen=True, slots=True)
class Level:
    """A playing strength: it is the same on every machine, since nothing in it is a time.

    Attributes:
        number: from 1, the weakest first.
        name: what people call it.
        nodes: positions that a search may look at, at most, for one turn; the first ply may take
            2,000 where that is more.
        depth: plies that it looks ahead at most.
        error: how wrongly it judges each turn at hand, as a standard deviation in hundredths of a
            pawn; a win that it sees is never judged wrongly.
        memory: how much of what it must remember it keeps from one ply to the next, 0 to 1.
        blind: in how many of its turns, 0 to 1, it does not look at what the other may answer: it
            takes what shines, and overlooks what is attacked. Who looks two plies ahead sees a
            win at once even then.
        variety: its error in the first moves of a game, where it would be less: turns worth nearly
            the same are chosen from by the seed, so that no two evenings begin alike.
        own_nodes: `nodes` where a program that may be installed is not, and our own search plays.
    """

    number: int
    name: str
    nodes: int
    depth: int = 64
    error: int = 0
    memory: float = 1.0
    blind: float = 0.0
    variety: int = 15
    own_nodes: int = 0

    def advising(self) -> Level:
        """Return the level for giving advice: without error, forgetting or oversight."""
        return replace(self, error=0, memory=1.0, blind=0.0, variety=0)

    def at(self, move: int) -> Level:
        """Return how it plays in a full move, from 1."""
        return replace(self, error=max(self.error, self.variety)) if move <= OPENING else self

    def overlooks(self, rng: Random) -> bool:
        """Return whether this turn is one in which the answers are not looked at."""
        return self.blind > 0 and rng.random() < self.blind

    def __str__(self) -> str:
        told = f"looks at up to {self.nodes:,} positions a turn"
        if self.depth < 64:
            told += f" and {self.depth} {'ply' if self.depth == 1 else 'plies'} ahead"
        if self.error:
            told += f", misjudges turns by {self.error / 100:g} pawns"
        if self.blind:
            told += f", overlooks answers in {self.blind:.1%} of its turns"
        if self.memory < 1:
            told += f", forgets {1 - self.memory:.2%} a ply"
        return told


@cache
def levels_of(game_id: str) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest first: our own, its package's, or its kind's."""
    kind = ORTHODOX if plays_chess(game_id) else ANY_GAME
    if game_id in _DATA:
        return _named(_DATA[game_id], game_id)
    return _beside_its_engine(game_id) or _named(_DATA[kind], kind)


def _named(told: Sequence[Mapping[str, Any]], where: str) -> tuple[Level, ...]:
    names = _DATA["names"]
    if len(told) != len(names):
        raise ValueError(f"{where} has {len(told)} levels: write {len(names)}, the weakest first")
    return tuple(
        Level(number, name, **settings)
        for number, (name, settings) in enumerate(zip(names, told, strict=True), 1)
    )


def plays_chess(game_id: str) -> bool:
    """Return whether the turns of a game are those of orthodox chess."""
    return game_id in registry.ids() and registry.find(game_id).traits.orthodox


def _beside_its_engine(game_id: str) -> tuple[Level, ...]:
    """Return what `<id>.levels.toml` says, in the package whose engine plays the game.

    A file that cannot be used is told in the log and left out.
    """
    for point in entry_points(group=GROUP, name=game_id):
        try:
            spec = find_spec(point.module)
            if spec and spec.origin:
                file = Path(spec.origin).with_name(f"{game_id}.levels.toml")
                return _named(tomllib.loads(file.read_text("utf-8"))["level"], file.name)
        except FileNotFoundError:
            continue
        except Exception as error:  # noqa: BLE001 - a package and a file of somebody else
            _LOG.error("The levels of %s are left out: %s", point.value, error)
    return ()


def level_of(game_id: str, number: int) -> Level:
    """Return one level of a game.

    Raises:
        NoSuchLevel: when there is none of this number.
    """
    if number not in LEVELS:
        raise NoSuchLevel(f"There is no level {number}; levels are 1 to {LEVELS[-1]}.")
    return levels_of(game_id)[number - 1]
