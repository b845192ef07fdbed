"""Grid Chess: every move crosses a line of the grid, and so does every attack."""

import random

import grid_oracle
import orthodox_oracle
import pytest
import random_positions
from refusals import refused

import rules

GAME = rules.load("grid")


def turns(text):
    return {str(turn) for turn in GAME.parse(text).turns()}


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


def test_whoever_stays_in_the_field_is_told_so():
    position = GAME.parse("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1")
    assert refused(position.parse_turn, "e3e4") == ("no-line-crossed", ("e3", "e4"))


def test_kings_may_stand_face_to_face_in_one_field():
    assert not GAME.parse("8/8/8/8/8/8/4k3/4K2R w - - 0 1").in_check
    assert GAME.parse("8/8/8/8/8/8/4k3/4K2R b - - 0 1").outcome is None
    assert "e1d1" not in turns("8/8/8/8/8/8/4k3/4K2R w - - 0 1")  # which he attacks from e2


def test_pawns_promote_by_taking_across_a_line_alone():
    assert turns("3r1r1k/4P3/8/8/8/8/8/4K3 w - - 0 1") >= {"e7d8q"}
    assert not {"e7e8q", "e7f8q"} & turns("3r1r1k/4P3/8/8/8/8/8/4K3 w - - 0 1")


def test_mate_is_mate_only_from_another_field():
    assert GAME.parse("4R2k/8/8/8/8/8/8/K7 b - - 0 1").in_check
    assert not GAME.parse("6Rk/8/8/8/8/8/8/K7 b - - 0 1").in_check
