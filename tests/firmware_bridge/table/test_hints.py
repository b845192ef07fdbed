"""Hints at the table: who may ask, what is shown of one, what it counts, and a piece held up."""

import pytest

from firmware_bridge.messages import Hinted, Seated
from firmware_bridge.recordings.export import RecordedGame, to_pgn
from firmware_bridge.views.lights import lights
from tests.firmware_bridge.table.driving import Driven

AGAINST_COMPUTER = {"computers": {"black": 2}}
PRACTICE = {"settings": {"practice": True}}


def advise(driven, text, number=None):
    number = driven.table.state.number if number is None else number
    driven.feed(Hinted(driven.t, number, text))


def hinted(driven, text="e2e4"):
    driven.say("hint", "white")
    assert driven.table.awaits_hint
    advise(driven, text)
    return driven


@pytest.mark.parametrize(("game", "wanted"), [("mockery", AGAINST_COMPUTER), ("reversi", PRACTICE)])
def test_a_hint_is_lit_told_and_counted_once(game, wanted):
    driven = hinted(Driven(game, **wanted))
    view = driven.view
    assert view.hint.label.key == "choice-turn"  # not "Convert nothing", as one among several
    assert driven.said[-1] == "hint"
    assert [(move.source, move.target) for move in view.hint.moves] == [("e2", "e4")]
    lit = driven.outputs[-1].lights
    assert (lit["e2"], lit["e4"]) == ("awaited", "setup")
    assert view.hints == {"white": 1}
    assert not view.advised
    driven.say("hint", "white")
    assert driven.view.hints == {"white": 1}
    assert not driven.table.awaits_hint
    driven.say("pause")
    assert driven.view.hint is None
    driven.say("resume")
    assert driven.view.hint == view.hint
    driven.play("d2d4")
    assert driven.view.hint is None
    assert driven.view.hints == {"white": 1}


def test_what_hands_have_done_of_a_hint_is_advised_no_more():
    driven = hinted(Driven("realm", **PRACTICE), "C-cd34:c2c4,d2d4")
    driven.carry("c2", "c4")
    driven.wait(1)
    assert [(move.source, move.target) for move in driven.view.hint.moves] == [("d2", "d4")]
    assert lights(driven.view) | {"d2": "awaited", "d4": "setup"} == lights(driven.view)
    assert "c2" not in lights(driven.view)
    driven.carry("d2", "d4")
    driven.wait(1)
    assert driven.view.hint is None


@pytest.mark.parametrize(
    ("game", "wanted", "why"),
    [
        ("mockery", {}, "refused-hint"),
        ("indistinguishable", AGAINST_COMPUTER, "refused-hint"),
        ("reality-check", PRACTICE, "refused-hint-private"),
    ],
)
def test_there_is_none_against_people_nor_of_what_must_be_remembered(game, wanted, why):
    driven = Driven(game, **wanted)
    assert not driven.view.advised
    driven.say("hint", driven.position.side)
    assert driven.said[-1] == why
    assert not driven.table.awaits_hint


def test_nobody_asks_for_the_computer_or_out_of_turn():
    driven = Driven("mockery", computers={"black": 2})
    driven.say("hint", "black")
    assert driven.said[-1] == "refused-turn"
    driven.play("e2e4")
    driven.say("hint", "white")
    assert not driven.table.awaits_hint


@pytest.mark.parametrize("text", [None, "e2e5", "nonsense"])
def test_where_nothing_came_of_it_words_say_so_and_nothing_is_counted(text):
    driven = hinted(Driven("mockery", **PRACTICE), text)
    assert driven.said[-1] == "hint-none"
    assert driven.view.hints == {}
    assert driven.view.advised
    advise(hinted(driven), None)
    assert driven.view.hints == {"white": 1}


def test_a_hint_that_comes_too_late_is_none():
    driven = Driven("mockery", **PRACTICE)
    driven.say("hint", "white")
    number = driven.table.state.number
    driven.play("e2e4")
    advise(driven, "e2e4", number)
    assert driven.view.hints == {}
    assert "hint" not in driven.said


def test_it_is_the_same_after_a_crash_and_stands_in_the_notation():
    driven = Driven("mockery", **PRACTICE)
    driven.say("hint", "white")
    again = driven.resumed()
    again.say("resume")
    assert again.table.awaits_hint
    advise(again, "e2e4")
    third = again.resumed()
    third.say("resume")
    assert third.view.hint == again.view.hint
    third.say("resign", "white")
    assert '[WhiteHints "1"]' in to_pgn(RecordedGame.of(third.table.records))


def test_where_undersides_are_secret_it_is_for_the_one_who_asked():
    driven = Driven("reality-check", **PRACTICE)
    side = driven.position.side
    driven.feed(Seated(driven.t, side))
    dark = lights(driven.view)
    turn = str(next(driven.position.turns()))
    driven.say("hint", side)
    advise(driven, turn)
    other = "black" if side == "white" else "white"
    assert driven.said[-1] == "hint-private"
    assert driven.table.summary().seat(side, driven.t).hint is not None
    assert driven.table.summary().seat(other, driven.t).hint is None
    assert driven.view.hint is None
    assert lights(driven.view) == dark


def held(driven, seconds):
    driven.cell("g1", None)
    driven.wait(seconds)
    return driven.table.awaits_hint


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_piece_held_up_asks_only_where_that_is_agreed_and_only_once(tier):
    agreed = {"practice": True, "lift_for_hint": True}
    assert not held(Driven("mockery", tier=tier, **PRACTICE), 9.0)
    driven = Driven("mockery", tier=tier, settings=agreed)
    assert not held(driven, 3.9)
    driven.wait(0.4)
    assert driven.table.awaits_hint
    advise(driven, "e2e4")
    driven.wait(5.0)
    driven.cell("g1", driven.reading("wN"))
    assert driven.view.hints == {"white": 1}
    assert not held(Driven("mockery", tier=tier, settings={**agreed, "touch_move": True}), 9.0)


def test_a_button_of_the_board_asks():
    driven = Driven("mockery", **PRACTICE)
    driven.press("hint")
    assert driven.table.awaits_hint
