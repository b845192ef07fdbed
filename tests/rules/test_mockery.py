"""Mockery Chess: each decision of its rules, by name."""

import pytest
from refusals import refused

import rules

GAME = rules.load("mockery")


def turns(text):
    return {str(turn) for turn in GAME.parse(text).turns()}


def play(text, turn):
    position = GAME.parse(text)
    return position.play(position.parse_turn(turn))


def invisible_after(text, turn):
    return set(play(text, turn).invisible)


def reason(text, turn):
    return refused(GAME.parse(text).parse_turn, turn)


def test_a_threatened_piece_beside_a_friend_vanishes():
    assert invisible_after("4k3/8/8/2pp4/8/8/8/R3K3 w - - 0 1 -", "a1d1") == {"d5"}


def test_a_threatened_piece_alone_stays_visible():
    assert invisible_after("4k3/8/8/3p4/8/8/8/R3K3 w - - 0 1 -", "a1d1") == set()


def test_only_enemies_beside_it_are_no_support():
    assert invisible_after("4k3/8/8/2Pp4/8/8/8/R3K3 w - - 0 1 -", "a1d1") == set()


def test_threatened_friends_do_not_support_each_other():
    assert invisible_after("4k3/8/8/2pp4/8/8/7R/2R1K3 w - - 0 1 -", "h2d2") == set()


def test_an_invisible_piece_supports_nobody():
    assert invisible_after("4k3/8/1p6/2pp4/8/8/7R/2R1K3 w - - 0 1 c5", "h2d2") == {"c5"}


def test_an_invisible_piece_threatens_nobody():
    assert invisible_after("4k3/8/7b/2pp4/8/8/3R4/4K3 b - - 0 1 d2", "e8e7") == {"d2"}


def test_en_passant_is_no_attack():
    assert invisible_after("4k3/3p4/2p5/4P3/8/8/8/4K3 b - - 0 1 -", "d7d5") == set()
    assert invisible_after("4k3/3p4/2p5/8/4P3/8/8/4K3 b - - 0 1 -", "d7d5") == {"d5"}


def test_the_mover_vanishes_first_and_so_stops_threatening():
    text = "4k3/8/8/2pp4/8/8/4P3/3K4 w - - 0 1 -"
    assert invisible_after(text, "e2e4") == {"d5"}
    text = "4k3/8/8/2pp4/8/3K4/4P3/8 w - - 0 1 -"
    assert invisible_after(text, "e2e4") == {"e4"}


def test_a_piece_comes_back_when_the_threat_is_gone():
    assert invisible_after("4k3/8/8/2pp4/8/8/8/3RK3 w - - 0 1 d5", "d1a1") == set()


def test_a_piece_comes_back_when_its_support_is_gone():
    assert invisible_after("4k3/8/8/2pp4/8/8/8/3RK3 b - - 0 1 d5", "c5c4") == {"d5"}
    assert invisible_after("4k3/8/2b5/3p4/8/8/8/3RK3 b - - 0 1 d5", "c6a8") == set()


def test_a_position_given_as_text_is_taken_as_it_stands():
    text = "4k3/8/8/2pp4/8/8/8/R3K3 w - - 0 1 a1,c5"
    assert str(GAME.parse(text)) == text


def test_invisible_pieces_still_block():
    text = "4k3/8/8/8/4p3/8/8/4R1K1 b - - 0 1 e4"
    assert not GAME.parse(text).in_check
    text = text.replace(" b ", " w ")
    assert reason(text, "e1e5") == ("path-blocked", ("e4",))


def test_an_invisible_piece_still_moves_and_captures():
    assert "d1d5" in turns("4k3/8/3p4/3p4/8/8/8/3RK3 w - - 0 1 d1")


def test_an_invisible_piece_cannot_be_captured():
    text = "4k3/8/3p4/3p4/8/8/8/3RK3 w - - 0 1 d5"
    assert reason(text, "d1d5") == ("invisible-target", ("d5",))
    assert "d1d5" not in turns(text)


def test_an_invisible_pawn_cannot_be_taken_en_passant():
    text = "4k3/8/2p5/3pP3/8/8/8/4K3 w - d6 0 1 d5"
    assert reason(text, "e5d6") == ("invisible-target", ("d5",))
    assert "e5d6" in turns(text.replace("0 1 d5", "0 1 -"))


def test_a_king_attacked_only_by_invisible_pieces_is_not_in_check():
    assert not GAME.parse("4k3/8/8/8/8/8/8/4RK2 b - - 0 1 e1").in_check
    assert GAME.parse("4k3/8/8/8/8/8/8/4RK2 b - - 0 1 -").in_check


def test_an_invisible_king_is_not_in_check():
    assert not GAME.parse("4k3/8/8/8/8/8/8/4RK2 b - - 0 1 e8").in_check


def test_an_invisible_piece_captures_the_king_and_wins():
    after = play("r3k3/8/8/8/8/8/8/4RK2 w q - 0 1 e1", "e1e8")
    assert str(after) == "r3R3/8/8/8/8/8/8/5K2 b - - 0 1 -"
    assert after.outcome == rules.Outcome("white", "king-captured")
    assert list(after.turns()) == []
    assert GAME.parse(str(after)).outcome == after.outcome


def test_capturing_the_king_ends_his_castling_rights_and_not_the_captors():
    after = play("r3k2r/8/8/8/8/8/4R3/4K2R w Kkq - 0 1 e2", "e2e8")
    assert str(after).split()[2] == "K"


def test_capturing_the_king_is_legal_even_with_the_own_king_in_check():
    assert "e1e8" in turns("4kr2/8/8/8/8/8/8/4RK2 w - - 0 1 e1")


def test_an_invisible_king_captures_the_king_too():
    assert "d1e2" in turns("8/8/8/8/8/P7/4k3/3K4 w - - 0 1 d1")


def test_a_visible_piece_never_captures_a_king():
    text = "4k3/8/8/8/8/8/8/4RK2 w - - 0 1 -"
    assert reason(text, "e1e8") == ("king-capture", ("e8",))
    assert "e1e8" not in turns(text)


def test_an_invisible_king_cannot_be_captured():
    assert reason("4k3/8/8/8/8/8/8/4RK2 w - - 0 1 e1,e8", "e1e8") == ("invisible-target", ("e8",))


def test_a_check_may_be_met_by_bringing_a_friend_beside_the_king():
    text = "4r1k1/8/8/8/8/7B/8/4K3 w - - 0 1 -"
    assert invisible_after(text, "h3f1") == {"e1"}
    assert reason(text, "h3g2") == ("still-in-check", ("e8",))


def test_a_promoted_pawn_keeps_its_flag():
    assert invisible_after("7r/NP6/8/8/8/8/8/K3k3 w - - 0 1 b7", "b7b8q") == {"b8"}


def test_castling_leaves_no_flags_behind():
    assert invisible_after("6r1/8/8/8/k7/8/5P2/4K2R w K - 0 1 e1,h1", "e1g1") == {"g1"}


def test_an_invisible_king_may_castle_though_attacked():
    text = "4r1k1/8/8/8/8/8/3P4/4K2R w K - 0 1 "
    assert "e1g1" in turns(text + "e1")
    assert reason(text + "-", "e1g1") == ("castling-through-check", ("e8",))


def test_the_square_the_castling_king_passes_counts_visible_attackers_only():
    text = "5rk1/8/8/8/8/8/8/4K2R w K - 0 1 "
    assert reason(text + "-", "e1g1") == ("castling-through-check", ("f8",))
    assert "e1g1" in turns(text + "f8")


def test_a_castling_king_may_land_on_an_attacked_square_and_vanish_there():
    assert invisible_after("6r1/8/8/8/k7/8/8/4K2R w K - 0 1 -", "e1g1") == {"g1"}


def test_two_bare_kings_are_a_draw():
    position = GAME.parse("8/6K1/8/8/8/8/5k2/8 w - - 0 29 -")
    assert position.outcome == rules.Outcome(None, "bare-kings")
    assert list(position.turns()) == []


def test_invisible_pieces_are_marked_for_all_to_see():
    shown = GAME.parse("4k3/8/8/2pp4/8/8/8/3RK3 w - - 0 1 d5").shown
    assert shown["d5"] == rules.Shown("P", "black", frozenset({"invisible"}))
    assert shown["c5"].marks == frozenset()


@pytest.mark.parametrize(
    ("text", "code", "squares"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e4", "invisible", ("e4",)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e8,e1", "invisible", ()),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "fields", ()),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1 -", "no-king", ()),
    ],
)
def test_what_is_wrong_with_a_position_is_reported(text, code, squares):
    with pytest.raises(rules.InvalidPosition) as invalid:
        GAME.parse(text)
    assert (code, squares) in [(p.code, p.squares) for p in invalid.value.problems]


@pytest.mark.parametrize("given", [6, 8])
def test_the_fields_of_a_position_are_counted_right(given):
    text = " ".join(["4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1", "-", "-"][:given])
    with pytest.raises(rules.InvalidPosition, match=f"^7 fields are needed, not {given}$"):
        GAME.parse(text)
