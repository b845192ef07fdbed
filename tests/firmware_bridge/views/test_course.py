import pytest

import rules
from firmware_bridge.views import Course, Entry
from firmware_bridge.views.course import lines
from tests.firmware_bridge.table.driving import Driven
from tests.sample import SAMPLE


def test_the_last_turns_and_what_was_captured_are_told_of_an_open_game():
    driven = Driven("realm")
    driven.play("e2e4", "d7d5", "e4d5", "d8d5")
    assert driven.view.course.turns[-1] == Entry(2, "black", "Qxd5")
    assert [(entry.number, entry.side) for entry in driven.view.course.turns] == [
        (1, "white"),
        (1, "black"),
        (2, "white"),
        (2, "black"),
    ]
    assert driven.view.course.captured == {"white": ("P",), "black": ("P",)}


@pytest.mark.parametrize("game", ["indistinguishable", "reality-check"])
def test_nothing_is_told_where_anything_must_be_remembered(game):
    driven = Driven(game)
    driven.random_turns(seed=4, count=12)
    assert driven.view.course == Course()


@pytest.mark.parametrize("game", ["indistinguishable", "reality-check"])
def test_a_list_of_a_game_of_memory_may_be_agreed_on_and_tells_what_all_have_seen(game):
    driven = Driven(game, settings={"record": True})
    driven.random_turns(seed=4, count=12)
    view, state = driven.view, driven.table.state
    told = [entry.text for entry in view.course.turns]
    memory = game == "reality-check"
    assert told == [played.turn.public for played in state.played if memory]
    assert view.course.captured == {}
    assert view.record == memory
    assert view.unrated or not memory


OPEN = [name for name in SAMPLE if not rules.games()[name].traits.records_forbidden]


@pytest.mark.parametrize("game", OPEN)
def test_what_is_on_the_board_and_what_was_captured_are_all_pieces(game):
    driven = Driven(game)
    driven.random_turns(seed=8, count=40)
    view = driven.view
    lost = sum(map(len, view.course.captured.values()))
    assert len(view.board) + lost == len(driven.start.placement)
    assert len(view.course.turns) <= 16


def test_turns_that_were_taken_back_are_told_with_their_sides_as_people_write_them():
    driven = Driven("realm")
    driven.play("e2e4", "g8f6")
    for _ in range(2):
        driven.say("take-back", reason="a slip")
    told = [line.data for line in lines(driven.table.state, driven.records) if line.kind == "taken"]
    assert [(data["side"], data["turn"]) for data in told] == [("white", "e4"), ("black", "Nf6")]
