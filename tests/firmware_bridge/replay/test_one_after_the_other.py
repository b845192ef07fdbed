"""Pieces that are moved one after the other on reeds: each is known, being alone in the air."""

import pytest


@pytest.mark.parametrize("game", ["indistinguishable", "reversi", "mockery"])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_each_goes_back_to_where_it_stood(board, game, tier):
    found = board(game, None, tier, clock=True).carry("f2", "h4").carry("e1", "f2").end(9).replay()
    steps = [(step["from"], step["to"]) for step in found.last["restore"]]
    assert steps == [("f2", "e1"), ("h4", "f2")]


@pytest.mark.parametrize("game", ["reversi", "mockery"])
@pytest.mark.parametrize("lag", [0.05, 0.5])
def test_what_came_while_another_left_is_not_known(board, game, lag):
    b = board(game, clock=True).carry("f2", "h4").off("e1").put("f2", "e1").off("g1", lag)
    assert ("f2" in b.end(0.5).replay().last["cells"]) == (lag == 0.5)
