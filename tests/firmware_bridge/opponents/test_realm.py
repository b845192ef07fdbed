"""The mind for Realm Chess: only legal turns, every mate at once, and no list of all turns."""

import random
from functools import partial
from itertools import islice

import pytest
import realm_walks

import rules
from firmware_bridge.opponents import match
from firmware_bridge.opponents.engine import WON
from firmware_bridge.opponents.games.realm.candidates import candidates
from firmware_bridge.opponents.games.realm.evaluation import Evaluation
from firmware_bridge.opponents.games.realm.mate import mate_in_one
from firmware_bridge.opponents.levels import levels_of
from firmware_bridge.opponents.seat import Seat
from rules.games.realm.search_state import following
from tests.nightly import NIGHTLY, at_night

over_options = pytest.mark.parametrize("options", realm_walks.OPTIONS, ids=realm_walks.option_name)
LEVELS = levels_of("realm")


def thrown(options, source, most=9):
    """A position that goes on."""
    while True:
        position = rules.load("realm", **options).parse(realm_walks.thrown(source, most))
        if position.outcome is None:
            return position


def chosen(position, number, seed="1"):
    """What a level chooses in a position."""
    seat = Seat(position.game, LEVELS[number - 1], seed)
    seat.know(position.knowledge(position.side))
    return seat.choose()


def assert_candidates_are_turns(position):
    """Each promising set of steps is a turn of the rules, and leads where it leads."""
    finder, state = position.finder, position.state
    evaluation = Evaluation(
        state.squares, finder.division, white=state.white, power=position.game.power
    )
    found = list(candidates(finder, evaluation, 60))
    for steps in found:
        after = following(state, finder.board, steps)
        if after.squares == state.squares:
            continue
        turn = position.parse_turn(str(finder.describer.describe(steps)))
        assert position.play(turn).state == after
    return found


def mates(position):
    """Whether some turn of the whole list mates."""
    following_ones = map(position.play, position.turns())
    return any(after.in_check and after.outcome for after in following_ones)


def assert_mate_is_found_if_there_is_one(position):
    steps = mate_in_one(position)
    assert (steps is not None) == mates(position), position
    if steps is not None:
        turn = position.finder.describer.describe(steps)
        assert position.play(turn).outcome.reason == "checkmate"
        for number in (2, 5):
            choice = chosen(position, number)
            assert position.play(position.parse_turn(choice.turn)).outcome is not None


@pytest.mark.parametrize("seed", range(60 if NIGHTLY else 1))
@over_options
def test_candidates_are_legal_turns(options, seed):
    source = random.Random(seed)
    game = rules.load("realm", **options)
    walk = realm_walks.walk(game, source, turns=40 if NIGHTLY else 4)
    for position in (*walk, thrown(options, source)):
        if position.outcome is None:
            assert assert_candidates_are_turns(position)


@pytest.mark.parametrize("seed", range(25 if NIGHTLY else 1))
@over_options
def test_no_mate_at_once_is_missed(options, seed):
    source = random.Random(seed)
    for _ in range(40 if NIGHTLY else 8):
        assert_mate_is_found_if_there_is_one(thrown(options, source, 14 if NIGHTLY else 7))


@pytest.mark.parametrize("number", [1, 3, 4])
def test_the_same_seed_gives_the_same_turn(number):
    position = thrown({"free": True}, random.Random(4))
    first = chosen(position, number)
    assert chosen(position, number) == first
    position.parse_turn(first.turn)
    assert first.line[0] == first.turn


def test_only_as_many_positions_as_the_level_allows_are_looked_at():
    position = rules.load("realm").start()
    for level in LEVELS[:4]:
        nodes = chosen(position, level.number).nodes
        assert nodes <= level.nodes + 80


CROWDED = "r1bq1rk1/pp2bpp1/2n1pn2/2pp4/3P3Q/2PBPN2/PP1N1PPP/R1B2RK1 w - - 0 9"


def test_a_position_with_seven_thousand_turns_is_not_listed(monkeypatch):
    position = rules.load("realm", power=True, free=True).parse(CROWDED)
    monkeypatch.setattr(type(position), "turns", None)
    position.play(position.parse_turn(chosen(position, 3).turn))


MATES_IN_TWO = [
    ({}, "8/8/6k1/8/6PP/1R2B3/1P6/R3K3 w Q - 6 4"),
    ({}, "8/8/1Q5R/7N/8/7R/1Kk5/8 w - - 2 3"),
    ({}, "8/1R6/1K2k3/5Q2/8/8/8/8 w - - 6 2"),
    ({}, "1b6/4Q3/K7/3R1R1n/8/8/3k4/8 w - - 0 9"),
    ({"balanced": True}, "5R2/1N2R2K/8/k3N3/4N3/8/4R3/8 w - - 0 9"),
    ({"free": True}, "8/8/6k1/8/4Q3/8/8/4K2R w K - 1 1"),
    ({"free": True}, "8/8/2R5/8/5R2/2K5/3k4/8 w - - 4 2"),
    ({"free": True}, "8/r7/8/N6N/1Q3pB1/5B2/K7/4b2k w - - 0 9"),
    ({"power": True}, "8/8/6k1/8/6PP/1R2B3/1P6/R3K3 w Q - 6 4"),
]
"""Found by trying every turn, every reply and every turn again, by the rules alone."""


@pytest.mark.parametrize(("options", "text"), MATES_IN_TWO)
def test_mates_in_two_are_found(options, text):
    position = rules.load("realm", **options).parse(text)
    choice = chosen(position, 4)
    assert choice.score == WON - 3
    after = position.play(position.parse_turn(choice.turn))
    assert all(mates(after.play(reply)) for reply in after.turns())


THREATENED = [
    ({"balanced": True}, "2k5/8/8/8/8/4Pp1P/7p/R2nK3 w Q - 6 2"),
    ({}, "8/7N/8/8/6K1/7R/2k1R3/n7 b - - 5 2"),
    ({"free": True}, "8/5r2/1P4kb/1B6/7r/q7/8/4K2R w K - 8 4"),
    ({}, "K4k2/3q4/4R1RR/6R1/8/8/8/8 b - - 7 3"),
    ({}, "1R1RQ3/4K3/1q1k4/8/8/8/8/8 b - - 4 3"),
]
"""Positions that `threatened` found: some turns leave a mate at once, and some do not."""


def leaves_a_mate(position, number):
    """Whether a level plays a turn after which the opponent mates."""
    return mates(position.play(position.parse_turn(chosen(position, number).turn)))


@pytest.mark.parametrize(("options", "text"), THREATENED)
def test_a_mate_is_not_left_to_the_opponent_where_it_can_be_avoided(options, text):
    assert not leaves_a_mate(rules.load("realm", **options).parse(text), 4)


@at_night("such positions are rare")
@pytest.mark.parametrize("number", [4, 5])
def test_hardly_ever_is_a_mate_left_that_could_be_avoided(number):
    source = random.Random(number)
    found = islice(filter(None, iter(partial(threatened, source), 0)), 40)
    assert sum(leaves_a_mate(position, number) for position in found) <= 2


def threatened(source):
    """A position in which some turns leave a mate at once, and some do not, by the rules alone."""
    options = source.choice(({}, {"free": True}, {"balanced": True}))
    position = thrown(options, source, most=8)
    if mates(position):
        return None
    after = [position.play(turn) for turn in islice(position.turns(), 12)]
    leaving = [mates(one) for one in after if one.outcome is None]
    return position if any(leaving) and not all(leaving) else None


def test_a_random_mover_reaches_turns_of_all_kinds_without_listing_them():
    source = random.Random(2)
    game = rules.load("realm", power=True, free=True)
    *_, position = realm_walks.walk(game, source, turns=3)
    drawn = [match.drawn(position, source) for _ in range(200)]
    assert all(position.parse_turn(str(turn)) == turn for turn in drawn)
    assert {turn.kind for turn in drawn} == set("SDCRP")


@pytest.mark.parametrize("number", [level.number for level in LEVELS])
def test_the_one_legal_turn_is_found_where_no_promising_one_is_legal(number):
    """King and pawn can only go together: either alone leaves the king in check."""
    position = rules.load("realm").parse("4R1pk/4Q3/2B5/8/1PN5/1P2B3/8/7K b - - 1 43")
    assert chosen(position, number).turn == "R-gh78:g8g7,h8h7"
