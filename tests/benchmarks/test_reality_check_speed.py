"""How long a position takes, over 1,000 from random play.

Measured are all legal turns with their results, and the preparation for explaining what the board
shows. The figure to hold is the p99 in the extra information: 15 ms.
"""

from itertools import islice
from statistics import quantiles
from time import perf_counter

import pytest
from reality_check_walks import option_name, walk

from firmware_bridge.games import metadata
from rules.games.reality_check import GAME


def sample(options, count):
    game = GAME(**options)
    found = []
    seed = 0
    while len(found) < count:
        found += islice(walk(game, f"speed {seed}", plies=200), count - len(found))
        seed += 1
    return found


OPTIONS = [{}, *metadata.of(GAME.id).variants]
"""The default, and what is often chosen together."""


def fresh(position):
    """The same position, with nothing worked out yet."""
    return type(position)(position.game, position.state)


def every_turn(position):
    return [position.play(turn) for turn in position.turns()]


def explained(position):
    return position.explainer()


@pytest.mark.parametrize("options", OPTIONS, ids=option_name)
@pytest.mark.parametrize("work", [every_turn, explained])
def test_time_per_position(benchmark, options, work):
    positions = sample(options, 1000)
    times = []

    def measure():
        for position in map(fresh, positions):
            begin = perf_counter()
            work(position)
            times.append(perf_counter() - begin)

    benchmark.pedantic(measure, rounds=1)
    cuts = quantiles(times, n=100)
    benchmark.extra_info["median_ms"] = round(cuts[49] * 1000, 3)
    benchmark.extra_info["p99_ms"] = round(cuts[98] * 1000, 3)
    benchmark.extra_info["most_turns"] = max(sum(1 for _ in p.turns()) for p in positions)
