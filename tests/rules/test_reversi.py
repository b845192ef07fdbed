"""Reversi Chess: each decision of its rules, by name."""

import pytest
from refusals import refused

import rules

GAME = rules.load("reversi")


def turns(text):
    return {str(turn) for turn in GAME.parse(text).turns()}


def play(text, turn):
    position = GAME.parse(text)
    return position.play(position.parse_turn(turn))


def conversions(text, move):
    return {turn for turn in turns(text) if turn.startswith(move + "~")}


def test_a_capture_may_convert_what_stands_before_a_friendly_piece():
    after = play("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1", "d3e4~a4")
    assert str(after) == "4k3/8/8/8/R1N1P3/8/8/4K3 b - - 0 1"


def test_converting_is_never_forced():
    assert "d3e4" in turns("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1")


def test_a_pawn_is_no_anchor():
    assert conversions("4k3/8/8/8/P1n1p3/3P4/8/4K3 w - - 0 1", "d3e4") == set()


def test_a_pawn_hides_an_anchor_behind_it():
    assert conversions("4k3/8/8/8/RPn1p3/3P4/8/4K3 w - - 0 1", "d3e4") == set()


def test_a_king_may_be_an_anchor():
    assert conversions("4k3/8/8/8/K1n1p3/3P4/8/8 w - - 0 1", "d3e4") == {"d3e4~a4"}


def test_empty_squares_in_a_segment_do_no_harm():
    after = play("4k3/8/8/8/R2n2p1/5P2/8/4K3 w - - 0 1", "f3g4~a4")
    assert str(after) == "4k3/8/8/8/R2N2P1/8/8/4K3 b - - 0 1"


def test_the_enemy_king_spoils_a_segment():
    assert conversions("8/8/8/8/Rnk1p3/8/5N2/4K3 w - - 0 1", "f2e4") == set()


def test_a_segment_without_enemies_is_none():
    assert conversions("4k3/8/8/8/R3p3/3P4/8/4K3 w - - 0 1", "d3e4") == set()


def test_all_enemies_of_the_segment_turn():
    after = play("4k3/8/8/8/Rbnqp3/3P4/8/4K3 w - - 0 1", "d3e4~a4")
    assert str(after) == "4k3/8/8/8/RBNQP3/8/8/4K3 b - - 0 1"


def test_at_most_one_of_several_segments_turns():
    text = "7k/4R3/4n3/8/R1n1p3/3P4/8/4K3 w - - 0 1"
    assert conversions(text, "d3e4") == {"d3e4~a4", "d3e4~e7"}
    assert str(play(text, "d3e4~e7")) == "7k/4R3/4N3/8/R1n1P3/8/8/4K3 b - - 0 1"


def test_an_en_passant_capture_converts_too():
    after = play("4k3/8/R1n5/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6~a6")
    assert str(after) == "4k3/8/R1NP4/8/8/8/8/4K3 b - - 0 1"


def test_a_capturing_promotion_converts_too():
    text = "nn1R4/1P5k/8/8/8/8/8/4K3 w - - 0 1"
    assert str(play(text, "b7a8q~d8")) == "QN1R4/7k/8/8/8/8/8/4K3 b - - 0 1"
    assert {f"b7a8{piece}~d8" for piece in "qrbn"} <= turns(text)


def test_the_king_may_be_the_capturing_piece():
    after = play("4k3/8/8/8/R1n1p3/3K4/8/8 w - - 0 1", "d3e4~a4")
    assert str(after) == "4k3/8/8/8/R1N1K3/8/8/8 b - - 0 1"


def test_a_capture_that_leaves_the_king_in_check_needs_a_conversion_that_lifts_it():
    text = "4k3/8/8/8/R1b1p3/5P2/8/5K2 w - - 0 1"
    assert GAME.parse(text).in_check
    assert "f3e4" not in turns(text)
    assert "f3e4~a4" in turns(text)


def test_a_pinned_piece_may_capture_when_the_conversion_takes_in_the_pinner():
    text = "7k/8/8/R3rp2/8/4N3/8/4K3 w - - 0 1"
    assert "e3f5" not in turns(text)
    assert "e3f5~a5" in turns(text)


def test_a_converted_pawn_moves_the_other_way_and_may_double_step():
    after = play("4k3/8/8/8/8/8/R1p1n3/4K1N1 w - - 0 1", "g1e2~a2")
    assert str(after) == "4k3/8/8/8/8/8/R1P1N3/4K3 b - - 0 1"
    later = after.play(after.parse_turn("e8e7"))
    assert {"c2c3", "c2c4"} <= {str(turn) for turn in later.turns()}
    assert str(later.play(later.parse_turn("c2c4"))).split()[3] == "c3"


def test_only_a_conversion_may_stand_between_the_king_and_mate():
    mated = GAME.parse("7k/8/8/8/8/8/5PPP/2r3K1 w - - 0 1")
    assert mated.outcome == rules.Outcome("black", "checkmate")
    saved = GAME.parse("7k/8/8/8/8/8/r1B2PPP/R1r3K1 w - - 0 1")
    assert saved.outcome is None


def test_two_bare_kings_are_a_draw_and_leave_no_turn():
    position = GAME.parse("8/6K1/8/8/8/8/5k2/8 w - - 0 29")
    assert position.outcome == rules.Outcome(None, "bare-kings")
    assert list(position.turns()) == []
    assert refused(position.parse_turn, "g7g8")[0] == "game-over"


def test_a_conversion_is_not_plain_and_names_what_to_touch():
    position = GAME.parse("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1")
    turn = position.parse_turn("d3e4~a4")
    assert not turn.plain
    assert position.parse_turn("d3e4").plain
    deed = position.deed(turn)
    assert (deed.touch, deed.becomes, deed.taken) == ("a4", (("c4", "wN"),), ("e4",))


@pytest.mark.parametrize(
    ("turn", "squares"),
    [("d3e4~b4", ("e4", "b4")), ("d3e4~e8", ("e4", "e8")), ("d3d4~a4", ())],
)
def test_no_such_segment(turn, squares):
    position = GAME.parse("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1")
    assert refused(position.parse_turn, turn) == ("no-such-segment", squares)
