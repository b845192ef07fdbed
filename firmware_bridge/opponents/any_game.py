"""A mind for any game: a search over what its rules offer, in each world that may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from firmware_bridge.opponents.engine import WON, Choice, Engine, Worlds, best_first
from firmware_bridge.opponents.levels import Level
from firmware_bridge.opponents.search import Found, Node, Search
from rules.interface import Position, Turn

WORTH: Final = {"P": 100, "N": 300, "B": 300, "R": 500, "Q": 900, "K": 0}
_WORLDS: Final = 6
"""How many of the worlds that may be are looked at for one turn."""
_MANY: Final = 300
"""Where there are more turns than this only the most promising are looked at."""
_PROMISING: Final = 12
"""So many of them; half as many captures, and as many other turns, in answer to each."""
_DEARER: Final = 10
"""So many times fewer positions are looked at then: in each, all turns have to be listed."""


class RulesNode(Node[str]):
    """A position of any game as the search walks over it.

    `whole` tells whether every turn is looked at, however many there are.
    """

    def __init__(self, position: Position, *, whole: bool = False) -> None:
        self.position = position
        self._whole = whole
        self.side = position.side == "white"
        self._known: Mapping[str, Turn] | None = None
        self._loud: list[tuple[int, str]] | None = None

    @property
    def key(self) -> Hashable:
        """What the game's repetitions are told by; the whole position where it has none."""
        key = self.position.repetition_key
        return str(self.position) if key is None else key

    @property
    def turns(self) -> Mapping[str, Turn]:
        """Every legal turn by its text."""
        if self._known is None:
            self._known = {str(turn): turn for turn in self.position.turns()}
        return self._known

    @property
    def wide(self) -> bool:
        """Whether there are too many turns to look at each."""
        return len(self.turns) > _MANY

    @property
    def _narrowed(self) -> bool:
        """Whether only some of the turns are looked at here."""
        return self.wide and not self._whole

    @property
    def check(self) -> bool:
        """Whether the side to act is in check."""
        return self.position.in_check

    @property
    def value(self) -> int:
        """What there is to the good, and a little for every turn there is."""
        return self.material + min(len(self.turns), _MANY)

    @property
    def material(self) -> int:
        """What stands and is held by the side to act, less what is the other's."""
        worth: Counter[str] = Counter()
        for label in self.position.placement.values():
            worth[label[:1]] += WORTH.get(label[1:2], 100)
        for side, hand in self.position.hands.items():
            worth[side[0]] += sum(WORTH.get(label[1:2], 100) for label in hand) // 2
        own, other = ("w", "b") if self.side else ("b", "w")
        return worth[own] - worth[other]

    @property
    def ended(self) -> int | None:
        """1, 0 or -1 where the side to act has won, drawn or lost."""
        outcome = self.position.outcome
        if outcome is None:
            return None
        return 0 if outcome.winner is None else 1 if outcome.winner == self.position.side else -1

    @property
    def stuck(self) -> int:
        """What the end is worth when there is no turn: `ended` knows it already."""
        return self.ended or 0

    def captures(self) -> list[tuple[int, str]]:
        """Return the turns that take something off the board."""
        if self._loud is None:
            taken = ((self._won_by(turn), text) for text, turn in self.turns.items())
            loud = sorted((pair for pair in taken if pair[0]), key=lambda pair: (-pair[0], pair[1]))
            self._loud = loud[: _PROMISING // 2] if self._narrowed else loud
        return self._loud

    def _won_by(self, turn: Turn) -> int:
        placement = self.position.placement
        return sum(
            WORTH.get(placement[square][1:2], 100)
            for square in self.position.deed(turn).taken
            if not placement[square].startswith(self.position.side[0])
        )

    def quiets(self) -> list[str]:
        """Return the turns that take nothing."""
        loud = {text for _, text in self.captures()}
        quiet = [text for text in self.turns if text not in loud]
        return quiet[:: 1 + len(quiet) // _PROMISING] if self._narrowed else quiet

    def made(self, move: str) -> RulesNode | None:
        """Return the node after a turn; one of another world may not be legal in this one."""
        turn = self.turns.get(move)
        return None if turn is None else RulesNode(self.position.play(turn))

    def passed(self) -> None:
        """Return nothing: whether a side may pass, the rules know."""


class AnyGame(Engine):
    """Looks at some of the worlds that may be, and takes the turn that most of them speak for."""

    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return a turn for the side to act, legal in every world looked at."""
        return self._chosen(self._some(belief, rng), level, rng)

    def ranked(self, belief: Worlds, level: Level, rng: Random, count: int) -> tuple[Choice, ...]:
        """Return the best turns, each searched without those found before it."""
        worlds = self._some(belief, rng)
        every = {str(turn) for turn in worlds[0].turns()}

        def choose(found: Collection[str]) -> Choice | None:
            left = every.difference(found)
            return self._chosen(worlds, level, rng, left) if left else None

        return best_first(choose, count)

    def _some(self, belief: Worlds, rng: Random) -> Sequence[Position]:
        worlds = belief.worlds()
        return worlds if len(worlds) <= _WORLDS else rng.sample(worlds, _WORLDS)

    def _chosen(
        self, worlds: Sequence[Position], level: Level, rng: Random, only: Collection[str] = ()
    ) -> Choice:
        found = [self._found(world, level, rng, only) for world in worlds]
        votes = Counter(one.line[0] for one in found)
        best = max(found, key=lambda one: (votes[one.line[0]], one.score, one.line[0]))
        nodes = sum(one.nodes for one in found)
        return Choice(best.line[0], best.score, best.depth, nodes, best.line)

    def _found(
        self, world: Position, level: Level, rng: Random, only: Collection[str]
    ) -> Found[str]:
        root = RulesNode(world, whole=True)
        if root.wide:
            level, only = replace(level, nodes=level.nodes // _DEARER), _promising(root, only, rng)
        found = Search[str](level, rng, stopped=self.stopped).best(root, only)
        if found is None:
            raise ValueError(f"there is no turn in {world}")
        return found


def _promising(root: RulesNode, only: Collection[str], rng: Random) -> set[str]:
    """Return the turns that win, or win most at once; which of several alike, chance decides."""
    chosen = [text for text in root.turns if not only or text in only]
    rng.shuffle(chosen)

    def promise(text: str) -> int:
        child = RulesNode(root.position.play(root.turns[text]))
        worth = child.material if child.ended is None else child.ended * WON
        return worth if child.side == root.side else -worth

    return {*sorted(chosen, key=promise, reverse=True)[:_PROMISING]}
