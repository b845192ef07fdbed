"""Touch-move: the own piece touched first must move, whatever was said or tried in between."""

import pytest

from tests.firmware_bridge.table.driving import Driven

TIERS = pytest.mark.parametrize("tier", ["occupancy", "identity"])


def playing(tier, **settings):
    return Driven("reversi", tier=tier, settings={"touch_move": True, **settings})


def refuses(driven, source="e2", target="e4"):
    """Try another piece, see that it is refused, and put it back."""
    driven.carry(source, target)
    driven.press("white")
    driven.wait(1)
    assert not driven.table.state.played
    assert driven.view.judged.reason == "touched-piece"
    driven.carry(target, source)
    assert driven.view.phase == "playing"


def moves(driven, source="d2", target="d4"):
    driven.carry(source, target)
    driven.press("white")
    assert [str(played.turn) for played in driven.table.state.played] == [f"{source}{target}"]


@TIERS
def test_it_must_move_after_another_piece_was_put_back_too(tier):
    driven = playing(tier)
    driven.carry("d2", "d2")
    refuses(driven)
    refuses(driven)
    moves(driven)


@TIERS
def test_it_must_move_after_an_illegal_attempt_with_it(tier):
    driven = playing(tier)
    driven.carry("d2", "d5")
    driven.press("white")
    driven.wait(1)
    driven.carry("d5", "d2")
    refuses(driven)
    moves(driven)


@TIERS
@pytest.mark.parametrize("said", ["offer-draw", "adjust", "pause"])
def test_nothing_that_is_said_makes_it_free_again(tier, said):
    driven = playing(tier)
    driven.carry("d2", "d2")
    driven.say(said, "white")
    driven.carry("g1", "g1")
    if said == "adjust":
        driven.say("adjust", "white")
    if said == "pause":
        driven.say("resume", "white")
    refuses(driven)
    moves(driven)


@TIERS
@pytest.mark.parametrize("end", ["button", "press", "other player"])
def test_who_adjusts_has_touched_nothing(tier, end):
    driven = playing(tier)
    driven.press("adjust")
    driven.carry("d2", "d2")
    driven.carry("b1", "b1")
    if end == "button":
        driven.press("adjust")
    elif end == "other player":
        driven.say("adjust", "black")
    moves(driven, "e2", "e4")


@TIERS
def test_what_was_adjusted_before_the_game_is_not_touched_in_it(tier):
    driven = Driven("reversi", tier=tier, begin=False, settings={"touch_move": True})
    for cell, label in driven.start.placement.items():
        driven.cell(cell, driven.reading(label), after=0)
    driven.carry("d2", "d2")
    driven.press("black")
    moves(driven, "e2", "e4")


@TIERS
def test_a_piece_that_cannot_move_need_not(tier):
    driven = playing(tier)
    driven.carry("a1", "a1")
    moves(driven, "e2", "e4")


def test_who_is_put_to_rights_by_the_arbiter_has_touched_nothing():
    driven = playing("identity")
    driven.play("e2e4")
    driven.press("adjust")
    driven.carry("d7", "d7")
    driven.say("set-position", None, position=str(driven.start), reason="a slip")
    driven.press("adjust")
    driven.carry("e4", "e2")
    driven.press("white")
    moves(driven, "g1", "f3")
