"""What the mind in a seat is told of a game: turns that stand, and what was ruled on, in order."""

from firmware_bridge.views import Attempted, told
from tests.firmware_bridge.table.driving import Driven


def events_of(driven, side):
    return told(driven.table.state, driven.records, side).events


def test_what_was_ruled_on_is_told_between_the_turns():
    driven = Driven("indistinguishable", settings={"penalty": "none"})
    driven.play("e2e4")
    driven.carry("e7", "e3")
    driven.press("black")
    driven.wait(2)
    driven.carry("e3", "e7")
    driven.wait(2)
    driven.play("d7d5")
    first, attempt, second = events_of(driven, "white")
    assert attempt == Attempted("e7e3")
    assert not isinstance(first, Attempted)
    assert not isinstance(second, Attempted)


def test_where_attempts_tell_nothing_of_the_game_they_are_not_told():
    driven = Driven("reversi", settings={"penalty": "none"})
    driven.carry("e2", "e5")
    driven.press("white")
    driven.wait(2)
    driven.carry("e5", "e2")
    driven.wait(2)
    driven.play("e2e4")
    (turn,) = events_of(driven, "black")
    assert not isinstance(turn, Attempted)
