"""The seven games: as many turns as everybody counts, and hands that do what stands afterwards."""

import random

import pytest

import rules

COUNTED = {
    "antichess": (20, 400, 8067),
    "atomic": (20, 400, 8902),
    "crazyhouse": (20, 400, 8902),
    "hill": (20, 400, 8902),
    "horde": (8, 128, 1274),
    "racing-kings": (21, 421, 11264),
    "three-check": (20, 400, 8902),
}
ENDS = {
    ("antichess", "8/8/8/8/8/8/p7/8 w - - 0 1"): ("white", "nothing-left"),
    ("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1"): ("white", "nothing-left"),
    ("atomic", "8/8/8/8/8/8/8/4K3 b - - 0 1"): ("white", "king-exploded"),
    ("hill", "4k3/8/8/8/3K4/8/8/R7 b - - 0 1"): ("white", "king-in-the-middle"),
    ("horde", "4k3/8/8/8/8/8/8/8 w - - 0 1"): ("black", "horde-gone"),
    ("racing-kings", "K7/8/8/8/8/8/7k/8 b - - 0 1"): ("white", "race-over"),
    ("racing-kings", "K7/7k/8/8/8/8/8/8 b - - 0 1"): None,
    ("racing-kings", "K6k/8/8/8/8/8/8/8 w - - 0 1"): (None, "race-over"),
    ("three-check", "R3k3/8/8/8/8/8/8/4K3 b - - 0+3 0 1"): ("white", "third-check"),
}
REFUSED = [
    ("antichess", "8/8/8/3p4/4P3/8/8/N7 w - - 0 1", "a1b3", "must-take"),
    ("atomic", "4k3/8/8/8/8/8/3n4/3QK3 w - - 0 1", "d1d2", "own-king-explodes"),
    ("crazyhouse", "4k3/pppp4/8/8/8/8/PPPP4/4K3[N] w - - 0 1", "B@f6", "not-in-hand"),
    ("crazyhouse", "4k3/pppp4/8/8/8/8/PPPP4/4K3[N] w - - 0 1", "N@e8", "square-occupied"),
    ("crazyhouse", "4k3/pppp4/8/8/8/8/PPPP4/4K3[P] w - - 0 1", "P@h8", "no-such-drop"),
    ("crazyhouse", "4k3/pppp4/8/8/8/8/PPPP4/4K3[P] w - - 0 1", "X@h8", "syntax"),
    ("crazyhouse", "4k3/pppp4/4r3/8/8/8/PPPP4/4K3[N] w - - 0 1", "N@a5", "still-in-check"),
    ("racing-kings", "8/8/8/8/8/k7/8/1R5K w - - 0 1", "b1a1", "gives-check"),
    ("hill", "3rk3/8/8/8/8/2K5/8/R7 w - - 0 1", "c3d4", "exposes-king"),
]


def counted(position, plies):
    if plies == 1:
        return sum(1 for _ in position.turns())
    return sum(counted(position.play(turn), plies - 1) for turn in position.turns())


@pytest.mark.parametrize("game_id", COUNTED)
def test_as_many_games_begin_as_everybody_counts(game_id):
    start = rules.load(game_id).start()
    assert tuple(counted(start, plies) for plies in (1, 2, 3)) == COUNTED[game_id]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game_id", COUNTED)
def test_texts_are_read_back_and_hands_do_what_stands_afterwards(game_id, seed):
    source, position = random.Random(seed), rules.load(game_id).start()
    for _ in range(60):
        if position.outcome is not None:
            break
        assert position.game.parse(str(position)) == position
        turns = list(position.turns())
        for turn in source.sample(turns, min(4, len(turns))):
            stands = {**position.placement, **position.deed(turn).changes(position.placement)}
            after = position.play(turn).placement
            assert {s: label for s, label in stands.items() if label} == dict(after)
            assert (
                position.understand(position.written(turn))
                == turn
                == position.parse_turn(str(turn))
            )
        position = position.play(source.choice(turns))


@pytest.mark.parametrize(("game_id", "text"), ENDS)
def test_it_ends_as_it_should(game_id, text):
    outcome = rules.load(game_id).parse(text).outcome
    assert (outcome and (outcome.winner, outcome.reason)) == ENDS[game_id, text]


@pytest.mark.parametrize(("game_id", "text", "turn", "reason"), REFUSED)
def test_a_turn_is_refused_for_the_reason_that_it_has(game_id, text, turn, reason):
    with pytest.raises(rules.IllegalTurn) as refused:
        rules.load(game_id).parse(text).parse_turn(turn)
    assert refused.value.reason == reason


def test_a_capture_in_atomic_chess_takes_everything_around_but_pawns():
    position = rules.load("atomic").parse("4k3/pp6/1n6/8/8/8/1R6/4K3 w - - 0 1")
    deed = position.deed(position.parse_turn("b2b6"))
    assert (deed.moves, deed.taken) == ((), ("b2", "b6"))


SHORT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"


@pytest.mark.parametrize("text", ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", SHORT])
@pytest.mark.parametrize("game_id", ["atomic", "crazyhouse", "three-check"])
def test_a_text_that_is_no_position_is_refused(game_id, text):
    with pytest.raises(rules.InvalidPosition):
        rules.load(game_id).parse(text)
