"""Where no time runs, to move is enough: a press ends a turn at once, and nobody needs it.

With touch-move, what was touched before a game begins, or for the arbiter, is free.
"""

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Call
from tests.firmware_bridge.table.driving import Driven

FREE = {"press": None, "time": "untimed"}


def free(game="mockery", *, settings=None, **how):
    return Driven(game, settings={**FREE, **(settings or {})}, **how)


@pytest.mark.parametrize(
    ("settings", "waits"),
    [
        ({"time": "untimed"}, False),
        ({"time": "45m"}, True),
        ({"time": "untimed", "press": True}, True),
        ({"time": "45m", "press": False}, False),
        ({"time": "untimed", "coach": True}, True),
    ],
)
def test_a_turn_waits_for_a_press_where_time_runs_or_something_comes_before_it(settings, waits):
    agreed = Agreement("mockery", settings=GameSettings.of(settings))
    assert agreed.terms().waits_for_press is waits


def test_what_is_sealed_waits_for_a_press():
    agreed = Agreement("indistinguishable", settings=GameSettings.of({"time": "untimed"}))
    assert agreed.terms("occupancy").waits_for_press
    assert not agreed.terms("identity").waits_for_press


def test_the_first_move_begins_the_game_and_stands_by_itself():
    driven = free(begin=False)
    driven.set_up()
    assert [want.key for want in driven.view.wants] == ["want-first-turn"]
    driven.carry("e2", "e4")
    driven.wait(1.0)
    assert driven.turns == ["e2e4"]
    assert "want-begin" not in driven.said
    driven.carry("e7", "e5")
    driven.wait(1.0)
    assert driven.turns == ["e2e4", "e7e5"]


def test_a_press_ends_a_turn_before_it_has_stood():
    driven = free(settings={"settle": 60})
    driven.carry("e2", "e4")
    assert driven.turns == []
    driven.press("white")
    assert driven.turns == ["e2e4"]


def test_a_press_after_a_turn_was_taken_lets_it_stand_for_good():
    for presses in (False, True):
        driven = free()
        driven.carry("e2", "e3")
        driven.wait(1.0)
        if presses:
            driven.press("white")
        driven.carry("e3", "e4")
        driven.wait(0.6)
        assert driven.turns == (["e2e3"] if presses else ["e2e4"])


def test_a_computer_answers_at_once_whoever_presses():
    driven = free(computers={"black": 1})
    driven.carry("e2", "e4")
    driven.wait(1.0)
    assert driven.table.awaits_computer
    assert driven.table.amendable
    driven.press("black")  # the wrong one of two
    assert driven.table.amendable
    driven.press("white")
    assert driven.table.awaits_computer
    assert not driven.table.amendable


def realm():
    driven = free("realm")
    driven.carry("a2", "a3")
    driven.carry("b2", "b3")
    driven.wait(1.0)
    assert driven.table.reconciler.verdict.kind == "extendable"
    return driven


def test_the_first_turn_too_may_go_on():
    driven = free("realm", begin=False)
    driven.set_up()
    driven.carry("e2", "e4")
    driven.wait(1.0)
    assert [want.key for want in driven.view.wants] == ["want-done"]
    driven.answer(driven.view.question[0].text)
    assert driven.turns == ["e2e4"]
    assert driven.view.phase == "playing"


def test_where_a_turn_may_go_on_it_is_asked_whether_it_is_done():
    driven = realm()
    assert [want.key for want in driven.view.wants] == ["want-done"]
    (done,) = driven.view.question
    assert done.label.key == "choice-done"
    driven.answer(done.text)
    assert driven.turns == [done.text]
    assert driven.view.question == ()


@pytest.mark.parametrize("on_phone", [False, True])
def test_or_a_press_says_that_it_is(on_phone):
    driven = realm()
    if on_phone:
        driven.feed(Call(driven.t, "press", "white"))
    else:
        driven.press("white")
    assert len(driven.turns) == 1


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
