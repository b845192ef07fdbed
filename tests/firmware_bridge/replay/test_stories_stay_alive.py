"""Without a clock every reading of the turn taken last lives until the reply to it is whole."""

import pytest

GAMES = ["indistinguishable", "reversi", "mockery", "realm"]
TIERS = ["occupancy", "identity"]
KNIGHT = "4k3/8/8/3n2P1/8/8/8/4K3 b - - 0 1"
every_board = [
    pytest.mark.parametrize("tier", TIERS),
    pytest.mark.parametrize("game", GAMES),
]


def men(board, game, text, tier, **settings):
    return board(game, text + (" -" if game == "mockery" else ""), tier, **settings)


def everywhere(test):
    for mark in every_board:
        test = mark(test)
    return test


@everywhere
def test_second_thoughts_twice_over_and_back_again(board, game, tier):
    b = men(board, game, KNIGHT, tier)
    b.carry("d5", "f6").end(1).carry("f6", "d5", "b6").end(1).carry("b6", "d5", "f6").end(1)
    found = b.off("f6").off("g5").put("f6", "g5").end().replay()
    assert found.stand == ("d5f6", "g5f6")
    assert found.quiet
