"""What each reader may know, and the lights made of it."""

import collections.abc
import dataclasses
import typing

import pytest

from drivers.signals import SIGNALS
from firmware_bridge import messages
from firmware_bridge.indicators import Cue
from firmware_bridge.messages import PublicOutput, verdict
from firmware_bridge.views import PublicView, types
from firmware_bridge.views.disclosure import Disclosure
from firmware_bridge.views.json_lines import Lines
from firmware_bridge.views.lights import lights
from firmware_bridge.words import catalogue
from rules import interface
from tests.firmware_bridge.table.driving import Driven
from tests.sample import SAMPLE

MODULES = (interface, verdict, messages, types, collections.abc)
"""Where the types are found that views name."""
SECRET_TYPES = ("Label", "Position", "Turn", "State", "Facts", "Record", "Verdict", "Step")


def named_types(annotation):
    """Return the names of all types in an annotation, however deep."""
    yield getattr(annotation, "__name__", str(annotation))
    for inner in typing.get_args(annotation):
        yield from named_types(inner)


def parts(view, seen=None):
    """Return a view type and all view types inside it."""
    seen = seen or set()
    if view in seen or not dataclasses.is_dataclass(view):
        return seen
    seen.add(view)
    for hint in hints(view).values():
        for inner in (hint, *typing.get_args(hint)):
            if isinstance(inner, type):
                parts(inner, seen)
            for deeper in typing.get_args(inner):
                if isinstance(deeper, type):
                    parts(deeper, seen)
    return seen


def hints(view):
    known = {name: what for module in MODULES for name, what in vars(module).items()}
    return typing.get_type_hints(view, known)


@pytest.mark.parametrize("shown", [PublicView, Cue, *typing.get_args(PublicOutput)])
def test_no_field_of_what_those_are_given_who_show_a_game_can_hold_a_secret_value(shown):
    views = parts(shown)
    assert len(views) >= 8 or shown not in (PublicView, Cue)
    for view in views:
        for name, hint in hints(view).items():
            assert not set(named_types(hint)) & set(SECRET_TYPES), (view, name)


@pytest.mark.parametrize("game", ["indistinguishable", "reality-check"])
def test_games_to_be_remembered_show_no_record_until_they_are_over(game):
    driven = Driven(game)
    driven.random_turns(seed=2, count=6)
    assert driven.view.last_turn == ()
    driven.carry(*free_move(driven))
    live = Lines(catalogue("en", game), Disclosure(secret=True))
    taken = [live.line(output) for output in driven.outputs]
    assert all(line["taken"] is None for line in taken if line and "taken" in line)


def free_move(driven):
    turn = next(
        turn
        for turn in driven.position.turns()
        if driven.position.deed(turn).moves and not driven.position.deed(turn).taken
    )
    return driven.position.deed(turn).moves[0]


def test_in_indistinguishable_chess_no_piece_has_an_owner():
    driven = Driven("indistinguishable")
    assert {piece.side for piece in driven.view.board.values()} == {None}
    for side in ("white", "black"):
        seat = driven.table.summary().seat(side, driven.t)
        assert {piece.side for piece in seat.public.board.values()} == {None}


def test_each_player_sees_his_own_hand_and_only_the_size_of_the_other():
    driven = Driven("reality-check")
    assert driven.view.hands == {"white": 1, "black": 1}
    assert driven.table.summary().seat("white", driven.t).hand == ("RR",)
    assert "RR" not in repr(driven.view)
    assert driven.table.summary().referee_view(driven.t).hands["black"]


def test_before_the_game_each_player_sees_which_of_his_discs_are_still_to_be_placed():
    driven = Driven("reality-check", begin=False)
    driven.cell("d1", driven.start.placement["d1"])
    white, black = (driven.table.summary().seat(side, driven.t) for side in ("white", "black"))
    assert (len(white.to_place), len(black.to_place)) == (9, 10)
    assert driven.start.placement["d1"][1:3] not in white.to_place
    assert white.hand == ()
    assert "to_place" not in repr(driven.view)


def test_the_first_steps_of_a_set_up_are_named():
    driven = Driven("reversi", tier="occupancy", begin=False)
    driven.cell("e4", True)
    wants = [(want.key, dict(want.words)) for want in driven.view.wants]
    assert wants == [
        ("want-set-up", {}),
        ("want-off", {"from": "e4"}),
        ("want-bring", {"to": "a1", "piece": "the-white-R"}),
    ]


def test_the_referee_sees_everything():
    driven = Driven("indistinguishable")
    driven.play("e2e4")
    view = driven.table.summary().referee_view(driven.t)
    assert view.placement["e4"] == "wP"
    assert view.position == str(driven.position)
    assert [line.kind for line in view.history] == ["begun", "set-up", "call", "taken"]


@pytest.mark.parametrize("game", SAMPLE)
def test_only_known_signals_are_lit_on_squares_of_the_board(game):
    driven = Driven(game)
    for text in driven.random_turns(seed=7, count=8):
        assert text
        shown = lights(driven.view)
        assert set(shown.values()) <= SIGNALS.keys()
        assert shown.keys() <= driven.position.game.squares


def test_the_last_turn_and_a_check_are_lit_where_that_tells_nothing():
    driven = Driven("realm", tier="occupancy")
    driven.play("e2e4", "f7f6", "d1h5")
    assert lights(driven.view) == {"d1": "last-turn", "e8": "check", "h5": "last-turn"}


def test_invisible_pieces_are_lit():
    driven = Driven("mockery")
    driven.random_turns(seed=1, count=25)
    hidden = {s for s, piece in driven.view.board.items() if "invisible" in piece.marks}
    assert hidden
    assert {s for s, signal in lights(driven.view).items() if signal == "invisible"} >= hidden - {
        driven.view.check,
        *driven.view.last_turn,
    }


def test_the_realm_in_play_glows_once_the_pieces_determine_it():
    driven = Driven("realm")
    for source, target in (("c2", "c4"), ("d2", "d4")):
        driven.carry(source, target)
    driven.carry("b1", "c3")
    driven.carry("d1", "d3")
    assert set(driven.view.judged.realm) == {"c3", "c4", "d3", "d4"}
    assert {s for s, signal in lights(driven.view).items() if signal == "realm"} == {
        "c3",
        "c4",
        "d3",
        "d4",
    }


def lit(driven, signal):
    return {square for square, shown in lights(driven.view).items() if shown == signal}


def test_the_realm_goes_on_glowing_while_the_next_piece_is_in_the_air():
    driven = Driven("realm")
    for source, target in (("c2", "c4"), ("d2", "d4"), ("b1", "c3")):
        driven.carry(source, target)
    assert lit(driven, "realm") == {"c3", "c4", "d3", "d4"}
    driven.cell("d1", None)
    driven.wait(0.2)
    assert driven.view.judged.kind == "in-progress"
    assert lit(driven, "realm") == {"c3", "c4", "d3", "d4"}
    for source, target in (("c3", "b1"), ("d4", "d2"), ("c4", "c2")):
        driven.carry(source, target)
    driven.cell("d1", True)
    assert driven.view.judged.kind == "settled"
    assert not lit(driven, "realm")


def test_segments_go_on_glowing_while_their_pieces_are_swapped():
    position = "4k3/8/8/8/3ppnB1/8/8/3RK3 w - - 0 1"
    driven = Driven("reversi", tier="occupancy", position=position)
    driven.cell("d4", None)
    driven.carry("d1", "d4")
    assert lit(driven, "convertible") == {"e4", "f4", "g4"}
    driven.cell("f4", None)
    driven.wait(0.2)
    assert driven.view.judged.kind == "in-progress"
    assert lit(driven, "convertible") == {"e4", "f4", "g4"}


def test_a_turn_that_may_go_on_tells_to_press_the_clock():
    driven = Driven("realm")
    driven.carry("e2", "e4")
    assert driven.view.judged.kind == "extendable"
    assert lit(driven, "press-clock") == {"e4"}


def test_the_way_back_is_lit_from_and_to_and_named_in_words():
    driven = Driven("reversi")
    driven.carry("g8", "f5")
    driven.wait(1)
    assert lights(driven.view) == {"f5": "must-go-back", "g8": "must-go-here"}
    words = catalogue("en", "reversi")
    (want, *_) = driven.view.wants
    assert words.text(want.key, want.words) == "Put the black knight back on g8."
    german = catalogue("de", "reversi")
    assert german.text(want.key, want.words) == ("Bitte den schwarzen Springer zurück auf g8.")


def test_in_indistinguishable_chess_the_way_back_names_no_colour():
    driven = Driven("indistinguishable")
    driven.carry("g8", "f5")
    driven.wait(1)
    (want, *_) = driven.view.wants
    text = catalogue("en", "indistinguishable").text(want.key, want.words)
    assert text == "Put the knight back on g8."


def test_a_faulty_cell_is_lit_and_said_once():
    driven = Driven("mockery")
    driven.table._play.faults = ("a3",)
    assert lights(driven.view)["a3"] == "fault"
