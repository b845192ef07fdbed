"""From what a board shows to the legal turns: the index against going through every turn."""

import random
from itertools import islice

import pytest
from anywhere import position_of
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_explainer import SlowExplainer, board_on_the_way

import rules
from rules.explain import Seen, TableExplainer
from tests.nightly import NIGHTLY

REVERSI = rules.load("reversi")
ALL = 10**6
MOST = 2500
"""Positions with more turns than this are left out: the slow twin goes through all of them."""


@pytest.mark.parametrize("family", ["orthodox", "realm"])
@settings(max_examples=200 if NIGHTLY else 5)
@given(seed=st.integers(0, 10**9))
def test_what_is_found_is_what_going_through_every_turn_finds(family, seed):
    source = random.Random(seed)
    position = position_of(family, source)
    if len(list(islice(position.turns(), MOST + 1))) > MOST:
        return
    twin, explainer = SlowExplainer(position), position.explainer()
    for _ in range(6):
        seen = board_on_the_way(position, source)
        context = str(position), sorted(seen.occupied), dict(seen.known)
        assert set(explainer.fitting(seen, ALL)) == twin.fitting(seen), context
        leading, sure = set(explainer.leading_to(seen, ALL)), twin.surely_leading_to(seen)
        # Where several pieces move, a like one may have come that is not known to stand still.
        assert sure <= leading <= (sure if family == "orthodox" else twin.leading_to(seen)), context
        lifted = position.placement.keys() - seen.occupied
        handling = set(explainer.leading_to(seen, ALL, handling=lifted))
        handled = {turn for turn in leading if twin.handles(turn, seen)}
        # In a combination a like piece may pass through a square that the description spares.
        combined = position.game.options.get("power")
        assert handled <= handling if combined else handled == handling, context
        if len(lifted) <= 3:
            lacking = {(one.turn, one.missing) for one in explainer.lacking(seen, ALL)}
            assert lacking == twin.lacking(seen), context


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
