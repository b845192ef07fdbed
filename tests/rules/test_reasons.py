"""Why not: the reason and the squares for every way in which a move as in chess can be wrong."""

import pytest
from refusals import refused

import rules

GAME = rules.load("indistinguishable")
EMPTY = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"

WRONG = [
    # what stands where
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "d2d4", "empty-square", ("d2",)),
    ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "e7e5", "not-your-piece", ("e7",)),
    ("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "a1e1", "own-piece-there", ("e1",)),
    # the ways of the pieces
    ("4k3/8/8/8/8/8/P7/N3K3 w - - 0 1", "a1a3", "no-such-move", ("a1",)),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b3", "no-such-move", ("a1",)),
    ("4k3/8/8/8/8/8/P7/B3K3 w - - 0 1", "a1a8", "no-such-move", ("a1",)),
    ("4k3/8/8/8/8/8/P7/Q3K3 w - - 0 1", "a1b3", "no-such-move", ("a1",)),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "e1e3", "no-such-move", ("e1",)),
    ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a5", "no-such-move", ("a3",)),
    ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a2", "no-such-move", ("a3",)),
    ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3b4", "no-such-move", ("b4",)),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3q", "no-such-move", ("a3",)),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8q", "no-such-move", ("a1",)),
    # something in the way: the first piece met
    ("4k3/p7/8/8/n7/8/8/R3K3 w - - 0 1", "a1a8", "path-blocked", ("a4",)),
    ("R7/p3k3/8/8/n7/8/8/4K3 w - - 0 1", "a8a1", "path-blocked", ("a7",)),
    ("4k3/8/8/8/3n4/8/8/B3K3 w - - 0 1", "a1h8", "path-blocked", ("d4",)),
    ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "a2a3", "path-blocked", ("a3",)),
    ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "a2a4", "path-blocked", ("a3",)),
    ("4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", "a2a4", "path-blocked", ("a4",)),
    # promotion
    ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "needs-promotion", ("a8",)),
    # kings
    ("4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3c4", "exposes-king", ("e8",)),
    ("3r2k1/8/8/8/8/4N3/8/4K3 w - - 0 1", "e1d2", "exposes-king", ("d8",)),
    ("4r1k1/8/8/8/8/N7/8/4K3 w - - 0 1", "a3b5", "still-in-check", ("e8",)),
    ("4r1k1/8/8/8/7b/N7/8/4K3 w - - 0 1", "a3c2", "still-in-check", ("e8", "h4")),
    ("8/8/8/KPp4r/8/8/6k1/8 w - c6 0 1", "b5c6", "exposes-king", ("h5",)),
    # castling
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "castling-rights", ("e1", "h1")),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1", "castling-rights", ("e1", "a1")),
    ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", "path-blocked", ("f1",)),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "path-blocked", ("b1",)),
    ("4rk2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling-through-check", ("e8",)),
    ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling-through-check", ("f8",)),
    ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling-through-check", ("g8",)),
    ("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "castling-through-check", ("d8",)),
    # texts
    *((EMPTY, text, "syntax", ()) for text in ("", "e4", "e2e9", "e1e1", "e7e8k", "e2-e4", "0000")),
    # the end
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "h8g8", "game-over", ()),
    ("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "a8a7", "game-over", ()),
    (EMPTY, "e1e2", "game-over", ()),
]


@pytest.mark.parametrize(("text", "turn", "reason", "squares"), WRONG)
def test_the_reason_and_its_squares(text, turn, reason, squares):
    position = GAME.parse(text)
    assert refused(position.parse_turn, turn) == (reason, squares)


def test_queenside_castling_needs_no_safe_way_for_the_rook():
    assert GAME.parse("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1").parse_turn("e1c1")


def test_a_rook_taken_home_by_the_king_is_no_castling():
    position = GAME.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert refused(position.parse_turn, "e1h1")[0] == "own-piece-there"


@pytest.mark.parametrize("game_id", ["indistinguishable", "reversi", "mockery"])
def test_play_refuses_a_turn_of_another_position(game_id):
    start = rules.load(game_id).start()
    turn = start.parse_turn("e2e4")
    assert refused(start.play(turn).play, turn)[0] == "empty-square"


def test_play_takes_the_turn_of_another_game_by_its_text():
    turn = rules.load("reversi").start().parse_turn("e2e4")
    assert GAME.start().play(turn) == GAME.start().play(GAME.start().parse_turn("e2e4"))


def test_every_reason_given_is_a_documented_one():
    assert {reason for _, _, reason, _ in WRONG} <= GAME.reasons.keys()
