"""How long the computer thinks about a turn of Realm Chess, over all sets of options.

The figures are the p95 in the extra information, to be held on one core: levels 1 to 3, 0.4 s; 4,
1 s; 5, 2 s. Processor time is taken, so that other work on the machine does not count.
"""

import random
from statistics import quantiles
from time import process_time

import pytest
import realm_walks

import rules
from firmware_bridge.opponents.levels import levels_of
from firmware_bridge.opponents.seat import Seat

COUNT = 6
"""Positions for each set of options, from games of level 2 against itself."""
LEVELS = levels_of("realm")


def chosen(position, level):
    seat = Seat(position.game, level, "1")
    seat.know(position.knowledge(position.side))
    return position.parse_turn(seat.choose().turn)


@pytest.fixture(scope="module")
def positions():
    """Positions of all stages of games, found once."""
    source = random.Random(1)
    found = []
    for options in realm_walks.OPTIONS:
        met = []
        position = rules.load("realm", **options).start()
        for ply in range(40):
            if position.outcome is not None:
                break
            met.append(position)
            turn = realm_walks.random_turn(position, source) if ply < 4 else None
            position = position.play(turn or chosen(position, LEVELS[1]))
        found += source.sample(met, COUNT)
    return found


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: f"level {level.number}")
def test_a_turn(benchmark, positions, level):
    times = []

    def run():
        for position in positions:
            begin = process_time()
            chosen(position.game.parse(str(position)), level)
            times.append(process_time() - begin)

    benchmark.pedantic(run, rounds=1)
    cuts = quantiles(times, n=20)
    benchmark.extra_info["median_s"] = round(cuts[9], 3)
    benchmark.extra_info["p95_s"] = round(cuts[18], 3)
    benchmark.extra_info["max_s"] = round(max(times), 3)
    benchmark.extra_info["asked"] = len(times)
