"""Everybody against everybody, game by game: it may be cut short anywhere, and be gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

from firmware_bridge.opponents.game_lines import aligned
from firmware_bridge.opponents.match import Entrant, Match
from rules.interface import Game

SURE = 1.96
"""Standard deviations of a normal distribution that 95 of 100 lie within."""


class Pairing(NamedTuple):
    """One game of a tournament.

    Attributes:
        first: who has White in the games with even numbers.
        second: the other.
        number: which of their games it is, from 0.
    """

    first: str
    second: str
    number: int

    def __str__(self) -> str:
        return f"{self.first} against {self.second}, game {self.number + 1}"


@dataclass(frozen=True, slots=True)
class Tournament:
    """What a tournament is played by.

    Attributes:
        game: the game, options included.
        players: by name; `None` draws turns at random.
        games: how many each two of them play.
        seed: what all chance is drawn from; each two have the same openings.
        plies: after how many a game is cut.
    """

    game: Game
    players: Mapping[str, Entrant | None]
    games: int
    seed: str
    plies: int

    def pairings(self) -> list[Pairing]:
        """Return its games as they are played: everybody has played as many, at any time."""
        pairs = list(combinations(self.players, 2))
        return [Pairing(*pair, number) for number in range(self.games) for pair in pairs]

    def play(self, pairing: Pairing) -> dict[str, Any]:
        """Return one game as a line of the results."""
        players = self.players[pairing.first], self.players[pairing.second]
        played = Match(self.game, players, self.seed, self.plies).play(pairing.number)
        points = played.points(pairing.number)
        return {**self.conditions, **pairing._asdict(), "points": points, **played.to_json()}

    @property
    def conditions(self) -> dict[str, Any]:
        """What each of its lines says of how it was played."""
        options = json.dumps(dict(self.game.options), sort_keys=True)
        return {"game": self.game.id, "options": options, "seed": self.seed, "plies": self.plies}


def made_of(games: Iterable[Mapping[str, Any]]) -> dict[Pairing, float]:
    """Return the points of the first player in each game."""
    return {
        Pairing(told["first"], told["second"], told["number"]): float(told["points"])
        for told in games
    }


def table(players: Sequence[str], made: Mapping[Pairing, float]) -> str:
    """Return who beats whom: a row a player, with the bounds that hold 95 times of 100."""
    names = sorted(players, key=lambda name: -_share(_of(name, None, made)))
    rows = [["player", "points", "%", *names]]
    for name in names:
        against = (_of(name, other, made) for other in names)
        cells = [f"{sum(won):g}/{len(won)}" if won else "" for won in against]
        won = _of(name, None, made)
        low, high = bounds(sum(won), len(won))
        share = f"{100 * _share(won):.0f} ({100 * low:.0f} to {100 * high:.0f})"
        rows.append([name, f"{sum(won):g}/{len(won)}", share, *cells])
    return aligned(rows)


def bounds(points: float, games: int) -> tuple[float, float]:
    """Return between what the true share of the points lies, 95 times of 100 (Wilson's bounds)."""
    if not games:
        return 0.0, 1.0
    share, doubt = points / games, SURE**2 / games
    middle = (share + doubt / 2) / (1 + doubt)
    reach = sqrt(share * (1 - share) * doubt + doubt**2 / 4) / (1 + doubt)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _of(name: str, other: str | None, made: Mapping[Pairing, float]) -> list[float]:
    """Return what a player made of his games, against one other or all."""
    won = []
    for pairing, points in made.items():
        if name in pairing[:2] and (other is None or other in pairing[:2]) and other != name:
            won.append(points if pairing.first == name else 1 - points)
    return won


def _share(won: Sequence[float]) -> float:
    return sum(won) / len(won) if won else 0.0
