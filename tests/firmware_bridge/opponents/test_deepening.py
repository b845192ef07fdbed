"""A mind that is asked to analyse tells the best turns, deeper each time, until it is stopped."""

import asyncio

import pytest

import rules
from firmware_bridge.opponents import level_of, protocol
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.seat import Seat
from firmware_bridge.service.seat_process import Opponent
from tests.patience import PATIENCE, in_time, soon

GAMES = ("reversi", "mockery", "indistinguishable", "realm", "reality-check")


def seated(game_id, **options):
    game = rules.load(game_id, **options)
    position = game.start()
    seat = Seat(game, level_of(game_id, LEVELS[-1]).advising(), "1")
    seat.know(position.knowledge(position.side))
    return seat, position


@pytest.mark.parametrize("game_id", GAMES)
def test_three_different_legal_turns_are_told_the_best_first(game_id, monkeypatch):
    monkeypatch.setattr(external, "PROGRAMS", ())
    external.program.cache_clear()
    seat, position = seated(game_id)
    looks = list(seat.deepen(3, nodes=3_000))
    assert len(looks) == 2
    for found in looks:
        turns = [choice.turn for choice in found]
        assert len(set(turns)) == 3
        assert all(position.parse_turn(turn) for turn in turns)
        assert [choice.score for choice in found] == sorted(
            (choice.score for choice in found), reverse=True
        )


@pytest.mark.chess_programs
def test_a_program_tells_three_turns_too():
    seat, position = seated("indistinguishable")
    (found,) = seat.deepen(3, nodes=1_000)
    assert len({str(position.parse_turn(choice.turn)) for choice in found}) == 3


def test_where_fewer_turns_are_legal_fewer_are_told():
    game = rules.load("mockery")
    position = game.parse("7k/8/8/8/8/8/r6r/K7 w - - 0 1 -")
    seat = Seat(game, level_of("mockery", LEVELS[-1]).advising(), "1")
    seat.know(position.knowledge("white"))
    legal = len(list(position.turns()))
    assert all(len(found) == min(3, legal) for found in seat.deepen(3, nodes=1_000))


async def test_its_owner_hears_what_it_thinks_while_it_deepens_until_it_says_stop():
    position = rules.load("reversi").start()
    seating = protocol.Seating("reversi", {}, 5, "1", analyses=True, told=3)
    opponent = await Opponent.start(seating, (protocol.knows(position.knowledge("white")),))
    asked = asyncio.create_task(opponent.think(position, PATIENCE, "nodes 10000000"))
    await soon(lambda: len(opponent.judgements) == 3)
    depth = opponent.judgement.depth
    await soon(lambda: opponent.judgement.depth > depth)
    opponent.tell("stop")
    assert await in_time(asked) in set(position.turns())
    assert not opponent.fault.done()
    await opponent.close()


@pytest.mark.parametrize("limit", ["depth 2", "nodes 500", "infinite"])
async def test_it_is_limited_as_uci_says(limit):
    position = rules.load("mockery").start()
    seating = protocol.Seating("mockery", {}, 5, "1", analyses=True)
    opponent = await Opponent.start(seating, (protocol.knows(position.knowledge("white")),))
    opponent._turn = asyncio.get_running_loop().create_future()
    opponent.tell(f"go {limit}")
    if limit == "infinite":
        await soon(lambda: opponent.judgements)
        opponent.tell("stop")
    assert await in_time(opponent._turn) in set(map(str, position.turns()))
    if limit == "depth 2":
        assert opponent.judgement.depth == 2
    await opponent.close()
