"""The mind for Realm Chess.

No list of all turns is ever made: with `power` there may be fifteen thousand. `candidates` makes
the promising ones, best first; `search` looks at them and at the best replies; `mate` finds a mate
at once wherever there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from random import Random
from typing import cast

from firmware_bridge.opponents.engine import WON, Choice, Engine, Worlds, nobody
from firmware_bridge.opponents.games.realm.mate import mate_in_one
from firmware_bridge.opponents.games.realm.mate_in_two import mate_in_two
from firmware_bridge.opponents.games.realm.tree import MATE, Node, plain
from firmware_bridge.opponents.games.realm.tree_search import Search
from firmware_bridge.opponents.levels import TECHNIQUE, Level
from rules.games.realm.game import RealmPosition
from rules.games.realm.steps import Step
from rules.interface import Position, Turn

_GUARDING = 3
"""How many plies a level looks ahead that leaves no mate at once; one that looks further asks for
mates in two."""
_GUARDED = 12
"""How many of the best turns are asked whether they leave the opponent a mate at once."""


class RealmEngine(Engine):
    """Searches the most promising turns, and asks for mates."""

    def __init__(self, seed: str = "", stopped: Callable[[], bool] = nobody) -> None:
        super().__init__(seed, stopped)
        self._past: set[Hashable] = set()

    @classmethod
    def drawn(cls, position: Position, rng: Random) -> Turn:
        """Return a turn at random: with `power` or `free`, of one realm or a standard move.

        There may be thousands then, and how many there are in a realm nobody knows without listing
        them. So a realm is drawn first, and a turn with many others in its realm comes more seldom.
        One that can be made in several ways comes oftener.
        """
        found = cast("RealmPosition", position)
        finder, options = found.finder, found.game.options
        realms = [1 << realm.index for realm in finder.division.realms]
        rng.shuffle(realms)
        for among in realms if options["power"] or options["free"] else [-1]:
            if ways := [steps for steps, _, _ in finder.sets(realms=among)]:
                return finder.describer.describe(rng.choice(ways))
        raise ValueError(f"there is no turn in {position}")

    def saw(self, before: Worlds, turn: str) -> None:  # noqa: ARG002 - what it led to comes next
        """Remember the positions that were on the board."""
        self._past.add(before.worlds()[0].repetition_key)

    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return a turn for the side to act."""
        return self.ranked(belief, level, rng, 1)[0]

    def ranked(self, belief: Worlds, level: Level, rng: Random, count: int) -> tuple[Choice, ...]:
        """Return the best turns; a mate that was found is told without others."""
        position = cast("RealmPosition", belief.worlds()[0])
        if mate := _mate(position, level, self.stopped):
            return (mate,)
        search = Search(position, level, self._past, self.stopped)
        if level.number >= TECHNIQUE and position.finder.board.enemy.bit_count() == 1:
            level = replace(level, error=0)
        best = _misjudged(search.run(), level, rng)
        if level.depth >= _GUARDING:
            best = _unmated(position, best, self.stopped)
        lines = [(_line(position, child), _score(-child.value)) for child in best[:count]]
        depth, nodes = search.depth, search.tree.nodes
        return tuple(Choice(line[0], score, depth, nodes, line) for line, score in lines)


def _mate(position: RealmPosition, level: Level, stopped: Callable[[], bool]) -> Choice | None:
    """Return a turn that mates in one or two, as far as the level asks for that."""
    steps, plies = None, 1
    if level.depth > 1:
        steps = mate_in_one(position)
    if steps is None and level.depth > _GUARDING:
        steps, plies = mate_in_two(position, stopped), 3
    if steps is None:
        return None
    text = _text(position, steps)
    return Choice(text, WON - plies, plies, 1, (text,))


def _misjudged(found: Sequence[Node], level: Level, rng: Random) -> list[Node]:
    """Return the turns as they seem to a level that judges them wrongly, the best first."""
    worths = []
    shines = level.overlooks(rng)
    for child in sorted(found, key=lambda child: child.steps):
        error = round(rng.gauss(0, level.error)) if level.error else 0
        value = plain(child.state) if shines else child.value
        worths.append((value if value < -MATE // 2 else value + error, child))
    worths.sort(key=lambda pair: pair[0])
    return [child for _, child in worths]


def _unmated(position: RealmPosition, found: list[Node], stopped: Callable[[], bool]) -> list[Node]:
    """Return the turns without those first ones that leave the opponent a mate at once."""
    for index, child in enumerate(found[:_GUARDED]):
        if stopped() or not mate_in_one(RealmPosition(position.game, child.state)):
            return found[index:]
    return found


def _text(position: RealmPosition, steps: Sequence[Step]) -> str:
    return str(position.finder.describer.describe(steps))


def _line(position: RealmPosition, node: Node | None) -> tuple[str, ...]:
    """Return the texts of the turn that led to a node, and of those expected after it."""
    texts = []
    while node is not None:
        texts.append(_text(position, node.steps))
        position = RealmPosition(position.game, node.state)
        node = node.children[0] if node.children else None
    return tuple(texts)


def _score(value: int) -> int:
    """Return a worth as a score: mates are counted down from `WON`."""
    if value > MATE // 2:
        return WON - 1 - (MATE - value)
    if value < -MATE // 2:
        return -(WON - 1 - (MATE + value))
    return value


ENGINE = RealmEngine
