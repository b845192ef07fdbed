"""Algebraic notation as people write it, there and back."""

import random

import chess
import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.orthodox import OrthodoxTurn
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


def test_a_turn_that_is_no_move_is_written_as_its_text():
    assert CHESS.start().written(Exchange(chess.Move.from_uci("d1e1"))) == "d1<>e1"


class Exchange(OrthodoxTurn):
    def __str__(self):
        return "d1<>e1"
