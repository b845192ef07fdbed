"""How long one turn takes to be on disk: what a press waits for before its tone.

Run with `pytest tests/benchmarks/test_journal_speed.py --benchmark-only`, with `--basetemp` on the
disk in question. In memory nothing has to be synced: what is left there is SQLite's and ours. The
tail is the disk's: it is waited for in a thread, so that nothing else waits with it.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import pytest

from firmware_bridge.diagnostics.stopwatch import quantile
from firmware_bridge.journal import Journal
from firmware_bridge.messages.records import Record

TURNS = 400
MEMORY = Path("/dev/shm")


def seconds_of(folder):
    """Return how long each of many turns took to be written down."""
    journal = Journal(folder)
    game = journal.new_game()
    seconds = []
    for number in range(TURNS):
        record = Record(number, "taken", {"turn": "e2e4", "by": "press", "left_ms": 300_000})
        begun = perf_counter()
        journal.append(game, [record])
        seconds.append(perf_counter() - begun)
    journal.close()
    return seconds


@pytest.mark.benchmark(group="journal")
@pytest.mark.parametrize("place", ["disk", "memory"])
def test_a_turn_is_on_disk(benchmark, tmp_path, place):
    if place == "memory" and not MEMORY.is_dir():
        pytest.skip("has no file system in memory")
    with TemporaryDirectory(dir=MEMORY if place == "memory" else tmp_path) as folder:
        seconds = benchmark.pedantic(lambda: seconds_of(Path(folder)), rounds=1)
    ms = sorted(1000 * second for second in seconds)
    for name, share in (("median_ms", 0.5), ("p99_ms", 0.99), ("max_ms", 1.0)):
        benchmark.extra_info[name] = round(quantile(ms, share), 3)
    assert len(ms) == TURNS
