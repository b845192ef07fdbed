"""How long all legal turns of a position take, results included, over 1,000 random positions.

The figure to hold is the p99 in the extra information: 15 ms.
"""

from itertools import islice
from statistics import quantiles
from time import perf_counter

import pytest
from reality_check_walks import option_name, walk

from rules.games.reality_check import GAME


def sample(options, count):
    game = GAME(**options)
    found = []
    seed = 0
    while len(found) < count:
        found += islice(walk(game, f"speed {seed}", plies=200), count - len(found))
        seed += 1
    return found


def every_turn(position):
    fresh = type(position)(position.game, position.state)
    return [fresh.play(turn) for turn in fresh.turns()]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"retreat": True, "memory": True},
        {"flexible": True, "memory": True},
        {"board": "advanced"},
    ],
    ids=option_name,
)
def test_all_turns_with_results(benchmark, options):
    positions = sample(options, 1000)
    times = []

    def measure():
        for position in positions:
            begin = perf_counter()
            every_turn(position)
            times.append(perf_counter() - begin)

    benchmark.pedantic(measure, rounds=1)
    cuts = quantiles(times, n=100)
    benchmark.extra_info["median_ms"] = round(cuts[49] * 1000, 3)
    benchmark.extra_info["p99_ms"] = round(cuts[98] * 1000, 3)
    benchmark.extra_info["most_turns"] = max(len(every_turn(position)) for position in positions)
