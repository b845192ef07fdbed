"""Every legal turn with its result, and the outcome, against slow twins that share no code."""

import random
from types import SimpleNamespace

import mockery_oracle
import orthodox_oracle
import pytest
import random_positions
import reversi_oracle
from kept_answers import the_twin_agrees

import rules
from tests.nightly import few


def orthodox_turns(text):
    state = orthodox_oracle.parse(text)
    return {move: orthodox_oracle.show(after) for move, after in orthodox_oracle.legal(state)}


def orthodox_outcome(text):
    state = orthodox_oracle.parse(text)
    if orthodox_turns(text):
        return None
    if orthodox_oracle.safe(state, state.side):
        return (None, "stalemate")
    return ({"w": "black", "b": "white"}[state.side], "checkmate")


ORACLES = {
    "indistinguishable": SimpleNamespace(turns=orthodox_turns, outcome=orthodox_outcome),
    "reversi": reversi_oracle,
    "mockery": mockery_oracle,
}


def assert_exact(position):
    oracle, text = ORACLES[position.game.id], str(position)
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


@pytest.mark.parametrize("game_id", ORACLES)
def test_positions_from_random_play_are_exact(game_id):
    for seed in range(few(36)):
        assert_exact(random_positions.played(rules.load(game_id), random.Random(seed)))


@pytest.mark.parametrize("game_id", ORACLES)
def test_thrown_positions_are_exact(game_id):
    for seed in range(few(75)):
        assert_exact(random_positions.thrown(rules.load(game_id), random.Random(seed)))
