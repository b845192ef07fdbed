"""How long it takes to answer an illegal attempt does not tell whose the pieces are.

Time itself says more about what else a machine does than about a position; so what is counted is
what takes the time, the calls of functions from the first lift to the press, which come out the
same on every machine. At night the running service is timed too, both worlds in turn, from the
press to the answer that a stranger gets. The test is Mann and Whitney's, with its usual normal
approximation.
"""

import cProfile
import itertools
import math
import statistics
import sys
import time

import pytest

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.reconciler.preparation import wholly
from rules.values import opponent
from tests.firmware_bridge.pages.app_help import pages_at
from tests.firmware_bridge.secrets.test_indistinguishable_pairs import alike, worlds
from tests.firmware_bridge.secrets.worlds import chooser, table
from tests.nightly import NIGHTLY, at_night

PAIRS = 1000 if NIGHTLY else 30
PRESSES = 300
CONDUCT = {"sealed": True, "tier": "identity"}
CHANCE = 0.01


def calls_of(act):
    """Return how many functions are called meanwhile."""
    counter = cProfile.Profile(builtins=False)
    counter.runcall(act)
    return sum(function.callcount for function in counter.getstats())


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
        world.wait(1.0)

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
    found = [], []
    for pair, source, target in itertools.islice(attempts(CONDUCT), PAIRS):
        for calls, position in zip(found, pair, strict=True):
            calls.append(attempt(position, source, target))
    assert statistics.median(found[0]) > 100  # something was judged
    assert mann_whitney(*found) > CHANCE


def attempts(conduct):
    """Yield positions that differ in owners, with a movement that is illegal alike in both."""
    for seed in itertools.count():
        random = chooser("time", seed)
        pair = worlds(random)
        movement = alike(random, pair, "ruled", conduct)
        if movement is not None:
            yield pair, *movement[:2]


async def answered_in(hands, browser, position, source, target):
    """Return the milliseconds from a press in this position to what a stranger is told of it."""
    settings = GameSettings.of({"time": "45m", "sealed": True, "press": True})
    await hands.controller.begin(
        Agreement("indistinguishable", settings=settings, position=str(position))
    )
    hands.t += 1
    await hands.controller.submit(Snapshot(hands.t, dict.fromkeys(position.placement, True)))
    await hands.press(opponent(position.side))
    for square in sorted({source, target} & position.placement.keys()):
        await hands.feel(square, None)
    await hands.feel(target, True)
    began = time.perf_counter()
    await hands.press(position.side)
    await hands.wait(1.0)
    answer = await browser.get("/api/v1/state")
    took = time.perf_counter() - began
    assert answer.json()["phase"] == "restoring"
    return 1000 * took


@at_night("it times, which takes a quiet machine")
@pytest.mark.timeout(1800)
async def test_the_running_service_answers_a_press_as_soon_in_either_world(tmp_path, capsys):
    found, random = ([], []), chooser("order")
    async with pages_at(tmp_path, "indistinguishable") as (hands, browser):
        conduct = {"sealed": True, "tier": "occupancy"}
        for pair, source, target in itertools.islice(attempts(conduct), PRESSES):
            both = list(zip(found, pair, strict=True))
            random.shuffle(both)
            for times, position in both:
                times.append(await answered_in(hands, browser, position, source, target))
    medians = [statistics.median(times) for times in found]
    likely = mann_whitney(*found)
    with capsys.disabled():
        told = " and ".join(f"{median:.3f}" for median in medians)
        sys.stdout.write(f"\n{PRESSES} presses in each world: {told} ms, p = {likely:.2f}\n")
    assert likely > CHANCE
