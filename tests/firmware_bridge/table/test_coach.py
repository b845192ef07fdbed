"""Before a turn that loses much the table asks once, and no press waits for long."""

import pytest

from firmware_bridge.messages import Chosen, Coached
from firmware_bridge.table.coach import PATIENCE
from tests.firmware_bridge.table.driving import Driven


def coached(game="reversi", **settings):
    settings = {"coach": True, "time": "5m", **settings}
    return Driven(game, settings=settings, computers={"black": 2})


def think(driven, cost, text="d1h5"):
    return driven.feed(Coached(driven.t, driven.table.state.number, text, cost))


def begin_turn(driven):
    """Open the way for the queen, let Black answer as the computer would, and move her."""
    driven.carry("e2", "e4")
    think(driven, None, "e2e4")
    driven.press("white")
    driven.feed(Chosen(driven.t, "e7e5", driven.table.state.number))
    driven.carry("e7", "e5")
    driven.carry("d1", "h5")
    return driven


def stands(driven):
    return driven.turns[-1] == "d1h5"


@pytest.mark.parametrize(
    ("cost", "said"), [("Q", "coach-piece"), ("game", "coach-game"), ("much", "coach-much")]
)
def test_it_is_asked_once_and_the_next_press_plays_it(cost, said):
    driven = begin_turn(coached())
    assert driven.table.considered == "d1h5"
    think(driven, cost)
    assert driven.table.considered is None
    assert driven.view.doubt is None
    driven.press("white")
    assert driven.said[-1] == said
    assert driven.view.wants[0].key == said
    assert driven.view.wants[0] == driven.view.doubt
    assert driven.view.clocks["white"].running
    assert not stands(driven)
    driven.press("white")
    assert stands(driven)
    assert driven.view.doubt is None


def test_a_turn_that_loses_nothing_is_not_asked_about():
    driven = begin_turn(coached())
    think(driven, None)
    driven.press("white")
    assert stands(driven)


def test_another_turn_is_played_instead_without_another_question():
    driven = begin_turn(coached())
    think(driven, "Q")
    driven.press("white")
    driven.carry("h5", "e2")
    assert driven.view.doubt is None
    think(driven, "much", "d1e2")
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "d1e2"


def test_a_press_waits_a_moment_and_counts_from_when_it_was_made():
    driven = begin_turn(coached())
    driven.press("white")
    pressed = driven.view.clocks["white"].left_ms
    assert not stands(driven)
    driven.wait(PATIENCE - 0.1)
    assert not stands(driven)
    driven.wait(0.1)
    assert stands(driven)
    assert driven.view.clocks["white"].left_ms == pressed
    think(driven, "Q")
    assert driven.view.doubt is None


@pytest.mark.parametrize("cost", ["Q", None])
def test_what_comes_while_the_press_waits_still_counts(cost):
    driven = begin_turn(coached())
    driven.press("white")
    driven.wait(0.4)
    think(driven, cost)
    assert stands(driven) is (cost is None)
    if cost:
        assert driven.said[-1] == "coach-piece"
        driven.press("white")
        assert stands(driven)


def test_whatever_else_happens_the_press_came_first():
    driven = begin_turn(coached())
    driven.press("white")
    driven.cell("a7", None)
    assert stands(driven)


def test_no_flag_falls_while_a_press_waits():
    driven = begin_turn(coached(time="5s"))
    left = driven.view.clocks["white"].left_ms / 1000
    driven.wait(round(left - 0.4, 3))
    driven.press("white", after=0.2)
    driven.wait(0.7)
    assert driven.table.state.stage == "playing"
    driven.wait(0.4)
    assert stands(driven)
    assert driven.table.state.stage == "playing"


@pytest.mark.parametrize(
    ("game", "settings", "computers"),
    [
        ("reversi", {"coach": True}, None),
        ("reversi", {}, {"black": 2}),
        ("indistinguishable", {"coach": True, "practice": True}, None),
    ],
    ids=["against a person", "not agreed", "of memory"],
)
def test_nobody_else_is_asked(game, settings, computers):
    driven = Driven(game, settings=settings, computers=computers)
    driven.carry("e2", "e4")
    assert not driven.table.coaches
    assert driven.table.considered is None
    driven.press("white")
    assert driven.table.state.played


def test_who_practises_is_asked_on_either_side():
    driven = Driven("reversi", settings={"coach": True, "practice": True})
    for turn, side in (("e2e4", "white"), ("e7e5", "black")):
        driven.carry(turn[:2], turn[2:])
        assert driven.table.considered == turn
        think(driven, "P", turn)
        driven.press(side)
        assert driven.said[-1] == "coach-piece"
        driven.press(side)
        assert str(driven.table.state.played[-1].turn) == turn
