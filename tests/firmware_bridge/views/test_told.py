"""What the mind in a seat is told of a game: turns that stand, and what was ruled on, in order."""

from firmware_bridge.views import Attempted, told
from tests.firmware_bridge.table.driving import Driven


def events_of(driven, side):
    return told(driven.table.state, driven.records, side).events


def tries(driven, source, target, side):
    """Make an attempt that is ruled on, and put it back as told."""
    driven.carry(source, target)
    driven.press(side)
    driven.wait(2)
    driven.carry(target, source)
    driven.wait(2)


def test_what_was_ruled_on_is_told_between_the_turns():
    driven = Driven("indistinguishable", settings={"penalty": "none"})
    driven.play("e2e4")
    tries(driven, "e7", "e3", "black")
    driven.play("d7d5")
    first, attempt, second = events_of(driven, "white")
    assert attempt == Attempted("e7e3")
    assert not isinstance(first, Attempted)
    assert not isinstance(second, Attempted)


def test_where_attempts_tell_nothing_of_the_game_they_are_not_told():
    driven = Driven("reversi", settings={"penalty": "none"})
    tries(driven, "e2", "e5", "white")
    driven.play("e2e4")
    (turn,) = events_of(driven, "black")
    assert not isinstance(turn, Attempted)
