"""From what a board shows to the legal turns: the index against going through every turn."""

import random
from itertools import combinations

import pytest
import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.explain import Seen, TableExplainer
from tests.nightly import few

GAMES = ("indistinguishable", "reversi", "mockery")
REVERSI = rules.load("reversi")


def result(position, turn):
    return dict(position.play(turn).placement)


def old_labels(position, turn):
    """What a piece that merely becomes another may still show, by square."""
    deed = position.deed(turn)
    sources = {target: source for source, target in deed.moves}
    return {s: position.placement[sources.get(s, s)] for s, _ in deed.becomes}


def explains(position, turn, seen, squares):
    after, old = result(position, turn), old_labels(position, turn)
    return all(
        square in after
        and seen.known.get(square, after[square]) in (after[square], old.get(square))
        for square in squares
    )


def slow_fitting(position, seen):
    return {
        str(turn)
        for turn in position.turns()
        if set(result(position, turn)) == set(seen.occupied)
        and explains(position, turn, seen, seen.occupied)
    }


def slow_leading_to(position, seen, *, handling):
    before = position.placement
    arrived = {s for s in seen.occupied if seen.known.get(s, before.get(s)) != before.get(s)}
    arrived |= seen.occupied - before.keys()
    found = set()
    for turn in position.turns():
        deed = position.deed(turn)
        standing = any(
            target in arrived and seen.known.get(source) == before[source]
            for source, target in deed.moves
        )
        concerned = {*deed.changes(before), deed.touch}
        if (
            concerned.issuperset(handling)
            and not standing
            and explains(position, turn, seen, arrived)
        ):
            found.add(str(turn))
    return found


def position_of(seed, game_id):
    source = random.Random(seed)
    make = random_positions.played if source.random() < 0.5 else random_positions.thrown
    return make(rules.load(game_id), source), source


def board_on_the_way(position, source):
    """A board as hands may have left it: a turn done in part, with things lifted or misplaced."""
    board = dict(position.placement)
    turns = list(position.turns())
    if turns:
        turn = source.choice(turns)
        changes = position.deed(turn).changes(position.placement)
        old = old_labels(position, turn)
        for square, label in changes.items():
            if source.random() < 0.8:
                left = old[square] if square in old and source.random() < 0.5 else label
                board.pop(square, None)
                if left is not None:
                    board[square] = left
    for square in sorted(board):
        if source.random() < 0.03:
            piece = board.pop(square)
            if source.random() < 0.3:
                board[source.choice(["a3", "d4", "e5", "h6"])] = piece
    known = {s: x for s, x in board.items() if source.random() < 0.9}
    return Seen(frozenset(board), source.choice([{}, known, board]))


@settings(max_examples=few(60))
@given(st.integers(0, 10**9), st.sampled_from(GAMES))
def test_the_index_finds_what_going_through_every_turn_finds(seed, game_id):
    position, source = position_of(seed, game_id)
    explainer = position.explainer()
    for _ in range(4):
        seen = board_on_the_way(position, source)
        assert {str(t) for t in explainer.fitting(seen, 999)} == slow_fitting(position, seen)
        for handling in ((), position.placement.keys() - seen.occupied):
            leads = {str(t) for t in explainer.leading_to(seen, 999, handling=handling)}
            assert leads == slow_leading_to(position, seen, handling=handling)


def slow_lacking(position, seen):
    """The turns that fit when the fewest of the missing pieces are put back, by trying them all."""
    missing = sorted(position.placement.keys() - seen.occupied)
    for count in range(1, len(missing) + 1):
        found = set()
        for back in combinations(missing, count):
            known = {**seen.known, **{square: position.placement[square] for square in back}}
            fits = slow_fitting(position, Seen(seen.occupied.union(back), known))
            found |= {(turn, frozenset(back)) for turn in fits}
        if found:
            return found
    return set()


@settings(max_examples=few(40))
@given(st.integers(0, 10**9), st.sampled_from(GAMES))
def test_the_fewest_missing_pieces_are_those_found_by_putting_back_all_sets(seed, game_id):
    position, source = position_of(seed, game_id)
    for _ in range(2):
        seen = board_on_the_way(position, source)
        if len(position.placement.keys() - seen.occupied) <= 4:
            lacking = position.explainer().lacking(seen, 999)
            found = {(str(one.turn), one.missing) for one in lacking}
            assert found == slow_lacking(position, seen)


def test_a_promoted_pawn_may_be_left_standing():
    position = REVERSI.parse("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1")
    seen = Seen(frozenset({"e8", "e1", "b8"}), {"e8": "bK", "e1": "wK", "b8": "wP"})
    fits = TableExplainer(position).fitting(seen)
    assert sorted(map(str, fits)) == ["b7b8b", "b7b8n", "b7b8q", "b7b8r"]


def test_converted_pieces_may_be_left_standing_or_swapped():
    position = REVERSI.parse("4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1")
    after = dict(position.play(position.parse_turn("d3e4~a4")).placement)
    swapped = TableExplainer(position).fitting(Seen(frozenset(after), after))
    assert [str(turn) for turn in swapped] == ["d3e4~a4"]
    standing = after | {"c4": "bN"}
    both = TableExplainer(position).fitting(Seen(frozenset(standing), standing))
    assert sorted(map(str, both)) == ["d3e4", "d3e4~a4"]


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_turns_are_given_than_asked_for(limit):
    position = rules.load("mockery").start()
    explainer = position.explainer()
    seen = Seen(frozenset(position.placement) - {"e2"})
    assert len(explainer.leading_to(seen, limit)) == limit


def test_a_piece_known_to_stand_where_it_stood_has_not_arrived():
    position = REVERSI.start()
    before = dict(position.placement)
    del before["d2"]
    seen = Seen(frozenset(before) | {"e4"}, before)
    assert position.explainer().leading_to(seen) == ()
    assert len(position.explainer().leading_to(Seen(seen.occupied))) == 1


def test_what_is_in_the_air_can_be_asked_to_have_a_part_in_the_turn():
    position = REVERSI.parse("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")
    explainer = position.explainer()
    squares = frozenset(position.placement)

    def lifted(*names):
        return explainer.leading_to(Seen(squares - set(names)), 99, handling=names)

    assert {str(turn) for turn in lifted("e4")} == {"e4e5", "e4d5"}
    assert {str(turn) for turn in lifted("e4", "d5")} == {"e4d5"}
    assert {str(turn) for turn in lifted("e1", "h1")} == {"e1g1"}
    assert lifted("e8") == lifted("e4", "h1") == ()


def test_a_piece_known_to_stand_where_it_stood_has_gone_nowhere():
    position = REVERSI.start()
    board = dict(position.placement) | {"e4": "wP"}
    assert position.explainer().leading_to(Seen(frozenset(board), board)) == ()
    assert position.explainer().leading_to(Seen(frozenset(board), {"e4": "wP"})) != ()


def test_asked_for_every_lift_a_turn_has_a_part_for_everything_in_the_air():
    position = REVERSI.start()
    seen = Seen(frozenset(position.placement) - {"e2", "d1"})
    assert position.explainer().leading_to(seen) != ()
    assert position.explainer().leading_to(seen, handling=("e2", "d1")) == ()


def test_a_square_beside_the_board_explains_nothing():
    position = REVERSI.start()
    seen = Seen(frozenset(position.placement) | {"e9"})
    assert position.explainer().fitting(seen) == ()
    assert position.explainer().leading_to(seen) == ()
