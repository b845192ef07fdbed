"""Reality Check's mind: blind to secrets, and no misser of wins."""

from random import Random

import pytest
from reality_check_oracle import Table
from reality_check_walks import OPTION_SETS, option_name, walk
from reality_check_wins import endings, takes_the_last, wins, wins_in_two

import rules
from firmware_bridge.opponents import engine_of, level_of
from rules import Belief
from tests.nightly import NIGHTLY, at_night, each

# The advanced board is flexible, said or not: 36 sets of options.
OPTIONS = [o for o in OPTION_SETS if o["flexible"] or o["board"] == "basic"]
SOME = each(OPTIONS, 20)
OTHER = {"white": "black", "black": "white"}


def chosen(position, level, seed="1", belief=None):
    """What the mind chooses knowing what the position alone tells, or a belief."""
    side = position.side
    belief = belief or position.game.believe(side, position.knowledge(side))
    mind = engine_of("reality-check")(seed)
    return mind.choose(belief, level_of("reality-check", level), Random(seed)).turn


@pytest.mark.timeout(7200 if NIGHTLY else 300)
@pytest.mark.parametrize("options", SOME, ids=option_name)
def test_what_it_may_not_know_changes_nothing(options):
    """Two games that look the same to the seat: it is told the same and wants the same."""
    game = rules.load("reality-check", **options)
    random = Random(f"pair {options}")
    differed = 0
    for position in walk(game, f"pair {options}", 40 if NIGHTLY else 6):
        if position.outcome or random.random() < 0.7:
            continue
        known = position.knowledge(position.side)
        other = random.choice(game.believe(position.side, known).worlds())
        assert other.knowledge(position.side) == known
        assert chosen(position, 2) == chosen(other, 2)
        differed += other != position
    assert differed


def certain(position):
    return Belief(position.side, [position])


@pytest.mark.timeout(7200 if NIGHTLY else 300)
def test_a_win_in_one_is_found():
    tried = 0
    for seed in range(400 if NIGHTLY else 4):
        options = OPTIONS[seed * 7 % len(OPTIONS)]
        game = rules.load("reality-check", **options)
        for position in endings(game, seed):
            winning = wins(options, str(position))
            if not winning:
                continue
            tried += 1
            for level in (2, 3, 4, 5) if NIGHTLY else (2,):
                assert chosen(position, level, belief=certain(position)) in winning
            break
    assert tried > (100 if NIGHTLY else 0)


# Without dice and memory, so that a position and a turn are all that there is.
PLAIN = [o for o in OPTIONS if not o["dice"] and not o["memory"]]


@at_night("to find wins in two by brute force takes long")
@pytest.mark.timeout(7200)
def test_a_win_in_two_is_found():
    found, there = 0, 0
    for seed in range(400):
        options = PLAIN[seed % len(PLAIN)]
        for position in endings(rules.load("reality-check", **options), f"two {seed}"):
            if position.state.true_pieces(OTHER[position.side]) > 1 or wins(options, str(position)):
                continue
            if winning := wins_in_two(options, str(position)):
                there += 1
                found += chosen(position, 4, belief=certain(position)) in winning
                break
    assert there > 50
    assert found >= 0.9 * there


def test_a_turn_that_leaves_the_opponent_none_is_weighed_like_any_other():
    position = rules.load("reality-check").parse("pp/3/5/2NN4/7/7/5/3/1 w -/- - - - 20")
    assert position.play(position.parse_turn("c6d8/d9")).outcome.reason == "no-turn"
    assert position.parse_turn(chosen(position, 3))


@pytest.mark.parametrize("number", [3, 5])
def test_however_long_it_is_quiet_it_does_not_risk_its_last_piece(number):
    """A knight that attacks a knight may be captured by it."""
    position = rules.load("reality-check").parse("1/3/5/3nnpb2/7/7/3NN1/3/PN w -/- - - - 30")
    belief, level = certain(position), level_of("reality-check", number)
    mind = engine_of("reality-check")("1")
    for _ in range(2):
        turn = mind.choose(belief, level, Random("1")).turn
        assert not takes_the_last(Table({}, str(position.play(position.parse_turn(turn)))))
        for _ in range(40):
            mind.saw(belief, turn)


@pytest.mark.timeout(7200 if NIGHTLY else 300)
def test_no_win_in_one_is_left_to_the_opponent():
    left, avoidable = 0, 0
    for seed in range(400 if NIGHTLY else 3):
        options = PLAIN[seed % len(PLAIN)]
        for position in endings(rules.load("reality-check", **options), f"left {seed}"):
            text = str(position)
            if position.state.true_pieces(position.side) > 1 or wins(options, text):
                continue
            risks = {turn: leaves_a_win(options, position, turn) for turn in position.turns()}
            if len(set(risks.values())) == 2:
                turn = position.parse_turn(chosen(position, 4, belief=certain(position)))
                avoidable += 1
                left += risks[turn]
                break
    assert avoidable > (50 if NIGHTLY else 0)
    assert left <= 0.05 * avoidable


def leaves_a_win(options, position, turn):
    return takes_the_last(Table(options, str(position.play(turn))))
