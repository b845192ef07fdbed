"""A balance laboratory: a game played by two who are equal, over sets of its options.

It answers what inventors ask: who wins more often, how long it takes, how often the odd rule is
used.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, sqrt
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from statistics import fmean, median, variance
from typing import Any, NamedTuple, cast

import rules
from firmware_bridge.opponents.entrants import player
from firmware_bridge.opponents.match import Match, Played
from firmware_bridge.opponents.tournament import SURE
from rules.interface import Game, Position, Turn
from rules.values import OptionValue

Options = Mapping[str, OptionValue]

WHITE_POINTS = {"1-0": 1.0, "0-1": 0.0}


class Broken(Exception):  # noqa: N818 - names what is the matter
    """A game that cannot be played to its end; the message says which one it is and why."""


class Experiment(NamedTuple):
    """One game of a laboratory.

    Attributes:
        options: the options that it is played with, as JSON; the others are the usual ones.
        number: which game with these options it is, from 0; two in a row have one opening.
    """

    options: str
    number: int


@dataclass(frozen=True, slots=True)
class Laboratory:
    """What is measured, and how.

    Attributes:
        game_id: the game.
        sets: the options that differ from the usual ones, a set after the other.
        player: who plays both sides, by name.
        games: how many with each set; an even number.
        seed: what all chance is drawn from.
        plies: after how many a game is cut.
    """

    game_id: str
    sets: Sequence[Options]
    player: str
    games: int
    seed: str
    plies: int

    @property
    def conditions(self) -> dict[str, Any]:
        """What each of its lines says of how it was played."""
        return {
            "game": self.game_id,
            "player": self.player,
            "seed": self.seed,
            "plies": self.plies,
        }

    def experiments(self) -> list[Experiment]:
        """Return its games, two of every set at a time, so that it may stop anywhere."""
        texts = [json.dumps(dict(options), sort_keys=True) for options in self.sets]
        return [
            Experiment(text, number + half)
            for number in range(0, self.games, 2)
            for text in texts
            for half in (0, 1)
        ]

    def play(self, experiment: Experiment) -> dict[str, Any]:
        """Return one game as a line of the results; turns can be had again by playing it again."""
        game = rules.load(self.game_id, **json.loads(experiment.options))
        both = player(game, self.player)
        played = Match(game, (both, both), self.seed, self.plies).play(experiment.number)
        told = played.to_json()
        return {
            **self.conditions,
            **experiment._asdict(),
            "result": told["result"],
            "reason": told["reason"],
            "length": len(played.turns),
            "odd": dict(sorted(_odd(played).items())),
        }

    def run(self, experiments: Sequence[Experiment], cores: int) -> Iterator[dict[str, Any]]:
        """Yield the games as they come to their ends, as many at once as there are cores.

        Each core has a process; it ends by itself when nobody takes what it has played.

        Raises:
            Broken: when a game cannot be played to its end.
        """
        context = get_context("spawn")
        due: dict[Connection, list[Experiment]] = {}
        for core in range(min(cores, len(experiments))):
            ours, theirs = context.Pipe(duplex=False)
            share = [*experiments[core::cores]]
            context.Process(target=_work, args=(self, share, theirs), daemon=True).start()
            theirs.close()
            due[ours] = share
        while due:
            for ready in connection.wait(due):
                pipe = cast("Connection", ready)
                try:
                    yield pipe.recv()
                    del due[pipe][0]
                except EOFError:
                    if left := due.pop(pipe):
                        told = f"game {left[0].number} with the options {left[0].options}"
                        raise Broken(
                            f"A process ended in {told}; what it wrote says why."
                        ) from None


def _work(laboratory: Laboratory, experiments: Sequence[Experiment], out: Connection) -> None:
    for experiment in experiments:
        out.send(laboratory.play(experiment))


def all_sets(game: Game) -> list[Options]:
    """Return the options of every game that can be made of one by them, the usual one first."""
    found: list[Options] = []
    for values in product(*game.allowed.values()):
        try:
            chosen = rules.load(game.id, **dict(zip(game.allowed, values, strict=True))).chosen
        except rules.UnknownGame:
            continue  # these do not go together
        if chosen not in found:
            found.append(chosen)
    return sorted(found, key=len)


def _odd(played: Played) -> Counter[str]:
    """Return how many turns of a game were of each kind that ordinary chess does not have."""
    position, counts = played.opened[0], Counter[str]()
    for text in played.turns:
        turn = position.parse_turn(text)
        after = position.play(turn)
        counts.update(_kinds(position, turn, after))
        position = after
    counts["attempts"] = sum(played.attempts.values())
    return +counts


def _kinds(position: Position, turn: Turn, after: Position) -> Iterator[str]:
    deed, placement = position.deed(turn), position.placement
    came = {target for _, target in deed.moves}
    if any(s not in came and placement[s][0] != label[0] for s, label in deed.becomes):
        yield "converting"
    if position.game.traits.long_turns and len(deed.moves) > 1:
        yield "several-pieces"
    if deed.flips:
        yield "flipping"
    if str(turn).endswith("!"):
        yield "reality-checks"
    if any("invisible" in shown.marks for shown in after.shown.values()):
        yield "something-invisible"


class Finding(NamedTuple):
    """What came out for one set of options.

    Attributes:
        options: the set, as JSON.
        games: how many were played.
        share: of the points, what White made, 0 to 1.
        within: half the width of its 95 % interval, from the pairs of games with one opening
            (their five sums, hence pentanomial); infinite below two pairs.
        decided: the share of games that somebody won.
        length: the median of their plies.
        odd: how often each odd kind of turn is made in a game, on an average.
    """

    options: str
    games: int
    share: float
    within: float
    decided: float
    length: float
    odd: Mapping[str, float]


def findings(games: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """Return what came out, a set of options after the other, the usual one first."""
    by_set: dict[str, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for game in games:
        by_set[game["options"]][game["number"]] = game
    ordered = sorted(by_set, key=lambda text: (len(json.loads(text)), text))
    return [_finding(text, by_set[text]) for text in ordered]


def _finding(options: str, games: Mapping[int, Mapping[str, Any]]) -> Finding:
    points = {number: WHITE_POINTS.get(game["result"], 0.5) for number, game in games.items()}
    pairs = [
        (points[n] + points[n + 1]) / 2 for n in sorted(points) if n % 2 == 0 and n + 1 in points
    ]
    odd = Counter[str]()
    for game in games.values():
        odd.update(game["odd"])
    return Finding(
        options,
        len(games),
        fmean(points.values()),
        SURE * sqrt(variance(pairs) / len(pairs)) if len(pairs) > 1 else inf,
        fmean(game["result"] in WHITE_POINTS for game in games.values()),
        median(game["length"] for game in games.values()),
        {kind: count / len(games) for kind, count in sorted(odd.items())},
    )


def rows(found: Sequence[Finding]) -> list[list[str]]:
    """Return what came out as a table: its head, then a row for each set of options."""
    kinds = sorted({kind for finding in found for kind in finding.odd})
    head = ["options", "games", "White's points %", "decided %", "plies", *kinds]
    return [head, *(_row(finding, kinds) for finding in found)]


def _row(finding: Finding, kinds: Sequence[str]) -> list[str]:
    chosen = json.loads(finding.options)
    told = (name if value is True else f"{name} {value}" for name, value in chosen.items())
    within = "" if finding.within == inf else f" ± {100 * finding.within:.1f}"
    return [
        ", ".join(told) or "usual",
        str(finding.games),
        f"{100 * finding.share:.1f}{within}",
        f"{100 * finding.decided:.0f}",
        f"{finding.length:g}",
        *(f"{finding.odd.get(kind, 0):.1f}" for kind in kinds),
    ]
