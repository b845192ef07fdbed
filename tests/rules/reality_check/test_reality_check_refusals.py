"""Why a turn is refused, code by code, with the squares that explain it."""

import pytest
from refusals import refused

from rules.games.reality_check import GAME
from rules.interface import IllegalTurn

MIDDLE = "rn/nnbbnb/pppnbrpbpr/7/7/7/PPPNBRPBPR/NNBBNB/RN w RR/rr d8 - - 5"
DROPPING = "1/3/5/7/7/PP6/5/3/rr w PN,PB/- - - - 20"
CAPTURED = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- - hand:PR,NN - 5"
SACRIFICE = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8,d8 sacrifice - 5"
FLIP = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8 flip:4,5/c2 - 5"


def test_a_move_that_names_no_flip_is_told_what_may_be_flipped():
    reason, squares = refused(GAME().parse(MIDDLE).parse_turn, "d3e4")
    assert reason == "must-flip"
    assert {"e4", "d1", "d9"} <= set(squares)
    assert not {"d3", "d8"} & set(squares)


@pytest.mark.parametrize(
    "text",
    ["", "hello", "e2e4q", "d3d4/", "d3", "?d8,c7", "?c7", "keep:NP", "keep", "refuse:XX", "roll:7",
     "roll:", "flip:", "sacrifice:NP", "PX@d1", "RR@", "d3xd4!!", "d3d4/d4\n", "D3D4/D4", "d3x!"],
)  # fmt: skip
def test_what_is_no_turn_text_is_a_syntax_error(text):
    assert refused(GAME().parse(MIDDLE).parse_turn, text)[0] == "syntax"


def test_a_turn_of_another_position_is_refused_by_play():
    turn = GAME().start().parse_turn("e3e4")
    assert refused(GAME().parse(MIDDLE).play, turn)[0] == "must-flip"


def test_no_refusal_tells_what_lies_where():
    """The words of a refusal are spoken aloud: they name no piece the mover did not name."""
    position = GAME(memory=True).parse(CAPTURED)
    with pytest.raises(IllegalTurn) as caught:
        position.parse_turn("keep:NN")
    assert "PR" not in str(caught.value)


ARRIVALS = [
    ({}, MIDDLE, "d4", "wRR:R", "not-a-home-square"),
    ({}, MIDDLE, "d4", "wPN:P", "not-a-home-square"),  # whether it is in hand, or not
    ({}, MIDDLE, "d4", "", "not-in-hand"),
    ({}, MIDDLE, "d1", "wRR:R", "square-occupied"),
    ({}, MIDDLE, "d4", "bRR:R", "not-in-hand"),
    ({}, DROPPING, "d3", "wRR:R", "not-in-hand"),
    ({}, DROPPING, "d3", "wPN:P", "too-many-pieces"),
    ({}, DROPPING, "d3", "wK", "not-in-hand"),
    ({"memory": True}, SACRIFICE, "d2", "wRR:R", "must-decide"),
]


@pytest.mark.parametrize(("options", "text", "square", "label", "reason"), ARRIVALS)
def test_what_speaks_against_a_disc_that_hands_bring(options, text, square, label, reason):
    assert GAME(**options).parse(text).against_arrival(square, label) == reason


FLIPS = [
    ({}, MIDDLE, [("d3", "e4")], {"d8"}, "flip-forbidden"),
    ({}, MIDDLE, [], {"d8"}, "flip-forbidden"),
    ({}, MIDDLE, [("d3", "e4")], {"d1", "c2"}, "no-flip-allowed"),
    ({}, MIDDLE, [("d3", "d7")], {"d8"}, "no-flip-allowed"),  # a capture flips nothing
    ({"dice": 1}, MIDDLE, [("d3", "e4")], {"d8"}, "no-flip-allowed"),
    ({}, DROPPING, [], {"a4"}, "must-drop"),
    ({"memory": True}, SACRIFICE, [], {"c2"}, "must-decide"),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), [], {"d8"}, "die-not-met"),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), [], {"c8"}, "flip-forbidden"),
]


@pytest.mark.parametrize(("options", "text", "moves", "squares", "reason"), FLIPS)
def test_what_speaks_against_discs_that_hands_turned_over(options, text, moves, squares, reason):
    assert GAME(**options).parse(text).against_exchange(moves, squares) == reason
