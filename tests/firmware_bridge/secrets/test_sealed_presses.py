"""Indistinguishable Chess, sealed: whatever the contacts told before it, a press tells nothing.

A movement that is legal in one of two worlds is made; besides, contacts open and close as they
never should, in any order. Where the press takes a turn in one world alone, it costs in the other.
"""

from contextlib import suppress

import pytest

from tests.firmware_bridge.secrets import test_indistinguishable_pairs as owners
from tests.firmware_bridge.secrets.test_any_hands import Parted
from tests.firmware_bridge.secrets.test_any_phase import Owners
from tests.firmware_bridge.secrets.worlds import chooser, table
from tests.nightly import NIGHTLY

PARTS = 4
PAIRS = 20_000 if NIGHTLY else 160
FOUND = (436, 1882, 1978, 2248, 2806, 3054, 3070, 3456, 4552)
"""Pairs that differed once: captures of what is not read, what comes down after the press."""
PACES = (0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 1.0)
"""Seconds from one contact to the next."""


def movement(random, positions):
    """Return from where to where a turn goes, one that is legal in one world alone, if there is."""
    here, there = ({str(turn)[:4] for turn in position.turns()} for position in positions)
    move = random.choice(sorted(here - there or here if random.random() < 0.8 else here))
    return move[:2], move[2:]


def contacts(random, source, target):
    """Return which cells open and close (`True`) in which order, a movement among it."""
    told = [(source, False), (target, True)]
    if random.random() < 0.5:
        told.insert(0, (target, False))
    squares = [source, target, *random.sample(sorted(owners.GAME.squares), 2)]
    for closes in [False] * random.choice([0, 0, 1, 2]) + [True] * random.choice([0, 0, 1]):
        told.insert(random.randint(0, len(told)), (random.choice(squares), closes))
    if random.random() < 0.4:
        random.shuffle(told)
    return told


def press(seed):
    random = chooser("sealed press", seed)
    starts = owners.worlds(random)
    random.shuffle(starts)
    conduct = {"sealed": True, "buttons": True, "tier": random.choice(["occupancy", "identity"])}
    pair = Owners(*(table("indistinguishable", start, **conduct) for start in starts))
    side, (source, target) = pair.positions[0].side, movement(random, pair.positions)
    piece = [world.readings[source] for world in pair.worlds]
    for cell, closes in contacts(random, source, target):
        pair.pace = random.choice(PACES)
        if closes:
            pair.cell(cell, piece if random.random() < 0.8 else [True, True])
        elif cell in pair.worlds[0].readings:
            pair.lift(cell)
        if random.random() < 0.1:
            pair.press(side)
    pair.later(random.choice([0.0, 0.05, 0.2, 0.5, 1.5]))
    pair.press(side)
    pair.pass_time(random.choice([0.2, 1.0, 4.0]))
    pair.same()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_sealed_press_tells_for_nothing_no_owner_whatever_was_felt_before_it(part):
    for seed in [*range(PAIRS), *FOUND][part::PARTS]:
        with suppress(Parted):
            press(seed)
