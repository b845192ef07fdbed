"""What the rules decide where the inventor is silent: each decision is a test that names it."""

import pytest
from realm_oracle import Oracle
from refusals import refused

import rules
from rules.explain import Seen

STANDARD = rules.load("realm")
FREE = rules.load("realm", free=True)
POWER = rules.load("realm", power=True)
BALANCED = rules.load("realm", balanced=True)


def texts(game, fen):
    return {str(turn) for turn in game.parse(fen).turns()}


def after(game, fen, text):
    position = game.parse(fen)
    return str(position.play(position.parse_turn(text)))


def refusal(game, fen, text):
    return refused(game.parse(fen).parse_turn, text)[0]


def test_moves_are_simultaneous_when_some_order_exists():
    # The queen passes d2 once its pawn has left, the knight's square is free all along.
    start = STANDARD.start()
    assert str(start.parse_turn("C-cd34:b1c3,c2c4,d1d3,d2d4")) in {str(t) for t in start.turns()}


def test_moves_that_block_each_other_in_every_order_are_no_turn():
    # Each rook could enter alone; together each crosses the square on which the other ends.
    fen = "7k/8/8/8/8/8/8/K2R3R w - - 0 1"
    assert refusal(STANDARD, fen, "C-ef12:d1f1,h1e1") == "path-blocked"
    assert after(STANDARD, fen, "C-ef12:d1e1,h1f1").startswith("7k/8/8/8/8/8/8/K3RR2 b")


def test_a_rearrangement_is_one_step_anywhere_in_the_order():
    # c1 must leave before the king steps there, and the rook comes to b1 only after him.
    fen = "7k/8/8/8/8/1R6/8/1KB5 w - - 0 1"
    assert refusal(STANDARD, fen, "P-cd12:b1c1,c1d1") == "no-such-move"
    assert after(POWER, fen, "P-cd12:b1c1,c1d1").startswith("7k/8/8/8/8/1R6/8/2KB4 b")
    # A bishop that leaves frees the square on which the king is put down.
    fen = "7k/8/8/8/8/8/8/KB6 w - - 0 1"
    assert after(POWER, fen, "P-ab12:a1b1,b1h7").startswith("7k/7B/8/8/8/8/8/1K6 b")


def test_no_move_captures_a_king_on_a_line_opened_in_mid_turn():
    fen = "3k4/8/8/8/3N4/3R4/8/K7 w - - 0 1"
    assert refusal(STANDARD, fen, "D-cd34:d3d8,d4f5") == "king-capture"
    assert not any("d3d8" in text for text in texts(POWER, fen))


def test_the_king_may_stand_attacked_in_mid_turn():
    fen = "3r3k/8/8/8/8/8/5B2/4K3 w - - 0 1"
    assert refusal(STANDARD, fen, "e1d1") == "exposes-king"
    assert "D-ef12:e1d1,f2d4" in texts(STANDARD, fen)


def test_check_is_looked_at_only_when_the_turn_is_over():
    # In double check; each of the two pieces lifts one of them.
    fen = "4r2k/8/8/5R2/7b/2N5/8/4K3 w - - 0 1"
    assert refusal(STANDARD, fen, "c3e2") == "still-in-check"
    assert refusal(STANDARD, fen, "f5f2") == "still-in-check"
    assert "C-ef12:c3e2,f5f2" in texts(STANDARD, fen)


def test_castling_may_follow_a_move_that_lifts_the_check():
    # The knight that makes room for the rook stands in the way of the check.
    fen = "4r2k/8/8/8/8/8/8/4KN1R w K - 0 1"
    assert after(STANDARD, fen, "D-ef12:e1g1,f1e3").split()[0] == "4r2k/8/8/8/8/4N3/8/5RK1"
    assert refusal(STANDARD, fen, "D-ef12:e1g1,f1d2") == "castling-through-check"
    assert refusal(STANDARD, fen, "e1g1") == "path-blocked"


def test_castling_needs_its_conditions_at_its_point_in_the_order():
    # The rook could shield the king's way only after it has left its corner.
    fen = "5r1k/8/8/8/8/8/8/4K2R w K - 0 1"
    assert refusal(STANDARD, fen, "e1g1") == "castling-through-check"
    # The bishop shields it before.
    fen = "5r1k/8/8/8/8/8/7B/4K2R w K - 0 1"
    assert refusal(STANDARD, fen, "D-ef12:e1g1") == "castling-through-check"
    fen = "5r1k/8/8/8/8/8/4B3/4K2R w K - 0 1"
    assert "D-ef12:e1g1,e2f3" in texts(STANDARD, fen)


def test_castling_counts_as_one_piece_and_the_rook_is_not_looked_at():
    fen = "7k/8/8/8/8/8/4PP2/4K2R w K - 0 1"
    assert after(STANDARD, fen, "D-ef12:e1g1,e2e4,f2f4") == ("7k/8/8/8/4PP2/8/8/5RK1 b - e3,f3 0 1")
    balanced = BALANCED.parse(fen.replace("0 1", "0 2"))
    assert str(balanced.parse_turn("D-ef12:e1g1,e2e4,f2f4"))


def test_no_rearrangement_touches_the_castled_rook():
    fen = "7k/8/8/8/8/8/5P2/4K2R w K - 0 1"
    assert refusal(POWER, fen, "P-gh12:e1g1,h1h2") == "moved-twice"


def test_pawns_advance_by_where_they_stand_however_they_came_there():
    fen = "7k/8/8/8/8/8/P7/P1K5 w - - 0 1"
    assert {"a2a3", "a2a4"} <= texts(STANDARD, fen)
    assert refusal(STANDARD, fen, "a1a3") == "path-blocked"
    fen = "7k/8/8/8/8/8/8/P1K5 w - - 0 1"
    assert {"a1a2", "a1a3", "a1a4"} <= texts(STANDARD, fen)
    assert "a1a5" not in texts(STANDARD, fen)


def test_a_rearranged_pawn_promotes():
    position = STANDARD.parse("8/1P6/8/8/8/8/8/K6k w - - 0 1")
    assert {f"R-ab78:b7a8{letter}" for letter in "qrbn"} <= {str(t) for t in position.turns()}


def test_only_the_square_directly_behind_an_advanced_pawn_may_be_taken():
    assert after(STANDARD, "7k/8/8/8/8/8/8/P1K5 w - - 0 1", "a1a4").split()[3] == "a3"
    assert after(STANDARD, "7k/8/8/8/8/8/8/P1K5 w - - 0 1", "a1a3").split()[3] == "a2"
    fen = "7k/8/8/8/1p6/p7/8/P1K5 b - - 0 1"
    assert "b4a3" not in texts(STANDARD, fen)


def test_no_square_is_passed_that_is_taken_when_the_turn_is_over():
    fen = "7k/8/8/8/8/8/4P3/4K1N1 w - - 0 1"
    assert after(STANDARD, fen, "e2e4").split()[3] == "e3"
    fen = "7k/8/8/8/8/8/4P3/2B1K3 w - - 0 1"
    assert after(STANDARD, fen, "C-ef34:c1e3,e2e4").split()[3] == "-"


def test_several_pawns_may_be_taken_en_passant_each_by_its_own_pawn():
    fen = "7k/8/8/8/1pPPp3/8/8/K7 b - c3,d3 0 1"
    assert after(STANDARD, fen, "b4c3").split()[0] == "7k/8/8/8/3Pp3/2p5/8/K7"
    assert after(STANDARD, fen, "C-cd34:b4c3,e4d3").split()[0] == "7k/8/8/8/8/2pp4/8/K7"


def test_a_pawn_taken_en_passant_must_still_stand():
    # The queen may take on d5 once the pawn beside it has been taken en passant.
    fen = "7k/8/8/3pP3/8/8/8/K2Q4 w - d6 0 1"
    assert after(STANDARD, fen, "C-cd56:d1d5,e5d6").split()[0] == "7k/8/3P4/3Q4/8/8/8/K7"
    # From d8 she must pass d6 before, and then no pawn is left to take en passant.
    fen = "3Q4/7k/8/3pP3/8/8/8/K7 w - d6 0 1"
    assert refusal(STANDARD, fen, "C-cd56:d8d5,e5d6") == "path-blocked"


def test_castling_rights_end_when_a_rook_is_rearranged():
    fen = "7k/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert after(STANDARD, fen, "R-gh12:h1h2").split()[2] == "Q"
    assert after(STANDARD, fen, "R-ef12:e1f1").split()[2] == "-"


def test_castling_rights_end_when_the_rook_is_captured():
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert after(STANDARD, fen, "a1a8").split()[2] == "Kk"


def test_a_turn_must_change_the_placement():
    fen = "7k/8/8/8/8/8/NN6/K7 w - - 0 1"
    assert refusal(STANDARD, fen, "R-ab12:a2b2,b2a2") == "nothing-changed"
    assert not any("a2b2,b2a2" in text for text in texts(STANDARD, fen))


def test_like_pieces_never_trade_places_in_a_rearrangement():
    fen = "7k/8/8/8/8/8/NN6/K7 w - - 0 1"
    assert refusal(STANDARD, fen, "R-ab12:a1b2,a2a1,b2a2") == "nothing-changed"
    assert "R-ab12:a1b2,b2a1" in texts(STANDARD, fen)


@pytest.mark.parametrize("options", [{}, {"power": True}, {"free": True}], ids=str)
def test_a_queen_makes_room_for_a_pawn_that_promotes_to_one(options):
    # A pawn before the part is like no queen, though her square holds a queen before and after.
    fen = "7Q/4R2P/7k/3p1Q2/4R3/8/5K1B/8 w - - 0 34"
    game = rules.load("realm", **options)
    turns = {str(turn): turn for turn in game.parse(fen).turns()}
    for text, placement in (
        ("R-gh78:h7h8q,h8g7", "7Q/4R1Q1/7k/3p1Q2/4R3/8/5K1B/8"),
        ("R-gh78:h7h8q,h8h7", "7Q/4R2Q/7k/3p1Q2/4R3/8/5K1B/8"),
    ):
        assert after(game, fen, text).split()[0] == placement
        assert text in turns
    assert turns.keys() == Oracle(fen, **options).turns().keys()


def test_a_board_that_names_pieces_shows_a_queen_making_room_for_another():
    position = STANDARD.parse("1Q6/1P6/8/8/8/8/8/K6k w - - 0 1")
    turn = position.parse_turn("R-ab78:b7b8q,b8a7")
    shown = position.play(turn).placement
    seen = Seen(frozenset(shown), shown)
    explainer = position.explainer()
    assert explainer.fitting(seen) == (turn,)
    assert turn in explainer.leading_to(seen, limit=64)


def test_like_pieces_that_stand_before_a_rearrangement_stay_beside_a_promotion():
    fen = "1QQ5/1P6/8/8/8/8/8/K6k w - - 0 1"
    assert refusal(FREE, fen, "R-bc78:b7b8q,b8c8,c8c7") == "nothing-changed"
    assert "R-bc78:b7b8q,b8c7" in texts(FREE, fen)


def test_the_clock_restarts_on_captures_and_pawn_moves_rearranged_pawns_included():
    fen = "7k/8/8/8/8/8/PN6/K7 w - - 7 9"
    assert after(STANDARD, fen, "R-ab12:a2b2,b2a2").split()[4] == "0"
    assert after(STANDARD, fen, "R-ab12:a1b1").split()[4] == "8"
    assert after(STANDARD, "r6k/8/8/8/8/8/8/R3K3 w - - 7 9", "a1a8").split()[4] == "0"


@pytest.mark.parametrize(("ply", "fen"), [(1, "w {} 1"), (2, "b {} 1"), (3, "w {} 2")])
def test_balanced_lets_as_many_pieces_move_as_plies_have_come(ply, fen):
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
    position = BALANCED.parse(board + fen.format("- - 0"))
    assert max(len(turn.moves) for turn in position.turns()) == min(ply, 4)


def test_rearranged_pieces_count_as_the_fewest_that_give_the_arrangement():
    # King and knight change places; the other knight is no part of it.
    fen = "7k/8/8/8/8/8/NN6/K7 w - - 0 "
    assert "R-ab12:a1b2,b2a1" in texts(BALANCED, fen + "2")
    assert refusal(BALANCED, fen + "1", "R-ab12:a1b2,b2a1") == "too-many-pieces"


def test_two_bare_kings_draw():
    position = STANDARD.parse("8/8/8/3k4/8/8/3K4/8 w - - 0 1")
    assert position.outcome == rules.Outcome(None, "bare-kings")
    assert list(position.turns()) == []
    with pytest.raises(rules.IllegalTurn, match="drawn") as caught:
        position.parse_turn("d2d3")
    assert caught.value.reason == "game-over"


def test_one_position_is_one_turn_under_its_first_description():
    fen = "7k/8/8/8/8/8/P7/K7 w - - 0 1"
    position = STANDARD.parse(fen)
    for text in ("a2a3", "D-ab12:a2a3", "C-ab34:a2a3"):
        assert str(position.parse_turn(text)) == "a2a3"
    assert str(position.parse_turn("R-ab12:a1b1")) == "a1b1"
    assert str(POWER.parse(fen).parse_turn("P-ab34:a2a4")) == "a2a4"


def test_a_rearrangement_onto_an_en_passant_square_captures_nothing():
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert after(FREE, fen, "R-de56:e5d6").split()[0] == "4k3/8/3P4/3p4/8/8/8/4K3"
    assert after(FREE, fen, "e5d6").split()[0] == "4k3/8/3P4/8/8/8/8/4K3"


def test_a_combination_takes_in_at_most_four_and_leaves_those_that_enter_alone():
    fen = "7k/8/8/8/8/8/8/K1N4R w - - 0 1"
    assert refusal(POWER, fen, "P-cd12:c1d1,d1h1") == "moved-twice"
    assert "P-cd12:c1d3,h1c1" in texts(POWER, fen)


def test_checkmate_only_when_no_whole_turn_helps():
    back_rank = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"
    assert STANDARD.parse(back_rank).outcome is None
    assert "R-gh78:g7g8,g8g7" in texts(STANDARD, back_rank)
    mate = STANDARD.parse("8/Q1k4R/2RQ4/B1NN4/8/8/8/4K3 b - - 1 1")
    assert mate.outcome == rules.Outcome("white", "checkmate")
    assert list(mate.turns()) == []


def test_stalemate_when_no_whole_turn_is_left():
    position = STANDARD.parse("3k4/5Q1R/8/8/8/6RB/1K6/8 b - - 0 40")
    assert not position.in_check
    assert position.outcome == rules.Outcome(None, "stalemate")
    assert list(position.turns()) == []


def test_the_side_that_has_just_moved_may_stand_in_check():
    position = STANDARD.parse("8/8/8/8/8/1k6/8/KR6 w - - 0 1")
    assert not position.in_check
    assert not any(text.endswith("b3") for text in map(str, position.turns()))
