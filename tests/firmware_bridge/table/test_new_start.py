"""The start set up again in mid-game: everyone is told what a press would do."""

import pytest

from tests.firmware_bridge.table.driving import Driven


def set_up_again(driven):
    driven.play("e2e4", "e7e5", "g1f3")
    for source, target in (("f3", "g1"), ("e5", "e7"), ("e4", "e2")):
        driven.carry(source, target)
    driven.wait(3)


@pytest.mark.parametrize("game", ["reversi", "mockery", "indistinguishable"])
def test_the_headline_offers_the_new_game_until_a_piece_is_elsewhere(game):
    driven = Driven(game)
    set_up_again(driven)
    assert [want.key for want in driven.view.wants] == ["want-new-start"]
    driven.carry("d2", "d5")
    driven.wait(3)
    assert "want-new-start" not in [want.key for want in driven.view.wants]


def test_it_is_offered_after_a_crash_too():
    driven = Driven("reversi")
    set_up_again(driven)
    again = driven.resumed()
    again.press("black")
    again.carry("a2", "a3")
    again.carry("a3", "a2")
    again.wait(3)
    assert [want.key for want in again.view.wants] == ["want-new-start"]
