"""Grid Chess: every move crosses a line of the grid, and so does every attack."""

import random

import grid_oracle
import orthodox_oracle
import pytest
import random_positions

import rules

GAME = rules.load("grid")


@pytest.mark.parametrize("seed", range(60))
def test_the_slow_twin_finds_the_same_turns_and_checks(seed):
    source = random.Random(seed)
    make = random_positions.played if seed % 2 else random_positions.thrown
    position = make(GAME, source)
    state = orthodox_oracle.parse(str(position))
    if position.outcome is None or position.outcome.reason != "bare-kings":
        assert {str(turn) for turn in position.turns()} == grid_oracle.legal(state)
    king = orthodox_oracle.king_square(state.board, state.side)
    enemy = orthodox_oracle.other(state.side)
    assert position.in_check == grid_oracle.attacked(state.board, king, enemy)
