"""What holds the event loop longest while each game is played: nothing else is served meanwhile.

Run with `pytest tests/benchmarks/test_loop.py --benchmark-only`. An evening with visitors is played
in virtual time, and the processor's time for every callback is taken; what the service gives to
threads does not count, nor what it does before it begins to serve. The figure to hold is 5 ms.
"""

import asyncio
import gc
from time import thread_time

import pytest

from tests.evenings.evening import GAMES, Evening
from tests.evenings.instant import InstantLoop

PARTS = ("tests.", "Evening", "Far")
"""What belongs to the world around the service and not to it."""


class Stopwatch:
    """Takes the time of every callback of a loop, without what is done in threads."""

    def __init__(self, patch):
        self.aside, self.longest = 0.0, (0.0, "")
        callback, thread = asyncio.Handle._run, InstantLoop.run_in_executor

        def run(handle):
            name, begun, aside = name_of(handle), thread_time(), self.aside
            callback(handle)
            took = thread_time() - begun - (self.aside - aside)
            if not any(part in name for part in PARTS):
                self.longest = max(self.longest, (took, name))

        def run_in_executor(*asked):
            begun = thread_time()
            try:
                return thread(*asked)
            finally:
                self.aside += thread_time() - begun

        patch.setattr(asyncio.Handle, "_run", run)
        patch.setattr(InstantLoop, "run_in_executor", run_in_executor)


def name_of(handle):
    """Return what a callback belongs to: the task that it goes on with, if it does."""
    task = getattr(handle._callback, "__self__", None)
    if not isinstance(task, asyncio.Task):
        return repr(handle._callback)
    return f"{task.get_name()} {getattr(task.get_coro(), '__qualname__', '')}"


@pytest.mark.timeout(300)
@pytest.mark.benchmark(group="loop")
@pytest.mark.parametrize("number", range(len(GAMES)), ids=GAMES)
def test_nothing_holds_the_loop(benchmark, tmp_path, monkeypatch, number):
    watch = Stopwatch(monkeypatch)
    evening = Evening(number + len(GAMES), tmp_path, monkeypatch, plan=[(3, "visitors")], doings=[])
    gc.collect()
    gc.freeze()  # as the service does before it serves
    benchmark.pedantic(evening.run, rounds=1)
    gc.unfreeze()
    took, name = watch.longest
    benchmark.extra_info["longest_ms"] = round(1000 * took, 2)
    benchmark.extra_info["longest"] = name
    assert len(evening.taken) >= 12
