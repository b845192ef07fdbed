"""Why not: every reason code that Realm Chess gives, with the squares that show it."""

import pytest
from refusals import refused

import rules

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ROOKS = "7k/8/8/8/8/8/8/K2R3R w - - 0 1"

CASES = [
    # options, position, turn, reason, squares
    ("", START, "e2", "syntax", ()),
    ("", START, "e2e4,d2d4", "syntax", ()),
    ("", START, "X-ab12:e2e4", "syntax", ()),
    ("", START, "D-ab12:", "syntax", ()),
    ("", START, "e4e5", "empty-square", ("e4",)),
    ("", START, "e7e5", "not-your-piece", ("e7",)),
    ("", START, "e2e2", "nothing-changed", ("e2",)),
    ("", START, "b1d3", "no-such-move", ("b1", "d3")),
    ("", START, "e2e5", "no-such-move", ("e2", "e5")),
    ("", START, "e2d3", "no-such-move", ("d3",)),
    ("", START, "e2e4q", "no-such-move", ("e4",)),
    ("", START, "P-cd12:c2c3,d2d3", "no-such-move", ()),
    ("", START, "a1a3", "path-blocked", ("a2",)),
    ("", START, "c1a3", "path-blocked", ("b2",)),
    ("", START, "a1a2", "own-piece-there", ("a2",)),
    ("", START, "e1g1", "path-blocked", ("f1", "g1")),
    ("", "r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "castling-rights", ("e1", "h1")),
    ("", "4k3/8/8/8/8/8/8/4Kn1R w K - 0 1", "e1g1", "path-blocked", ("f1",)),
    ("", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling-through-check", ("f8",)),
    ("", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e3", "path-blocked", ("e3",)),
    ("", "4k3/8/8/r7/8/8/8/4K2R w K - 0 1", "h1a1", "path-blocked", ("e1",)),
    ("", "7k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7b8", "needs-promotion", ("b8",)),
    ("", "7k/1P6/8/8/8/8/8/K7 w - - 0 1", "R-ab78:b7a8", "needs-promotion", ("a8",)),
    ("", "7k/1P6/8/8/8/8/8/K7 w - - 0 1", "R-ab78:b7a7q", "no-such-move", ("a7",)),
    ("", "7k/8/8/8/8/8/8/K6R w - - 0 1", "h1h8", "king-capture", ("h8",)),
    ("", "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "exposes-king", ("e8",)),
    ("", "4r2k/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "still-in-check", ("e8",)),
    ("", START, "R-bc12:b1c2", "wrong-realm", ()),
    ("", START, "D-ab12:b1c3,c2c4", "mixed-realms", ("c2",)),
    ("", START, "D-cd12:b1c3", "wrong-realm", ("b1",)),
    ("", START, "D-cd12:c2c4,a2a3", "mixed-realms", ("a2",)),
    ("", START, "C-ab34:a2a4,b1c3", "mixed-realms", ("b1",)),
    ("", START, "D-ab12:a2b2", "wrong-realm", ("a2",)),
    ("", START, "R-ab12:a2a3", "wrong-realm", ("a2",)),
    ("", START, "D-ab12:a2a3,a2a4", "moved-twice", ("a2",)),
    ("", START, "D-ab12:a2a3,a3a4", "moved-twice", ("a3",)),
    ("power", "7k/8/8/8/8/8/8/4K2R w K - 0 1", "P-gh12:e1g1,h1h2", "moved-twice", ("h1",)),
    ("", ROOKS, "C-ef12:d1f1,h1f1", "own-piece-there", ("f1",)),
    ("", ROOKS, "C-ef12:d1f1,h1e1", "path-blocked", ("e1", "f1")),
    ("", "7k/8/8/8/8/8/1n6/KN6 w - - 0 1", "R-ab12:a1b2", "square-occupied", ("b2",)),
    ("", "7k/8/8/8/8/8/1N6/KN6 w - - 0 1", "R-ab12:a1b2", "own-piece-there", ("b2",)),
    ("", "7k/8/8/8/8/8/1N6/KN6 w - - 0 1", "R-ab12:b1b2,b2b1", "nothing-changed", ("b1", "b2")),
    ("balanced", START, "D-ef12:e2e4,f2f4", "too-many-pieces", ()),
    ("", "8/8/8/3k4/8/8/8/3K4 w - - 0 1", "d1d2", "game-over", ()),
    ("", "8/Q1k4R/2RQ4/B1NN4/8/8/8/4K3 b - - 1 1", "c7d8", "game-over", ()),
    ("", "3k4/5Q1R/8/8/8/6RB/1K6/8 b - - 0 40", "d8e8", "game-over", ()),
]


@pytest.mark.parametrize(("option", "fen", "text", "reason", "squares"), CASES)
def test_reason_and_squares(option, fen, text, reason, squares):
    game = rules.load("realm", **({option: True} if option else {}))
    assert refused(game.parse(fen).parse_turn, text) == (reason, squares)


def test_every_reason_given_is_a_documented_one():
    assert {reason for _, _, _, reason, _ in CASES} <= rules.load("realm").reasons.keys()


def test_play_refuses_as_parsing_does():
    position = rules.load("realm").parse(START)
    elsewhere = rules.load("realm").parse(START.replace(" w ", " b ")).parse_turn("e7e5")
    assert refused(position.play, elsewhere) == ("not-your-piece", ("e7",))


BOARD = "4k3/8/8/8/8/8/8/4K3"
PROBLEMS = [
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "no-king", ()),
    ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "many-kings", ("a1", "e1")),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn-rank", ("a8",)),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn-rank", ("a1",)),
    (f"{BOARD} w K - 0 1", "castling-rights", ("h1",)),
    (f"{BOARD} w - e6 0 1", "en-passant", ("e6",)),
    ("4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1", "en-passant", ("e5",)),
    ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "en-passant", ("e6",)),
    (f"{BOARD} x - - 0 1", "side", ()),
    (f"{BOARD} w - - 0", "fields", ()),
]


@pytest.mark.parametrize(("text", "code", "squares"), PROBLEMS)
def test_the_gate_tells_what_is_wrong_with_a_position(text, code, squares):
    with pytest.raises(rules.InvalidPosition) as caught:
        rules.load("realm").parse(text)
    assert [(p.code, p.squares) for p in caught.value.problems] == [(code, squares)]


def test_the_gate_tells_everything_at_once():
    with pytest.raises(rules.InvalidPosition) as caught:
        rules.load("realm").parse("P7/8/8/8/8/8/8/4K3 w k e6 0 1")
    codes = [problem.code for problem in caught.value.problems]
    assert codes == ["no-king", "pawn-rank", "castling-rights", "en-passant"]


@pytest.mark.parametrize(
    "text",
    [
        "4k2p/8/8/8/8/8/8/P3K3 w - - 0 1",  # pawns on their own first ranks
        "4k3/8/2p5/4p3/8/8/8/4K3 w - c7,e6 0 1",  # passed by two and by three squares
        "8/8/8/8/8/1k6/8/KR6 w - - 0 1",  # the side that has just moved in check
    ],
)
def test_what_realm_chess_brings_about_is_let_in(text):
    assert str(rules.load("realm").parse(text)) == text
