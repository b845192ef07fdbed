"""Indistinguishable Chess: the position, and the referee rule by rule, in the prescribed words."""

import random

import pytest
import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import rules
from tests.nightly import few

GAME = rules.load("indistinguishable")

CENTRE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"


def referee(text, penalty=300):
    return GAME.referee(GAME.parse(text), penalty)


def turns(state):
    return {str(turn) for turn in state.position.turns()}


def test_the_owed_capture_ends_the_obligation():
    owing, _ = referee(CENTRE).attempt("d5d4")
    assert owing.attempt("e4d5") == (owing, None)
    free = owing.play(owing.position.parse_turn("e4d5"))
    assert free.obligation is None
    assert free.position.side == "black"
    assert len(turns(free)) > 20


def test_play_refuses_what_is_not_owed():
    owing, _ = referee(CENTRE).attempt("d5d4")
    other = GAME.parse(CENTRE).parse_turn("e4e5")
    assert refused(owing.play, other) == ("must-capture", ("d5",))


def test_rule_6_an_obligation_that_no_capture_can_meet_does_not_exist():
    position = GAME.parse(CENTRE)
    assert position.owing(3 * 8 + 4).obligation is None
    assert position.owing(4 * 8 + 3).obligation == "d5"


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        (CENTRE, "e4", "syntax"),
        (CENTRE, "e4e4", "syntax"),
        (CENTRE, "e3e4", "empty-square"),
        ("8/8/8/8/8/8/4k3/7K w - - 0 1", "h1h2", "game-over"),
    ],
)
def test_what_is_no_attempt_is_refused(text, move, reason):
    assert refused(referee(text).attempt, move)[0] == reason


def test_a_position_of_the_same_text_may_start_the_referee():
    assert GAME.referee(rules.load("indistinguishable").start(), 300).obligation is None


def test_nobody_sees_whose_piece_it_is():
    shown = GAME.start().shown
    assert {piece.side for piece in shown.values()} == {None}
    assert shown["e1"] == rules.Shown("K", None)


def test_a_single_set_alternates_its_printed_colours():
    printed = rules.load("indistinguishable", single_set=True).printed
    assert [printed[file + "1"] for file in "abcd"] == ["white", "black", "white", "black"]
    assert [printed[file + "8"] for file in "abcd"] == ["black", "white", "black", "white"]
    assert GAME.printed == {}


def test_a_single_set_has_every_piece_that_is_needed():
    game = rules.load("indistinguishable", single_set=True)
    kinds = sorted(
        (game.printed[square], label[1]) for square, label in game.start().placement.items()
    )
    usual = sorted((side, kind) for side in ("white", "black") for kind in "KQRRBBNNPPPPPPPP")
    assert kinds == usual


def test_the_obligation_is_part_of_what_makes_positions_equal():
    position = GAME.parse(CENTRE)
    assert position == GAME.parse(CENTRE)
    assert position.owing(4 * 8 + 3) != position
    assert len({position, GAME.parse(CENTRE), position.owing(4 * 8 + 3)}) == 2


MOVEMENTS = st.from_regex(r"[a-h][1-8][a-h][1-8][qrbn]?", fullmatch=True)


@settings(max_examples=few(60))
@given(st.integers(0, 10**9), st.lists(MOVEMENTS, max_size=12))
def test_attempts_never_move_anything_and_obligations_can_always_be_met(seed, movements):
    position = random_positions.thrown(GAME, random.Random(seed))
    state = GAME.referee(position, 300)
    for movement in movements:
        before = state.obligation
        try:
            state, ruling = state.attempt(movement)
        except rules.IllegalTurn as illegal:
            ruling = None
            reason = illegal.reason
        else:
            reason = None
        assert reason in (None, "syntax", "empty-square", "game-over")
        assert str(state.position) == str(position)
        assert ruling is None or (ruling.penalty >= 300 and ruling.words)
        assert before in (None, state.obligation)
        if state.obligation is not None:
            assert all(captured(state, turn) for turn in state.position.turns())
            assert turns(state)


def captured(state, turn):
    return state.obligation in state.position.deed(turn).taken
