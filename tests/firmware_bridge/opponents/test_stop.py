"""A search that is stopped answers at once, with a turn that may be played."""

import contextlib
import gc
import time

import pytest

import rules
from firmware_bridge.opponents import level_of
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.match import opening
from firmware_bridge.opponents.seat import Seat
from tests.nightly import in_turn

AT_ONCE = 0.1
"""Seconds of the processor, for a machine twice as slow as the one that took 11 ms at most."""


@pytest.mark.parametrize(
    ("kind", "asked"),
    in_turn(
        [
            ("mockery", {}),
            ("realm", {"power": True, "free": True}),
            ("reality-check", {}),
            ("reality-check", {"flexible": True}),
            ("reversi", {}),
        ],
        [1, 3, 20],
    ),
)
def test_a_stopped_search_answers_at_once(kind, asked):
    game_id, options = kind
    position, turns = opening(rules.load(game_id, **options), "1")
    for text in turns[: len(turns) // 2 * 2]:
        position = position.play(position.parse_turn(text))
    answers_at_once(position, asked)


def answers_at_once(position, asked):
    """Stop a search at the highest level when it asks for the so many-th time."""
    looks, stopped_at = 0, None

    def stopped():
        nonlocal looks, stopped_at
        looks += 1
        if looks >= asked and stopped_at is None:
            stopped_at = time.process_time()
        return stopped_at is not None

    seat = Seat(position.game, level_of(position.game.id, LEVELS[-1]), "1", stopped)
    seat.know(position.knowledge(position.side))
    with nothing_collected():
        turn = seat.choose().turn
        took = time.process_time() - (stopped_at or 0)
    assert position.parse_turn(turn)
    assert stopped_at is not None
    assert took < AT_ONCE


@contextlib.contextmanager
def nothing_collected():
    """Keep the garbage of the tests before from being looked through meanwhile."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("asked", [1, 2, 10, 30, 60])
@pytest.mark.parametrize(
    ("game_id", "text"),
    [
        ("reality-check", "pb/3/5/2nn4/7/7/1NPBPNB1/RR2/BB w -/- - - - 30"),
        ("realm", "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1"),
        ("mockery", "4k3/4p3/8/8/8/8/4P3/4K2R w - - 0 1 -"),
    ],
)
def test_an_endgame_being_solved_is_stopped_at_once(game_id, text, asked):
    answers_at_once(rules.load(game_id).parse(text), asked)
