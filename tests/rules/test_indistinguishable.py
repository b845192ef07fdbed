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
OPPONENTS_PIECE = "Illegal, opponent's piece."
MUST_CAPTURE = "You must capture this piece."
ILLEGAL_CAPTURE = "Illegal capture. Another capture attempt must be made."
EXPOSING = "Illegal move - exposing your King to Check."
ILLEGAL = "Illegal move."

CENTRE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"


def referee(text, penalty=300):
    return GAME.referee(GAME.parse(text), penalty)


def turns(state):
    return {str(turn) for turn in state.position.turns()}


def test_a_legal_movement_gets_no_ruling():
    state = referee(CENTRE)
    assert state.attempt("e4d5") == (state, None)


def test_rule_1_moving_a_piece_of_the_opponents():
    state, ruling = referee(CENTRE, penalty=120).attempt("b8c6")
    assert ruling.words == (OPPONENTS_PIECE,)
    assert (ruling.penalty, ruling.obligation, state.obligation) == (120, None, None)
    assert len(turns(state)) == 31


def test_rule_1_capturing_with_a_piece_of_the_opponents():
    _, ruling = referee(CENTRE).attempt("d5e4")
    assert ruling.words[0] == OPPONENTS_PIECE


def test_rule_2_a_piece_that_can_be_captured_must_be():
    state, ruling = referee(CENTRE).attempt("d5d4")
    assert ruling.words == (OPPONENTS_PIECE, MUST_CAPTURE)
    assert (ruling.penalty, ruling.obligation, state.obligation) == (300, "d5", "d5")
    assert turns(state) == {"e4d5"}


def test_rule_2_counts_a_capture_en_passant():
    text = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    state, ruling = referee(text).attempt("d5d4")
    assert ruling.obligation == "d5"
    assert turns(state) == {"e5d6"}


def test_rule_2_needs_a_legal_capture():
    text = "4r1k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
    assert referee(text).attempt("d5d4")[1].words == (OPPONENTS_PIECE,)


def test_rule_3_capturing_with_a_piece_of_the_opponents_again():
    owing, _ = referee(CENTRE, penalty=60).attempt("d5d4")
    state, ruling = owing.attempt("d8d5")
    assert ruling.words == (ILLEGAL_CAPTURE,)
    assert (ruling.penalty, ruling.obligation, state) == (60, "d5", owing)


@pytest.mark.parametrize("move", ["e4e5", "g1f3", "e7e5", "e4f5", "a1a5"])
def test_rule_3_any_other_move_than_the_owed_capture(move):
    owing, _ = referee(CENTRE).attempt("d5d4")
    state, ruling = owing.attempt(move)
    assert (ruling.words, ruling.penalty) == ((ILLEGAL_CAPTURE,), 300)
    assert state.obligation == "d5"


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


def test_rule_4_putting_the_own_king_in_check():
    text = "4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1"
    _, ruling = referee(text, penalty=60).attempt("e3c4")
    assert (ruling.words, ruling.penalty) == ((EXPOSING,), 300)
    assert ruling.reason == "exposes-king"


def test_rule_4_leaving_the_own_king_in_check():
    _, ruling = referee("4r1k1/8/8/8/8/N7/8/4K3 w - - 0 1", penalty=60).attempt("a3b5")
    assert (ruling.words, ruling.penalty) == ((EXPOSING,), 300)
    assert ruling.reason == "exposes-king"  # whether he was in check before is a secret


def test_rule_4_adds_to_the_penalty_of_rule_1():
    text = "4r1k1/8/8/8/4p3/8/8/4K3 w - - 0 1"
    _, ruling = referee(text, penalty=60).attempt("e4d3")
    assert ruling.words == (OPPONENTS_PIECE, EXPOSING)
    assert ruling.penalty == 60 + 300


def test_rule_4_under_an_obligation_keeps_it():
    owing, _ = referee("3r2k1/8/4p2R/8/3N4/8/8/3K4 w - - 0 1").attempt("e6e5")
    state, ruling = owing.attempt("d4e6")
    assert (ruling.words, ruling.penalty, ruling.obligation) == ((EXPOSING,), 300, "e6")
    assert turns(state) == {"h6e6"}


def test_rule_5_any_other_illegal_move_of_an_own_piece():
    state, ruling = referee(CENTRE, penalty=90).attempt("a1a3")
    assert (ruling.words, ruling.penalty, ruling.reason) == ((ILLEGAL,), 90, "path-blocked")
    assert turns(state) == turns(referee(CENTRE))


@pytest.mark.parametrize("knight", ["n", "N"])
@pytest.mark.parametrize(("move", "reason"), [("a1d5", "no-such-move"), ("a1a5", "path-blocked")])
def test_rule_5_the_reason_does_not_tell_whose_piece_stands_there(knight, move, reason):
    text = f"4k3/8/8/{knight}2{knight}4/P7/8/8/R3K3 w - - 0 1"
    _, ruling = referee(text).attempt(move)
    assert (ruling.words, ruling.reason) == ((ILLEGAL,), reason)


def test_rule_5_castling_out_of_check_moves_to_no_attacked_square():
    text = "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1"
    assert referee(text).attempt("e1g1")[1].words == (ILLEGAL,)


def test_rule_6_an_obligation_that_no_capture_can_meet_does_not_exist():
    position = GAME.parse(CENTRE)
    assert position.owing(3 * 8 + 4).obligation is None
    assert position.owing(4 * 8 + 3).obligation == "d5"


def test_a_pawn_may_arrive_before_its_new_piece_is_named():
    state = referee("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    assert state.attempt("a7a8") == (state, None)


def test_a_pawn_that_cannot_arrive_there_is_ruled_on_without_a_new_piece():
    assert referee("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").attempt("a7b8")[1].words == (ILLEGAL,)


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


@pytest.mark.parametrize(
    ("placement", "dead"),
    [
        ("4k3/8/8/8/8/8/8/4K3", True),
        ("4k3/8/8/8/8/8/8/4KB2", True),
        ("4k3/8/8/8/8/8/8/4KN2", True),
        ("4kb2/8/8/8/8/8/8/2B1K3", True),
        ("2b1k3/8/8/8/8/8/8/2B1K3", False),
        ("4k3/8/8/8/8/8/8/3NKN2", False),
        ("4kn2/8/8/8/8/8/8/4KN2", False),
        ("4k3/8/8/8/8/8/P7/4K3", False),
    ],
)
def test_material_with_which_nobody_can_mate_is_a_draw(placement, dead):
    position = GAME.parse(f"{placement} w - - 0 1")
    assert position.outcome == (rules.Outcome(None, "insufficient-material") if dead else None)
    assert bool(list(position.turns())) != dead


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
