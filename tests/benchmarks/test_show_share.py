"""What a kiosk's show takes of a core, pauses included: `pytest --benchmark-only -k show_share`."""

import asyncio
import itertools
import os
import resource
import time
from contextlib import aclosing

import pytest

from firmware_bridge.service import exhibition as shows
from tests.sample import SAMPLE

TURNS = 12
MOST = 0.5
"""Of a Raspberry Pi 4, which is taken as four times slower than this machine."""
SLOWER = 4.0


def used():
    """Seconds of the processor, of this process and of those that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


async def shown():
    """Watch so many turns of a show as one would."""
    turns = itertools.count(1)
    async with aclosing(shows.exhibition()) as show:
        async for frame in show:
            await asyncio.sleep(frame.seconds)
            if frame.turn and next(turns) == TURNS:
                return


@pytest.mark.parametrize("game", SAMPLE)
def test_a_show_leaves_half_a_core_of_a_pi(benchmark, monkeypatch, game):
    monkeypatch.setattr(shows, "_drawn", lambda: itertools.repeat(game))
    began, before = time.monotonic(), used()
    benchmark.pedantic(lambda: asyncio.run(shown()), rounds=1, iterations=1)
    share = (used() - before) / (time.monotonic() - began)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    benchmark.extra_info.update(share=round(share, 3), children_kb=memory)
    assert share * SLOWER <= MOST
