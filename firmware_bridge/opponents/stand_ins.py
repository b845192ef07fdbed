"""Players from outside, to hold the minds against: they know the rules and share no code with them.

Each stands in for a kind of person, or for a program as somebody else would write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

from firmware_bridge.opponents.engine import Choice
from firmware_bridge.opponents.match import Entrant
from rules.belief import Belief, Knowledge, Seen
from rules.interface import Game, Label, Position, Side, Turn
from rules.values import SIDES, opponent

_WORTH = {"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0, "K": 0.0}
_TRUE, _FALSE = 5.0, 1.0
"""What a true piece of Reality Check is worth, and any other."""
_WON = 99.0
_SEEN = 400
"""Turns that one looks at: in Realm nobody counts the thousands, a child least of all."""


class StandIn:
    """Believes what the rules say that his seat may believe, and takes what he sees at once."""

    careless = 0.0
    """In how many of its turns anything will do."""
    forgets = 0.0
    """How many of the turns that take something it does not see."""

    def __init__(self, game: Game, seed: str) -> None:
        self.rng = Random(seed)  # noqa: S311 - play
        self._game = game
        self._belief: Belief[Position] | None = None

    def know(self, knowledge: Knowledge) -> None:
        """Begin with what the seat knows of a position."""
        self._belief = self._game.believe(knowledge.side, knowledge)

    def see(self, seen: Seen) -> None:
        """Take in one turn of either side, as the seat may know it."""
        if self._belief is not None:
            self._belief = self._belief.after(seen)

    def rule(self, move: str) -> None:
        """Take in nothing: only legal turns are tried."""

    def choose(self) -> Choice:
        """Return what it wants to do."""
        worlds = self._belief.worlds() if self._belief is not None else ()
        world = self.rng.choice(worlds)
        turns = sorted(islice(world.turns(), _SEEN), key=str)
        if self.rng.random() < self.careless:
            return Choice(str(self.rng.choice(turns)))
        return Choice(str(self._liked(world, turns, worlds)))

    def _liked(self, world: Position, turns: Sequence[Turn], _: Sequence[Position]) -> Turn:
        return max(turns, key=lambda turn: (self._tempting(world, turn), self.rng.random()))

    def _tempting(self, world: Position, turn: Turn) -> float:
        won = _gain(world, turn)
        return 0.0 if 0 < won < _WON and self.rng.random() < self.forgets else won


class Child(StandIn):
    """Takes what it sees one ply deep; more than a third of its turns are anything."""

    careless = 0.35


class Forgetful(StandIn):
    """Overlooks half of what it could take."""

    forgets = 0.5


class Thirds(StandIn):
    """Anything in one turn of three, and looks at what it could lose in the others."""

    careless = 1 / 3

    def _liked(self, world: Position, turns: Sequence[Turn], _: Sequence[Position]) -> Turn:
        best = sorted(turns, key=lambda turn: (-_gain(world, turn), self.rng.random()))[:12]
        return max(best, key=lambda turn: _gain(world, turn) - _danger(world.play(turn)))


class Timid(Thirds):
    """Looks at what it could lose next before it takes anything."""

    careless = 0.0


class Sampler(StandIn):
    """Looks at eight of the worlds that may be, a ply and the best capture in reply."""

    worlds, quiet = 8, 10

    def _liked(self, world: Position, turns: Sequence[Turn], worlds: Sequence[Position]) -> Turn:
        some = [world, *self.rng.sample(worlds, min(self.worlds - 1, len(worlds) - 1))]
        loud = [turn for turn in turns if world.deed(turn).taken]
        calm = [turn for turn in turns if not world.deed(turn).taken]
        tried = loud + self.rng.sample(calm, min(self.quiet, len(calm)))
        return max(tried, key=lambda turn: sum(self._worth(each, str(turn)) for each in some))

    def _worth(self, world: Position, text: str) -> float:
        turn = world.parse_turn(text)
        after = world.play(turn)
        left = 0.0 if after.outcome is not None else _danger(after)
        return _gain(world, turn) - left + self.rng.random() / 9


def _standing(world: Position, side: Side) -> float:
    """Return what a side has more than the other."""
    worth: dict[Side, float] = dict.fromkeys(SIDES, 0.0)
    for label in world.placement.values():
        worth["white" if label[0] == "w" else "black"] += _value(label)
    for owner, hand in world.hands.items():
        worth[owner] += sum(map(_value, hand))
    return worth[side] - worth[opponent(side)]


def _value(label: Label) -> float:
    if ":" in label or len(label) > 2:
        return _TRUE if label[1] == label[2] else _FALSE
    return _WORTH.get(label[1:2], _FALSE)


def _gain(world: Position, turn: Turn) -> float:
    """Return what a turn takes; a game that it ends is worth more than anything."""
    after = world.play(turn)
    if after.outcome is not None:
        winner = after.outcome.winner
        return 0.0 if winner is None else _WON if winner == world.side else -_WON
    return _standing(after, world.side) - _standing(world, world.side)


def _danger(world: Position) -> float:
    """Return what the best capture of the side to act would win."""
    loud = (turn for turn in islice(world.turns(), 600) if world.deed(turn).taken)
    return max((_gain(world, turn) for turn in loud), default=0.0)


STAND_INS: Mapping[str, Entrant] = {
    "child": Child,
    "greedy": StandIn,
    "forgetful": Forgetful,
    "timid": Timid,
    "thirds": Thirds,
    "sampler": Sampler,
}
"""By the names that the command line has for them."""
