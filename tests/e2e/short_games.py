"""A short game of every kind that the registry has, to be played by mouse."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import rules
from firmware_bridge.games import metadata

DATA = Path(__file__).parent.parent / "data" / "short-games.toml"


@dataclass(frozen=True)
class ShortGame:
    line: str
    words: str = "to move"
    kings: tuple[str, ...] = ()
    """How the kings are put into the centre afterwards, where no turn ends the game."""


def _short_games():
    told = tomllib.loads(DATA.read_text(encoding="utf-8"))
    if unknown := told.keys() - rules.games().keys():
        raise LookupError(f"{DATA.name} tells of games that are not there: {sorted(unknown)}")
    for game in rules.games():
        demonstrated = {"line": " ".join(metadata.of(game).demonstration)}
        yield game, ShortGame(**told.get(game, demonstrated))


GAMES = dict(_short_games())
