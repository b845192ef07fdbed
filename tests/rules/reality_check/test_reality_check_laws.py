"""What must hold in every position of every game."""

import re
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from reality_check_walks import OPTION_SETS, walk

from rules.explain import Seen
from rules.games.reality_check import GAME
from rules.games.reality_check.game import RealityCheckPosition
from rules.games.reality_check.turns import Capture, Decision, Drop, Move, Sacrifice
from rules.interface import IllegalTurn
from tests.nightly import few

games = st.sampled_from([GAME(**options) for options in OPTION_SETS])
seeds = st.integers(0, 10**9)
SIDES = ("white", "black")


@st.composite
def positions(draw):
    """A position somewhere in a random game."""
    *_, last = walk(draw(games), draw(seeds), plies=draw(st.integers(0, 80)))
    return last


@settings(max_examples=few(40))
@given(positions(), positions())
def test_a_turn_is_legal_if_and_only_if_it_is_listed(position, other):
    listed = {str(turn) for turn in position.turns()}
    tried = {str(turn) for turn in other.turns()}
    tried |= {re.sub("/.*", "", text) for text in listed} | {text + "!" for text in listed}
    tried |= {f"{a[:2]}{b[2:]}" for a in sorted(listed)[:30] for b in sorted(listed)[:30]}
    for text in tried:
        try:
            position.parse_turn(text)
        except IllegalTurn:
            assert text not in listed
        else:
            assert text in listed


def exchanged(position):
    """The position with two undersides exchanged that nobody but the owner can tell apart."""
    board = dict(position.state.board)
    for (a, one), (b, other) in combinations(board.items(), 2):
        if one[0] == other[0] and one != other:
            board[a], board[b] = other, one
            return RealityCheckPosition(position.game, replace(position.state, board=board))
    return None


@settings(max_examples=few(60))
@given(positions())
def test_games_that_differ_only_in_secrets_look_the_same(position):
    other = exchanged(position)
    if other is None:
        return
    assert other.shown == position.shown
    assert other.awaited == position.awaited
    for kept in (Move, Drop, Decision):
        here = sorted(turn.public for turn in position.turns() if isinstance(turn, kept))
        there = sorted(turn.public for turn in other.turns() if isinstance(turn, kept))
        assert here == there
    here = {turn: position.written(turn) for turn in position.turns()}
    assert all(other.written(turn) == text for turn, text in here.items())


@settings(max_examples=few(60))
@given(positions())
def test_public_forms_name_no_underside_and_no_piece_of_the_hand(position):
    for turn in position.turns():
        if isinstance(turn, Drop):
            assert turn.public == f"{turn.faces[0]}?@{turn.square}"
            assert position.written(turn) == f"drop {turn.faces[0]} on {turn.square}"
        elif isinstance(turn, Decision):
            assert turn.public == position.written(turn) == ("keep" if turn.keep else "refuse")
        elif not isinstance(turn, Sacrifice):
            assert turn.public == str(turn)
            assert position.understand(position.written(turn).upper()) == turn


@settings(max_examples=few(40))
@given(positions(), st.randoms())
def test_of_what_explains_a_capture_one_turn_needs_no_word(position, random):
    captures = [turn for turn in position.turns() if isinstance(turn, Capture)]
    for turn in random.sample(captures, min(len(captures), 1)):
        shown = position.play(turn).placement
        fits = position.explainer().fitting(Seen(frozenset(shown), shown))
        assert sum(other.plain for other in fits) == 1
