"""How long a table thinks about one event."""

import itertools

import pytest

from drivers.port import CellEvent
from firmware_bridge.reconciler.preparation import wholly
from firmware_bridge.table import Table
from tests.firmware_bridge.table.driving import Driven
from tests.sample import SAMPLE


@pytest.mark.benchmark(group="table")
@pytest.mark.parametrize("game", SAMPLE)
def test_one_cell_event(benchmark, game):
    """A piece lifted and put back, as the whole table takes it: verdict, referee, lights."""
    driven = Driven(game)
    driven.random_turns(seed=1, count=4)
    wholly(driven.table.reconciler.prepare())
    square, reading = next(iter(driven.readings.items()))
    readings = itertools.cycle([None, reading])
    clock = itertools.count(driven.t + 1)
    benchmark(lambda: driven.table.feed(CellEvent(float(next(clock)), square, next(readings))))


@pytest.mark.benchmark(group="views")
@pytest.mark.parametrize("game", SAMPLE)
def test_one_public_view(benchmark, game):
    driven = Driven(game)
    driven.random_turns(seed=1, count=4)
    benchmark(lambda: driven.view)


@pytest.mark.benchmark(group="journal")
def test_coming_back_after_a_hundred_turns(benchmark):
    driven = Driven("reversi", settings={"time": "90m"})
    driven.random_turns(seed=2, count=100)
    records = driven.table.records
    benchmark(lambda: Table.resume(records, driven.sensing, now=0.0, standing=driven.readings))
