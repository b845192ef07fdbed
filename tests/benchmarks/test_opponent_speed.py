"""How long a level thinks and what it needs: `pytest --benchmark-only -k opponent_speed`.

A turn's time is what the search took of the processor, so that a busy machine tells the same.
"""

import asyncio
import time
from pathlib import Path

import pytest

import rules
from firmware_bridge.opponents import level_of, protocol
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.match import opening
from firmware_bridge.opponents.seat import Seat
from firmware_bridge.service.seat_process import Opponent

GAMES = ("indistinguishable", "mockery", "reality-check", "realm", "reversi")
P95_S = {1: 0.4, 2: 0.4, 3: 0.4, 4: 1.0} | dict.fromkeys(LEVELS[4:], 2.0)
TURNS = 40
MOST_KB = 150 * 1024

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(autouse=True)
def our_own_search(monkeypatch):
    monkeypatch.setattr(external, "PROGRAMS", ())


def opened(game_id):
    game = rules.load(game_id)
    position, turns = opening(game, "speed")
    for text in turns:
        position = position.play(position.parse_turn(text))
    return position


def times(game_id, level):
    """Seconds of the processor for each turn of a level against itself, sorted."""
    position, taken = opened(game_id), []
    seat = Seat(position.game, level_of(game_id, level), "1")
    while len(taken) < TURNS and position.outcome is None:
        seat.know(position.knowledge(position.side))
        began = time.process_time()
        text = seat.choose().turn
        taken.append(time.process_time() - began)
        position = position.play(position.parse_turn(text))
    return sorted(taken)


@pytest.mark.parametrize("level", P95_S)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_turn_takes_no_longer(benchmark, game_id, level):
    taken = benchmark.pedantic(lambda: times(game_id, level), rounds=1, iterations=1)
    p95 = taken[int(0.95 * (len(taken) - 1))]
    benchmark.extra_info.update(median_s=round(taken[len(taken) // 2], 3), p95_s=round(p95, 3))
    assert p95 <= P95_S[level]


def most_of(process):
    """The most memory that a process ever had, in kB."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


async def needed(game_id):
    """The most memory of a process that plays a few turns at the highest level."""
    position = opened(game_id)
    opponent = await Opponent.start(protocol.Seating(game_id, {}, LEVELS[-1], "1"))
    for _ in range(8):
        opponent.tell(protocol.knows(position.knowledge(position.side)))
        position = position.play(await opponent.think(position, ceiling_s=100))
    most = most_of(opponent._process)
    await opponent.close()
    return most


@pytest.mark.parametrize("game_id", GAMES[1:])
def test_it_needs_no_more_memory(benchmark, game_id):
    most_kb = benchmark.pedantic(lambda: asyncio.run(needed(game_id)), rounds=1, iterations=1)
    benchmark.extra_info["most_mb"] = most_kb // 1024
    assert most_kb <= MOST_KB


@pytest.mark.parametrize("kind", ["killed", "stopped"])
def test_its_owner_is_told_within_a_second(benchmark, kind):
    async def told():
        opponent = await Opponent.start(protocol.Seating("reversi", {}, 5, "1"))
        opponent.tell(protocol.knows(rules.load("reversi").start().knowledge("white")))
        await asyncio.sleep(1)
        began = time.perf_counter()
        opponent._process.send_signal(9 if kind == "killed" else 19)
        await opponent.fault
        took = time.perf_counter() - began
        await opponent.close()
        return took

    took = benchmark.pedantic(lambda: asyncio.run(told()), rounds=1, iterations=1)
    benchmark.extra_info["took_s"] = round(took, 3)
    assert took < 1
