"""What must hold in every position of every game."""

import re
from dataclasses import replace
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from reality_check_walks import NAMES, OPTION_SETS, walk

from rules.explain import Seen
from rules.games.reality_check import GAME
from rules.games.reality_check.discs import name_of, owner
from rules.games.reality_check.fields import Awaited
from rules.games.reality_check.game import RealityCheckPosition
from rules.games.reality_check.turns import Capture, Decision, Drop, Move, Sacrifice
from rules.interface import IllegalTurn
from rules.values import opponent
from tests.nightly import few

games = st.sampled_from([GAME(**options) for options in OPTION_SETS])
seeds = st.integers(0, 10**9)
SIDES = ("white", "black")


@st.composite
def positions(draw):
    """A position somewhere in a random game."""
    *_, last = walk(draw(games), draw(seeds), plies=draw(st.integers(0, 80)))
    return last


def in_play(position, side):
    state = position.state
    on_board = [name_of(cell) for cell in state.board.values() if owner(cell) == side]
    return [*on_board, *state.hands[side], *state.pending(side)]


@settings(max_examples=few(40))
@given(games, seeds)
def test_twenty_pieces_are_always_accounted_for(game, seed):
    gone = {side: set() for side in SIDES}
    positions = list(walk(game, seed, plies=60))
    for before, after in pairwise(positions):
        for side in SIDES:
            had, has = in_play(before, side), in_play(after, side)
            assert len(has) == len(set(has))
            assert set(has) <= set(had)
            lost = set(had) - set(has)
            assert len(lost) <= 1
            gone[side] |= lost
            assert gone[side] | set(has) == set(NAMES)


@settings(max_examples=few(60))
@given(positions())
def test_what_leaves_play_does_so_by_a_rule(position):
    for turn in position.turns():
        after = position.play(turn)
        lost = [n for s in SIDES for n in set(in_play(position, s)) - set(in_play(after, s))]
        if isinstance(turn, Sacrifice) or (isinstance(turn, Decision) and not turn.keep):
            assert lost == [turn.piece]
        elif isinstance(turn, Capture) and turn.check:
            shown = position.revealed(turn)
            both_true = all(label[1] == label[2] for label in shown.values())
            assert len(lost) == both_true
        else:
            assert lost == []


@settings(max_examples=few(60))
@given(positions())
def test_only_keeping_takes_a_hand_over_its_limit(position):
    for turn in position.turns():
        after = position.play(turn).state
        for side in SIDES:
            if len(after.hands[side]) > len(position.state.hands[side]):
                kept = isinstance(turn, Decision)
                assert kept or len(after.hands[side]) <= after.limit(side)
    if position.state.over_limit and position.awaited is None:
        assert all(isinstance(turn, Drop) for turn in position.turns())


@settings(max_examples=few(60))
@given(positions())
def test_no_frozen_piece_is_flipped(position):
    for turn in position.turns():
        if isinstance(turn, Move) and turn.flip:
            before = turn.source if turn.flip == turn.target else turn.flip
            assert before not in position.state.frozen
        for square, _ in position.deed(turn).flips:
            if str(turn).startswith("flip:"):
                assert square not in position.state.frozen


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


def mirrored(position):
    """The same position with the colours exchanged and the board turned round."""
    state, across = position.state, position.game.rules.board.opposite
    awaited = state.awaited
    if awaited and awaited.flipped:
        awaited = Awaited(awaited.kind, awaited.pieces, awaited.dice, across(awaited.flipped))
    return RealityCheckPosition(
        position.game,
        replace(
            state,
            board={across(square): cell.swapcase() for square, cell in state.board.items()},
            side=opponent(state.side),
            hands={side: state.hands[opponent(side)] for side in SIDES},
            homes={side: tuple(sorted(map(across, state.homes[opponent(side)]))) for side in SIDES},
            frozen=tuple(sorted(map(across, state.frozen))),
            awaited=awaited,
            number=state.number + 1,
        ),
    )


@settings(max_examples=few(60))
@given(positions().filter(lambda position: not position.state.first_turn))
def test_colours_are_alike(position):
    across = position.game.rules.board.opposite

    def seen_across(turn):
        text = re.sub("[a-g][1-9]", lambda square: across(square[0]), str(turn))
        return "?" + ",".join(sorted(text[1:].split(","))) if text.startswith("?") else text

    mirror = mirrored(position)
    turns = {seen_across(turn): turn for turn in position.turns()}
    assert turns.keys() == {str(turn) for turn in mirror.turns()}
    for text, turn in list(turns.items())[:20]:
        after = mirror.play(mirror.parse_turn(text)).state
        expected = mirrored(position.play(turn)).state
        assert (after.board, after.hands, after.frozen) == (
            expected.board,
            expected.hands,
            expected.frozen,
        )


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
