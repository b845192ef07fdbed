"""A search that is stopped answers at once, with a turn that may be played."""

import time

import pytest

import rules
from firmware_bridge.opponents import level_of
from firmware_bridge.opponents.match import opening
from firmware_bridge.opponents.seat import Seat

AT_ONCE = 0.1
"""Seconds of the processor, for a machine twice as slow as the one that took 11 ms at most."""


@pytest.mark.parametrize("asked", [1, 3, 20])
@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("mockery", {}),
        ("realm", {"power": True, "free": True}),
        ("reality-check", {}),
        ("reality-check", {"flexible": True}),
        ("reversi", {}),
    ],
)
def test_a_stopped_search_answers_at_once(game_id, options, asked):
    game = rules.load(game_id, **options)
    position, turns = opening(game, "1")
    for text in turns[: len(turns) // 2 * 2]:
        position = position.play(position.parse_turn(text))
    looks, stopped_at = 0, None

    def stopped():
        nonlocal looks, stopped_at
        looks += 1
        if looks >= asked and stopped_at is None:
            stopped_at = time.process_time()
        return stopped_at is not None

    seat = Seat(game, level_of(game_id, 5), "1", stopped)
    seat.know(position.knowledge(position.side))
    turn = seat.choose().turn
    assert position.parse_turn(turn)
    assert stopped_at is not None
    assert time.process_time() - stopped_at < AT_ONCE
