"""Why the pieces that hands have carried are no turn, when nobody has said what it was to be."""

import random

import pytest
import realm_walks

import rules

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLER = "5r1k/8/8/8/8/8/4P3/4K2R w K - 0 1"

CASES = [
    (START, "d2d3 e2e3", "mixed-realms", ("d2", "e2")),
    (START, "b1c3 c2c4 d1d3", "path-blocked", ("d2",)),
    (START, "e2e5", "no-such-move", ("e2", "e5")),
    (START, "e7e5 d7d5", "not-your-piece", ("d7",)),
    (START, "e4e5", "empty-square", ("e4",)),
    (CASTLER, "e1g1 h1f1", "castling-through-check", ("f8",)),
    ("4r2k/8/8/8/8/8/3NN3/4K3 w - - 0 1", "d2f3 e2g3", "mixed-realms", ("d2", "e2")),
    ("4r2k/8/8/8/8/8/4NN2/4K3 w - - 0 1", "e2g3 f2g4", "exposes-king", ("e8",)),
    ("8/8/8/3k4/8/8/8/3K4 w - - 0 1", "d1d2", "game-over", ()),
]


def carried(text):
    return [(move[:2], move[2:]) for move in text.split()]


@pytest.mark.parametrize(("fen", "moves", "reason", "squares"), CASES)
def test_the_reason_and_the_squares(fen, moves, reason, squares):
    refusal = rules.load("realm").parse(fen).objection(carried(moves))
    assert (refusal.reason, refusal.squares) == (reason, squares)


@pytest.mark.parametrize("options", realm_walks.OPTIONS, ids=realm_walks.option_name)
def test_there_is_no_objection_to_a_legal_turn(options):
    source = random.Random(9)
    for position in realm_walks.sample(rules.load("realm", **options), source, 15):
        if position.outcome is None:
            turn = realm_walks.random_turn(position, source)
            assert position.objection(position.deed(turn).moves) is None


def test_other_games_object_to_a_second_piece():
    position = rules.load("reversi").start()
    assert position.objection([("e2", "e4")]) is None
    assert position.objection([("e2", "e5")]).reason == "no-such-move"
    assert position.objection([("e2", "e4"), ("d2", "d4")]).reason == "too-many-pieces"


def test_a_promotion_still_to_be_named_is_no_objection():
    position = rules.load("reversi").parse("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1")
    assert position.objection([("b7", "b8")]) is None
