"""How long it takes to answer an illegal attempt does not tell whose the pieces are.

Time itself says more about what else a machine does than about a position; so what is counted is
what takes the time, the calls of functions from the first lift to the press, which come out the
same on every machine. The test is Mann and Whitney's, with its usual normal approximation.
"""

import itertools
import math
import os
import statistics
import sys

from firmware_bridge.reconciler.preparation import wholly
from tests.firmware_bridge.secrets.test_indistinguishable_pairs import alike, worlds
from tests.firmware_bridge.secrets.worlds import chooser, table

PAIRS = 1000 if os.environ.get("FIRMWARE_BRIDGE_NIGHTLY") else 150
CONDUCT = {"sealed": True, "tier": "identity"}
CHANCE = 0.01


def calls_of(act):
    """Return how many functions are called meanwhile."""
    called = itertools.count()

    def note(_, event, __):
        if event == "call":
            next(called)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return next(called)


def attempt(position, source, target):
    """Return what it takes to judge this movement of a hand, and the press after it."""
    world = table("indistinguishable", position, **CONDUCT)
    wholly(world.table.reconciler.prepare())
    held = world.readings.get(source)

    def act():
        for square in sorted({source, target} & world.readings.keys()):
            world.cell(square, None)
        world.cell(target, held)
        world.press(position.side)

    return calls_of(act)


def mann_whitney(first, second):
    """Return how likely two samples as different as these are, if nothing tells them apart."""
    ranks, seen, ties = {}, 0, 0
    both = sorted([*first, *second])
    for value, group in itertools.groupby(both):
        count = len(list(group))
        ranks[value] = seen + (count + 1) / 2
        seen, ties = seen + count, ties + count**3 - count
    one, two, all_ = len(first), len(second), len(both)
    u = sum(ranks[value] for value in first) - one * (one + 1) / 2
    spread = math.sqrt(one * two / 12 * (all_ + 1 - ties / (all_ * (all_ - 1))))
    return math.erfc(abs(u - one * two / 2) / spread / math.sqrt(2))


def test_the_test_tells_samples_apart_that_differ():
    same = list(range(100))
    assert mann_whitney(same, same) == 1
    assert mann_whitney(same, [value + 40 for value in same]) < CHANCE
    # All of one below all of the other: 12.5 from the middle, with a spread of sqrt(275 / 12).
    by_hand = math.erfc(12.5 / math.sqrt(275 / 12) / math.sqrt(2))
    assert math.isclose(mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), by_hand)


def test_the_work_behind_an_answer_does_not_depend_on_whose_the_pieces_are():
    found = {"one": [], "other": []}
    for seed in itertools.count():
        if len(found["one"]) == PAIRS:
            break
        random = chooser("time", seed)
        pair = worlds(random)
        movement = alike(random, pair, "ruled", CONDUCT)
        if movement is None:
            continue
        source, target, _ = movement
        for name, position in zip(("one", "other"), pair, strict=True):
            found[name].append(attempt(position, source, target))
    assert statistics.median(found["one"]) > 100  # something was judged
    assert mann_whitney(found["one"], found["other"]) > CHANCE
