"""Chess960: 960 starts, and kings that castle from wherever they began."""

import random

import chess
import chess960_oracle
import positions_960
import pytest
import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from tests.nightly import NIGHTLY

GAME = rules.load("chess960")
KINDS = (positions_960.played, positions_960.castling)
seeds = st.integers(0, 10**9)


@pytest.mark.parametrize("seed", range(40 if NIGHTLY else 6))
def test_as_many_games_go_on_as_python_chess_counts(seed):
    position = KINDS[seed % 2](random.Random(seed))
    board = chess.Board(str(position), chess960=True)
    if position.outcome is None:
        assert random_positions.perft(position, 2)[-1] == random_positions.counted_elsewhere(
            board, 2
        )


@settings(deadline=None, max_examples=60)
@given(seeds, st.sampled_from(KINDS))
def test_the_slow_twin_finds_the_same_turns_and_what_comes_of_them(seed, kind):
    position = kind(random.Random(seed))
    if position.outcome is not None and position.outcome.reason == "insufficient-material":
        return
    slowly = dict(chess960_oracle.legal(chess960_oracle.parse(str(position))))
    quickly = {str(turn): position.play(turn) for turn in position.turns()}
    assert quickly.keys() == slowly.keys()
    for text, after in quickly.items():
        assert chess960_oracle.parse(str(after)) == slowly[text], text


@settings(deadline=None, max_examples=60)
@given(seeds, st.sampled_from(KINDS))
def test_no_two_turns_look_alike(seed, kind):
    position = kind(random.Random(seed))
    deeds = [position.deed(turn) for turn in position.turns()]
    looks = {frozenset(deed.changes(position.placement).items()) for deed in deeds}
    assert len(looks) == len(deeds)


@settings(deadline=None, max_examples=40)
@given(seeds, st.sampled_from(KINDS))
def test_it_is_written_as_other_programs_write_it(seed, kind):
    position = kind(random.Random(seed))
    board = chess.Board(str(position), chess960=True)
    for turn in position.turns():
        assert position.written(turn) == board.san(chess.Move.from_uci(str(turn)))


def test_every_start_has_the_king_between_his_rooks_and_bishops_on_both_colours():
    seen = set()
    for number in range(960):
        start = rules.load("chess960", start=number).start()
        row = "".join(start.placement[file + "1"][1] for file in "abcdefgh")
        assert sorted(row) == sorted("KQRRBBNN")
        assert row.index("R") < row.index("K") < row.rindex("R")
        assert (row.index("B") + row.rindex("B")) % 2
        assert all(
            start.placement[f + "8"] == "b" + kind for f, kind in zip("abcdefgh", row, strict=True)
        )
        seen.add(row)
    assert len(seen) == 960
    assert str(rules.load("chess960", start=518).start()) == str(rules.load("chess").start())


@pytest.mark.parametrize(
    ("text", "turn", "moves"),
    [
        ("8/4k3/8/8/8/8/8/R4KR1 w K - 0 1", "f1g1", {("f1", "g1"), ("g1", "f1")}),  # they change
        ("8/4k3/8/8/8/8/8/R5KR w K - 0 1", "g1h1", {("h1", "f1")}),  # he stays
        ("8/4k3/8/8/8/8/8/3RK3 w Q - 0 1", "e1d1", {("e1", "c1")}),  # the rook stays
        ("8/4k3/8/8/8/8/8/RK5R w Q - 0 1", "b1a1", {("b1", "c1"), ("a1", "d1")}),
        ("8/4k3/8/8/8/8/8/4K2R w K - 0 1", "e1h1", {("e1", "g1"), ("h1", "f1")}),
    ],
)
def test_king_and_rook_go_where_they_go_in_chess(text, turn, moves):
    position = GAME.parse(text)
    assert set(position.deed(position.parse_turn(turn)).moves) == moves


def test_a_king_who_goes_further_than_a_king_can_castles():
    position = GAME.parse("8/4k3/8/8/8/8/8/R3KR1R w HA - 0 1")
    assert str(position.parse_turn("e1c1")) == "e1a1"
    assert position.objection([("e1", "g1")]).reason == "path-blocked"
    assert GAME.parse("8/4k3/8/8/8/8/8/R4KR1 w GA - 0 1").parse_turn("f1c1").move.to_square == 0


@pytest.mark.parametrize("rights", ["C", "HG", "AQ", "k", "B"])
def test_rights_that_no_king_and_rook_have_are_named(rights):
    with pytest.raises(rules.InvalidPosition, match="castling right"):
        GAME.parse(f"4k3/8/8/8/8/8/8/RN2K1RR w {rights} - 0 1")


@pytest.mark.parametrize("start", [-1, 960, True, "518", 5.0])
def test_a_number_beside_the_960_is_refused_in_a_sentence(start):
    with pytest.raises(rules.UnknownGame, match="it takes a whole number from 0 to 959"):
        rules.load("chess960", start=start)
