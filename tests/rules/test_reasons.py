"""Why not: the reason and the squares for every way in which a move as in chess can be wrong."""

import pytest
from refusals import refused

import rules

GAME = rules.load("indistinguishable")


@pytest.mark.parametrize("game_id", ["indistinguishable", "reversi", "mockery"])
def test_play_refuses_a_turn_of_another_position(game_id):
    start = rules.load(game_id).start()
    turn = start.parse_turn("e2e4")
    assert refused(start.play(turn).play, turn)[0] == "empty-square"


def test_play_takes_the_turn_of_another_game_by_its_text():
    turn = rules.load("reversi").start().parse_turn("e2e4")
    assert GAME.start().play(turn) == GAME.start().play(GAME.start().parse_turn("e2e4"))
