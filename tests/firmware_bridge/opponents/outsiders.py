"""Players from outside, to measure minds against: they know the rules and share no code with them.

python -m tests.firmware_bridge.opponents.outsiders reality-check 5 sampler --games 8
"""

import argparse
import json
import sys
from itertools import islice
from random import Random

import rules
from firmware_bridge.opponents.levels import level_of
from firmware_bridge.opponents.match import drawn, opening, settled
from firmware_bridge.opponents.seat import Seat
from rules import draws
from rules.values import SIDES, opponent

WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}


class Outsider:
    """Believes what the rules say that his seat may believe."""

    def __init__(self, game, seed):
        self.game, self.rng, self.belief = game, Random(seed), None

    def know(self, knowledge):
        self.belief = self.game.believe(knowledge.side, knowledge)

    def see(self, seen):
        self.belief = self.belief.after(seen)

    def world(self):
        return self.rng.choice(self.belief.worlds())


class Child(Outsider):
    """Takes what it sees one ply deep; more than a third of its turns are anything."""

    careless = 0.35

    def turn(self):
        world = self.world()
        if self.rng.random() < self.careless:
            return str(drawn(world, self.rng))
        # In Realm nobody counts the thousands, a child least of all.
        turns = sorted(islice(world.turns(), 400), key=str)
        return str(max(turns, key=lambda turn: (gain(world, turn), self.rng.random())))


class Timid(Child):
    """Never random, but looks at what it could lose next, too."""

    careless = 0.0

    def turn(self):
        world = self.world()
        turns = sorted(islice(world.turns(), 400), key=str)
        best = sorted(turns, key=lambda turn: (-gain(world, turn), self.rng.random()))[:12]
        return str(max(best, key=lambda turn: gain(world, turn) - danger(world.play(turn))))


class Sampler(Outsider):
    """Looks at eight of the worlds that may be, a ply and the best capture in reply."""

    worlds, quiet = 8, 10

    def turn(self):
        every = self.belief.worlds()
        worlds = [self.rng.choice(every) for _ in range(min(self.worlds, len(every)))]
        here = worlds[0]
        turns = sorted(here.turns(), key=str)
        loud = [turn for turn in turns if here.deed(turn).taken]
        calm = [turn for turn in turns if not here.deed(turn).taken]
        some = loud + self.rng.sample(calm, min(self.quiet, len(calm)))
        return str(max(some, key=lambda turn: sum(self._worth(w, str(turn)) for w in worlds)))

    def _worth(self, world, text):
        before = standing(world, world.side)
        after = world.play(world.parse_turn(text))
        if after.outcome:
            return 99 * ((after.outcome.winner == world.side) - (after.outcome.winner is not None))
        return standing(after, world.side) - before - danger(after) + self.rng.random() / 9


def standing(world, side):
    """What a side has more than the other; in Reality Check true pieces count most."""
    worth = dict.fromkeys(SIDES, 0)
    for label in world.placement.values():
        worth["white" if label[0] == "w" else "black"] += value(label)
    for owner, hand in world.hands.items():
        worth[owner] += sum(value(label) for label in hand)
    return worth[side] - worth[opponent(side)]


def value(label):
    if ":" not in label and len(label) < 3:
        return WORTH.get(label[1:2], 1)
    faces = label[1:3]
    return 5 if faces[0] == faces[1] else 1


def gain(world, turn):
    """What a turn takes, and how far it is from over with it."""
    after = world.play(turn)
    if after.outcome is not None and after.outcome.winner == world.side:
        return 99
    return standing(after, world.side) - standing(world, world.side)


def danger(world):
    """What the best capture of the side to act would win."""
    loud = [t for t in islice(world.turns(), 600) if world.deed(t).taken]
    return max((gain(world, turn) for turn in loud), default=0)


PLAYERS = {"child": Child, "timid": Timid, "sampler": Sampler}


def play(game, level, kind, number, seed, plies):
    """Play one game; return the points of the level, and why it ended."""
    start, opened = opening(game, f"{seed} {number // 2}")
    ours = SIDES[number % 2]
    seats = {
        ours: Seat(game, level_of(game.id, level), f"{seed} {number}"),
        opponent(ours): PLAYERS[kind](game, f"{seed} {number}"),
    }
    position, before, rng = start, [], Random(f"{seed} {number}")
    for side, seat in seats.items():
        seat.know(position.knowledge(side))
    for ply in range(plies):
        ended = position.outcome or draws.drawn(before, position)
        if ended:
            won = (ended.winner == ours) - (ended.winner == opponent(ours))
            return 0.5 + won / 2, ended.reason, ply
        decision = position.decision
        if ply < len(opened):
            turn = position.parse_turn(opened[ply])
        elif decision is not None and decision.chance:
            turn = drawn(position, rng)
        elif position.side == ours:
            turn = settled(seats[ours], position)[0]
        else:
            turn = position.parse_turn(seats[position.side].turn())
        for side, seat in seats.items():
            seat.see(position.seen(turn, side))
        before.append(position)
        position = position.play(turn)
    return 0.5, "plies", plies


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("game")
    asked.add_argument("level", type=int)
    asked.add_argument("kind", choices=PLAYERS)
    asked.add_argument("--games", type=int, default=10)
    asked.add_argument("--seed", default="L1")
    asked.add_argument("--plies", type=int, default=200)
    told = asked.parse_args()
    points = 0.0
    for number in range(told.games):
        won, why, plies = play(
            rules.load(told.game), told.level, told.kind, number, told.seed, told.plies
        )
        points += won
        told_so_far = [number, won, why, plies, f"{points:g} of {number + 1}"]
        sys.stdout.write(json.dumps(told_so_far) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
