"""Touch-move: what was touched before a game begins, or for the arbiter, is free."""

import pytest

from tests.firmware_bridge.table.driving import Driven


def moves(driven, source, target):
    driven.carry(source, target)
    driven.press("white")
    assert driven.turns == [f"{source}{target}"]


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_what_was_adjusted_before_the_game_is_not_touched_in_it(tier):
    driven = Driven("reversi", tier=tier, begin=False, settings={"touch_move": True})
    driven.set_up(after=0)
    driven.carry("d2", "d2")
    driven.press("black")
    moves(driven, "e2", "e4")


def test_who_is_put_to_rights_by_the_arbiter_has_touched_nothing():
    driven = Driven("reversi", tier="identity", settings={"touch_move": True})
    driven.play("e2e4")
    driven.press("adjust")
    driven.carry("d7", "d7")
    driven.say("set-position", None, position=str(driven.start), reason="a slip")
    driven.press("adjust")
    driven.carry("e4", "e2")
    driven.press("white")
    moves(driven, "g1", "f3")
