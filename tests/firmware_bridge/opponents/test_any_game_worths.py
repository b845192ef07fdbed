"""What the mind for any game counts: it is told of no game, and wins all the same what it can."""

from random import Random

import pytest

import rules
from firmware_bridge.opponents import Level, any_game
from firmware_bridge.opponents.any_game import AnyGame, RulesNode, _promising
from tests.firmware_bridge.opponents.test_any_game import Known
from tests.trial_games.breakthrough import Breakthrough

QUICK = Level(1, "quick", nodes=100, depth=2, variety=0)
WIDE = "rnb1kbnr/pppp1ppp/8/4q3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 2"
"""Realm Chess has hundreds of turns here; a knight can take the queen."""
DISCS = "rn/nnbbnb/pppnbrpbpr/7/7/7/PPPNBRPBPR/NNBBNB/RN {} RR/- - - - 1"
"""Of Reality Check: all that one side has more is a rook in its hand."""


def at(text, game="chess"):
    return rules.load(game).parse(text)


def choice_of(*worlds, level=QUICK, seed=1):
    return AnyGame().choose(Known(*worlds), level, Random(seed))


@pytest.mark.parametrize(("kind", "pawns"), [("P", 1), ("N", 3), ("B", 3), ("R", 5), ("Q", 9)])
@pytest.mark.parametrize(("side", "sign"), [("w", 1), ("b", -1)])
def test_a_piece_counts_for_its_owner_as_books_have_it(kind, pawns, side, sign):
    assert (
        RulesNode(at(f"4k3/8/8/8/8/1{kind}6/8/4K3 {side} - - 0 1")).material == 100 * pawns * sign
    )


@pytest.mark.parametrize(("side", "sign"), [("w", 1), ("b", -1)])
def test_what_is_in_the_hand_counts_half(side, sign):
    assert RulesNode(at(DISCS.format(side), "reality-check")).material == 250 * sign


def test_every_turn_that_a_side_has_counts_a_little():
    free = RulesNode(at("4k3/8/8/8/3Q4/8/8/5K2 w - - 0 1"))
    cornered = RulesNode(at("4k3/8/8/8/8/8/8/Q4K2 w - - 0 1"))
    assert free.material == cornered.material
    assert free.value - cornered.value == len(free.turns) - len(cornered.turns) > 0


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("k2q4/8/8/3R3r/8/8/8/4K3 w - - 0 1", "d5d8"),  # the queen, and not the rook
        ("4k3/8/6p1/n2R3b/8/8/8/4K3 w - - 0 1", "d5a5"),  # the one of two that is not guarded
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
    ],
)
def test_what_can_be_won_is_taken(text, turn):
    assert choice_of(at(text)).turn == turn


def test_what_is_guarded_is_left():
    assert choice_of(at("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1")).turn != "d2d5"


def test_captures_are_told_with_what_they_win_the_dearest_first():
    node = RulesNode(at("4k3/8/1n6/8/1Q2r3/8/3p4/3K4 w - - 0 1"))
    loud, calm = node.captures(), node.quiets()
    assert [won for won, _ in loud] == [500, 300, 100, 100]
    assert {text for _, text in loud} == {"b4e4", "b4b6", "b4d2", "d1d2"}
    assert {*calm, *(text for _, text in loud)} == node.turns.keys()
    assert len(calm) + len(loud) == len(node.turns)


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", -1),
        ("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1", 0),
        ("6k1/8/8/8/8/8/8/6KR w - - 0 1", None),
    ],
)
def test_who_is_mated_has_lost_and_who_is_stalemated_has_drawn(text, ended):
    node = RulesNode(at(text))
    assert (node.ended, node.stuck) == (ended, ended or 0)


def test_the_same_position_is_one_to_the_search_whatever_its_move_counts():
    one, other, third = (
        RulesNode(at(f"4k3/8/8/8/8/8/{rest}")).key
        for rest in ("8/Q3K3 w - - 0 1", "8/Q3K3 w - - 8 9", "8/Q3K3 b - - 0 1")
    )
    assert one == other != third
    start = Breakthrough().start()
    assert RulesNode(start).key == str(start)  # a game that knows no repetitions


def test_where_turns_are_too_many_only_some_of_each_kind_are_looked_at(monkeypatch):
    monkeypatch.setattr(any_game, "_MANY", 10)
    monkeypatch.setattr(any_game, "_PROMISING", 4)
    position = at("4k3/8/1p1r1p2/8/1p1Q1p2/8/1p1p1p2/7K w - - 0 1")
    whole, narrow = RulesNode(position, whole=True), RulesNode(position)
    assert len(whole.captures()) + len(whole.quiets()) == len(whole.turns) > 10
    assert [won for won, _ in narrow.captures()] == [500, 100]
    assert narrow.captures() == whole.captures()[:2]
    # What takes something and is not among the best may still be made as any other turn.
    assert 2 < len(narrow.quiets()) <= 4 + 1


def test_a_turn_or_so_more_than_hundreds_is_too_many():
    assert RulesNode(at(WIDE, "realm")).wide
    assert not RulesNode(rules.load("realm").start()).wide


def test_the_promising_turns_are_those_that_win_most_at_once():
    root = RulesNode(at(WIDE, "realm"), whole=True)
    found, other = (_promising(root, (), Random(seed)) for seed in (1, 2))
    assert len(found) == len(other) == 12
    assert "f3e5" in found & other
    assert found != other  # of many that win nothing
    few = {*sorted(root.turns)[:3]}
    assert _promising(root, few, Random(1)) == few


def test_a_turn_that_wins_is_more_promising_than_any_capture(monkeypatch):
    monkeypatch.setattr(any_game, "_PROMISING", 1)
    mate = RulesNode(at("6k1/5ppp/8/8/3n4/2P5/8/R5K1 w - - 0 1"), whole=True)
    assert _promising(mate, (), Random(1)) == {"a1a8"}


def test_the_turn_is_played_that_most_of_what_may_be_speaks_for():
    rook = at("4k3/8/8/3R3r/8/8/8/4K3 w - - 0 1")
    queen = at("k2q4/8/8/3R4/8/8/PPP5/4K3 w - - 0 1")
    assert choice_of(rook, queen, rook).turn == "d5h5"
    assert choice_of(queen, queen, rook).turn == "d5d8"
    assert choice_of(rook, queen).turn == "d5d8"  # as many for either: what wins more


def test_of_many_worlds_six_are_looked_at():
    world = at("4k3/8/8/3R3r/8/8/8/4K3 w - - 0 1")
    one = choice_of(world).nodes
    assert choice_of(*[world] * 6).nodes == choice_of(*[world] * 9).nodes == 6 * one
    assert choice_of(*[world] * 5).nodes == 5 * one


def test_the_best_turns_are_told_each_once_and_no_more_than_there_are():
    world = at("4k3/8/8/3R3r/8/8/8/4K3 w - - 0 1")
    told = AnyGame().ranked(Known(world), QUICK, Random(1), 3)
    assert told[0].turn == "d5h5"
    assert len({choice.turn for choice in told}) == 3
    assert [choice.score for choice in told] == sorted((c.score for c in told), reverse=True)
    few = at("k7/8/8/8/8/8/1q6/7K w - - 0 1")
    assert len(AnyGame().ranked(Known(few), QUICK, Random(1), 9)) == len([*few.turns()]) < 9
