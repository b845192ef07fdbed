"""Why a turn is refused, code by code, with the squares that explain it."""

import pytest
from refusals import refused

from rules.games.reality_check import GAME
from rules.interface import IllegalTurn

MIDDLE = "rn/nnbbnb/pppnbrpbpr/7/7/7/PPPNBRPBPR/NNBBNB/RN w RR/rr d8 - - 5"
DROPPING = "1/3/5/7/7/PP6/5/3/rr w PN,PB/- - - - 20"
HOMES = ("b3", "c2", "c3", "d2", "d3", "e2", "e3", "f3")
NO_RETREAT = "1/rrnnbb/5/7/7/7/5/RRNN1/RN w PP,PN/- - - - 2"
CAPTURED = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- - hand:PR,NN - 5"
SACRIFICE = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8,d8 sacrifice - 5"
ROLL = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8 roll - 5"
FLIP = "1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8 flip:4,5/c2 - 5"
FIRST = {"memory": True}

CASES = [
    ({}, MIDDLE, "d7d6/d6", "not-your-piece", ("d7",)),
    ({}, MIDDLE, "d7xd6", "not-your-piece", ("d7",)),
    ({}, MIDDLE, "d5d6/d1", "empty-square", ("d5",)),
    ({}, MIDDLE, "d5xd7", "empty-square", ("d5",)),
    ({}, MIDDLE, "d3xe4", "empty-square", ("e4",)),
    ({}, MIDDLE, "a1a2/d1", "no-such-square", ()),
    ({}, MIDDLE, "d1xa1", "no-such-square", ()),
    ({}, MIDDLE, "d3e4/h8", "no-such-square", ()),
    ({}, MIDDLE, "RR@g3", "no-such-square", ()),
    ({}, MIDDLE, "b3b5/b5", "no-such-move", ("b3", "b5")),
    ({}, MIDDLE, "b3b3/b3", "no-such-move", ("b3", "b3")),
    ({}, MIDDLE, "d3xd7", "no-such-move", ("d3", "d7")),
    ({}, MIDDLE, "d2f4/d1", "path-blocked", ("e3",)),
    ({}, MIDDLE, "d2xg5", "empty-square", ("g5",)),
    ({}, MIDDLE, "d2e3/d1", "own-piece-there", ("e3",)),
    ({}, MIDDLE, "d2xe3", "own-piece-there", ("e3",)),
    ({"retreat": True}, MIDDLE, "d2xe3!", "own-piece-there", ("e3",)),
    ({}, MIDDLE, "d3d7/d1", "square-occupied", ("d7",)),
    ({}, MIDDLE, "RR@d1", "square-occupied", ("d1",)),
    ({}, MIDDLE, "d3e4/d8", "flip-forbidden", ("d8",)),
    ({}, MIDDLE, "d3e4/d5", "empty-square", ("d5",)),
    ({}, MIDDLE, "d3e4/d3", "empty-square", ("d3",)),
    ({}, MIDDLE, "d3xd7/d1", "no-flip-allowed", ("d1",)),
    ({}, MIDDLE, "flip:d1", "no-flip-allowed", ("d1",)),
    ({"dice": 1}, MIDDLE, "d3e4/d1", "no-flip-allowed", ("d1",)),
    ({}, MIDDLE, "RR@d4", "not-a-home-square", ("d4",)),
    ({}, MIDDLE, "PN@d1", "not-in-hand", ()),
    ({}, MIDDLE, "?c7,d8", "no-such-move", ()),
    ({"memory": True}, MIDDLE, "?c7,d2", "own-piece-there", ("d2",)),
    ({"memory": True}, MIDDLE, "?c7,d5", "empty-square", ("d5",)),
    ({"memory": True}, MIDDLE, "?a1,c7", "no-such-square", ()),
    ({}, MIDDLE, "keep:PN", "no-such-move", ()),
    ({}, MIDDLE, "sacrifice:RR", "no-such-move", ()),
    ({"dice": 1}, MIDDLE, "roll:3", "no-such-move", ()),
    ({}, DROPPING, "a4a5/a5", "must-drop", HOMES),
    ({}, DROPPING, "a4xb5", "must-drop", HOMES),
    ({"retreat": True}, NO_RETREAT, "c2xd2", "hand-limit", ("d2",)),
    ({"memory": True}, CAPTURED, "c2c3/c3", "must-decide", ()),
    ({"memory": True}, CAPTURED, "keep:NN", "must-decide", ()),
    ({"memory": True}, SACRIFICE, "c2c3/c3", "must-decide", ()),
    ({"memory": True}, SACRIFICE, "sacrifice:NR", "no-such-move", ()),
    ({"memory": True}, SACRIFICE, "sacrifice:BB", "no-such-move", ()),
    ({"dice": 1}, ROLL, "c2c3", "must-decide", ()),
    ({"dice": 1}, ROLL, "roll:3,4", "no-such-move", ()),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4,5"), "c2c3", "must-flip", ("c2", "d1")),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), "flip:c2", "flip-forbidden", ("c2",)),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), "flip:c8", "flip-forbidden", ("c8",)),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), "flip:d8", "die-not-met", ("d8",)),
    ({"dice": 2}, FLIP.replace("4,5/c2", "5/c2"), "flip:d8", "die-not-met", ("d8",)),
    ({"dice": 2}, FLIP.replace("4,5/c2", "6/c2"), "flip:d1", "die-not-met", ("d1",)),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), "flip:d4", "empty-square", ("d4",)),
    ({"dice": 2}, FLIP.replace("4,5/c2", "4/c2"), "flip:h1", "no-such-square", ()),
    ({}, "1/rn2/5/7/7/7/5/RR2/1 w -/- - - - 2", "c2c3/c3", "game-over", ()),
    ({}, "PP/1rr1/5/7/7/7/5/3/1 w -/- - - - 5", "d9d8/d8", "game-over", ()),
]


@pytest.mark.parametrize(("options", "text", "turn", "reason", "squares"), CASES)
def test_refusal(options, text, turn, reason, squares):
    game = GAME(**options)
    assert refused(game.parse(text).parse_turn, turn) == (reason, squares)
    assert reason in game.reasons


def test_a_move_that_names_no_flip_is_told_what_may_be_flipped():
    reason, squares = refused(GAME().parse(MIDDLE).parse_turn, "d3e4")
    assert reason == "must-flip"
    assert {"e4", "d1", "d9"} <= set(squares)
    assert not {"d3", "d8"} & set(squares)


@pytest.mark.parametrize("turn", ["b3xc3", "RR@d1", "?b7,c7"])
def test_the_first_turn_is_a_move(turn):
    assert refused(GAME(**FIRST).start().parse_turn, turn)[0] == "first-turn"


def test_the_first_turn_has_no_flip():
    assert refused(GAME().start().parse_turn, "b3b4/b4") == ("no-flip-allowed", ("b4",))


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
