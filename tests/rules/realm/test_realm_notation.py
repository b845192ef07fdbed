"""The inventor's notation, read and written; his game and the two problems of many checks."""

import random

import pytest
import realm_walks

import rules
from rules.games.realm.bitboard import names_of

REALM = rules.load("realm")

# Edward against Hunter, by email, as their score gives it.
GAME = [
    ("c4 d4 Nc3 Qd3 (C-cd34)", "h5 Rh6 Nf6 g5 (D-gh78)"),
    ("Bxg5", "Rh5 h5h6 (R-gh56)"),
    ("g4 h4 Bh3 (C-gh34)", "Rg6 (R-gh56)"),
    ("Bg5-h5 (R-gh56)", "Rh6 h6g5 (R-gh56)"),
    ("hxg5 Bg2 (D-gh34)", "Rh8 Nh7 Bg7 (C-gh78)"),
    ("e4 f4 0-0-0 (D-ef12)", "Qc7 Bd7 c7c8 d7d8 (R-cd78)"),
    ("Bh3, Ne2, Re1 (D-gh12)", "a5 b5 Ra6 Nc6 (D-ab78)"),
    ("Pxb5, d5, Na4, Qe3 (D-cd34)", "Nb4+"),
    ("Nc3, Nd4 (C-cd34)", "BxN Nxg5 RxB (D-gh78)"),
    ("gxh5, Bxd7+ (D-gh34)", "KxB"),
    ("fxg5, Qxd4 (D-ef34)", "Qf4 Ke8 c5+ (D-cd78)"),
    ("Qe3", "e5 f5 (D-ef78)"),
    ("Qxf4",),
]


def replay():
    position = REALM.start()
    for turns in GAME:
        for text in turns:
            turn = position.understand(text)
            yield position, text, turn
            position = position.play(turn)
    yield position, None, None


def test_a_position_is_told_to_programs_for_chess_where_it_is_one_of_theirs():
    start = REALM.start()
    one, two = start.parse_turn("e2e4"), start.parse_turn("D-cd12:c2c4,d2d4")
    assert start.play(one).fen == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert start.play(two).fen is None  # either pawn could be taken in passing


def test_the_inventors_game_replays_to_its_end():
    *turns, (end, _, _) = replay()
    assert len(turns) == 25
    assert str(end) == "3pk3/8/r7/pPpPppPP/1n2PQ2/2N5/PP6/2KRR3 b - - 0 13"


def test_the_game_reads_as_it_was_meant():
    turns = [str(turn) for _, _, turn in replay()][:-1]
    assert turns[0] == "C-cd34:b1c3,c2c4,d1d3,d2d4"
    assert turns[3] == "R-gh56:h5h6,h6h5"
    assert turns[10] == "D-ef12:e1c1,e2e4,f2f4"
    assert turns[11] == "R-cd78:c7c8,c8d7,d7d8,d8c7"
    assert turns[17] == "D-gh78:g7d4,h7g5,h8h5"


def test_a_plus_in_the_game_is_a_check():
    for position, text, turn in replay():
        if text and "+" in text:
            assert position.play(turn).in_check


def test_what_is_written_of_the_game_is_understood_again():
    for position, text, turn in replay():
        if text:
            assert position.understand(position.written(turn)) == turn


SIX = "8/QNk1N2R/1R6/B7/8/8/3Q4/4K3 w - - 0 1"
SEVEN = "6Q1/8/4N3/3kN2R/2N1q3/3P4/B7/3R3K w - - 0 1"


def checks_given(position):
    return names_of(position.finder.board.checkers)


def test_six_checks_at_once_and_mate():
    position = REALM.parse(SIX)
    turn = position.understand("Nc5, Nd5, Rc6, Qd6++++++ (C-cd56)")
    after = position.play(turn)
    assert checks_given(after) == ("a5", "a7", "c6", "d5", "d6", "h7")
    assert after.outcome == rules.Outcome("white", "checkmate")
    assert position.written(turn) == "Nc5 Nd5 Rc6 Qd6# (C-cd56)"


def test_seven_checks_at_once_and_one_answer():
    position = REALM.parse(SEVEN)
    after = position.play(position.understand("dxe4 Ne3 Nf3 Nf4 (C-ef34)"))
    assert checks_given(after) == ("a2", "d1", "e3", "e4", "f4", "g8", "h5")
    assert after.outcome is None
    assert "d5e4" in {str(turn) for turn in after.turns()}


def test_a_position_without_check_gives_none():
    assert checks_given(REALM.start()) == ()


def test_ambiguous_notation_is_asked_back():
    position = REALM.parse("7k/8/8/8/8/8/8/K2R3R w - - 0 1")
    with pytest.raises(rules.IllegalTurn, match="d1f1 or h1f1") as caught:
        position.understand("Rf1")
    assert caught.value.reason == "ambiguous"
    assert str(position.understand("Rd1-f1")) == "d1f1"


@pytest.mark.parametrize("options", realm_walks.OPTIONS, ids=realm_walks.option_name)
def test_written_turns_are_understood_again(options):
    source = random.Random(7)
    for position in realm_walks.sample(rules.load("realm", **options), source, 12):
        if position.outcome is None:
            turn = next(position.turns())
            assert position.understand(position.written(turn)) == turn
            for _ in range(4):
                turn = realm_walks.random_turn(position, source)
                written = position.written(turn)
                assert position.understand(written) == turn, (str(position), written)
                assert position.understand(str(turn)) == turn
