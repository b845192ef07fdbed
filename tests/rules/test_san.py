"""Algebraic notation as people write it, there and back."""

import random

import chess
import pytest
import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import rules
from tests.nightly import few

GAMES = ("indistinguishable", "reversi", "mockery")
CHESS = rules.load("indistinguishable")


@settings(max_examples=few(25))
@given(st.integers(0, 10**9))
def test_orthodox_notation_is_that_of_other_programs(seed):
    position = random_positions.played(CHESS, random.Random(seed))
    board = chess.Board(str(position))
    for turn in position.turns():
        assert position.written(turn) == board.san(chess.Move.from_uci(str(turn)))


@pytest.mark.parametrize(
    ("fen", "text", "turn"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "o-o-o+", "e8c8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a7a8q"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=N", "a7a8n"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rhf1+!", "h1f1"),
        ("4k3/p7/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", "a1a3"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Ra1-b1", "a1b1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", " e2-e4 ", "e2e4"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7-a8=R", "a7a8r"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1-b1", "a1b1"),
    ],
)
def test_people_write_it_in_many_ways(fen, text, turn):
    assert str(CHESS.parse(fen).understand(text)) == turn


@pytest.mark.parametrize(
    ("fen", "text", "reason", "squares"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rf1", None, ()),
        ("4k3/8/8/8/8/3p4/8/R4R1K w - - 0 1", "Rd1", "ambiguous", ("a1", "f1")),
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "Ra8", "path-blocked", ("a2",)),
        ("4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1", "Nc4", "exposes-king", ("e8",)),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8", "needs-promotion", ("a8",)),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "Qd4", "no-such-move", ()),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "hello", "syntax", ()),
    ],
)
def test_what_cannot_be_understood_is_explained(fen, text, reason, squares):
    position = CHESS.parse(fen)
    if reason is None:
        assert str(position.understand(text)) == "h1f1"
        return
    assert refused(position.understand, text) == (reason, squares)


def test_a_conversion_is_written_behind_the_move():
    position = rules.load("reversi").parse("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1")
    turn = position.parse_turn("d3e4~a4")
    assert position.written(turn) == "dxe4~a4"
    assert position.understand("dxe4~a4") == turn
    assert position.understand("dxe4") == position.parse_turn("d3e4")


def test_capturing_the_king_ends_the_game_on_paper_too():
    position = rules.load("mockery").parse("4k3/8/8/8/8/8/8/4RK2 w - - 0 1 e1")
    assert position.written(position.parse_turn("e1e8")) == "Rxe8#"


@pytest.mark.parametrize(
    ("turn", "written"), [("e4e1", "Qee1"), ("h1e1", "Q1e1"), ("h4e1", "Qh4e1"), ("h4g4", "Qhg4")]
)
def test_a_piece_is_told_from_its_like_by_as_little_as_will_do(turn, written):
    position = CHESS.parse("8/8/1k6/8/4Q2Q/K7/8/7Q w - - 0 1")
    assert position.written(position.parse_turn(turn)) == written
