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


def test_invisible_pieces_are_lit():
    driven = Driven("mockery")
    driven.random_turns(seed=1, count=25)
    hidden = {s for s, piece in driven.view.board.items() if "invisible" in piece.marks}
    assert hidden
    assert {s for s, signal in lights(driven.view).items() if signal == "invisible"} >= hidden - {
        driven.view.check,
        *driven.view.last_turn,
    }


@pytest.mark.parametrize(
    ("game", "language", "told"),
    [
        ("reversi", "en", "Put the black knight back on g8."),
        ("reversi", "de", "Bitte den schwarzen Springer zurück auf g8."),
        ("indistinguishable", "en", "Put the knight back on g8."),
    ],
)
def test_the_way_back_is_named_in_words_by_a_colour_that_everybody_knows(game, language, told):
    driven = Driven(game)
    driven.carry("g8", "f5")
    driven.wait(1)
    (want, *_) = driven.view.wants
    assert catalogue(language, game).text(want.key, want.words) == told


def test_a_faulty_cell_is_lit_and_said_once():
    driven = Driven("mockery")
    driven.table._play.faults = ("a3",)
    assert lights(driven.view)["a3"] == "fault"
