"""Every legal turn with its result, and the outcome, against slow twins that share no code."""

import random

import pytest
import random_positions
from kept_answers import the_twin_agrees
from twins import TWINS

import rules
from tests.nightly import few


def assert_exact(position):
    oracle, text = TWINS[position.game.id], str(position)
    outcome = position.outcome
    if outcome is not None and outcome.reason == "insufficient-material":
        assert list(position.turns()) == []
        return
    turns = {str(turn): str(position.play(turn)) for turn in position.turns()}
    assert the_twin_agrees(
        [turns, outcome and (outcome.winner, outcome.reason)],
        *(position.game.id, text),
        ask=lambda: [oracle.turns(text), oracle.outcome(text)],
    )


@pytest.mark.parametrize("game_id", TWINS)
def test_positions_from_random_play_are_exact(game_id):
    for seed in range(few(36)):
        assert_exact(random_positions.played(rules.load(game_id), random.Random(seed)))


@pytest.mark.parametrize("game_id", TWINS)
def test_thrown_positions_are_exact(game_id):
    for seed in range(few(75)):
        assert_exact(random_positions.thrown(rules.load(game_id), random.Random(seed)))
