"""The quick cores know no rules of their own: they are held to `rules`, turn for turn."""

import random

import positions_960
import pytest
import random_positions

import rules
from firmware_bridge.opponents import engine_of
from tests.nightly import NIGHTLY

POSITIONS = 3000 if NIGHTLY else 10
GAMES = ("reversi", "mockery", "indistinguishable")


def moves_of(node):
    """Every legal move by its text, with what comes of it."""
    moves = (*(move for _, move in node.captures()), *node.quiets())
    made = {node.text(move): node.made(move) for move in moves}
    return {text: after for text, after in made.items() if after is not None}


def worth(position, outcome):
    if outcome.winner is None:
        return 0
    return 1 if outcome.winner == position.side else -1


def hold(mind, position):
    node, outcome = mind.node_of(position), position.outcome
    if outcome is not None and outcome.reason in ("bare-kings", "king-captured"):
        assert node.ended == worth(position, outcome), position
        return
    if outcome is not None and outcome.reason == "insufficient-material":
        return  # the search need not know
    assert node.ended is None
    assert node.check == position.in_check, position
    turns = {str(turn): position.play(turn) for turn in position.turns()}
    moves = moves_of(node)
    assert moves.keys() == turns.keys(), position
    for text, after in turns.items():
        made, read = moves[text], mind.node_of(after)
        assert (made.key, made.score, made.cells) == (read.key, read.score, read.cells), text
    if not turns:
        assert node.stuck == worth(position, outcome)


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("kind", [random_positions.played, random_positions.thrown])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_core_has_the_turns_of_the_rules_and_what_comes_of_them(game_id, kind):
    rng = random.Random(f"{game_id} {kind.__name__}")
    game, mind = rules.load(game_id), engine_of(game_id)()
    for _ in range(POSITIONS):
        hold(mind, kind(game, rng))


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("kind", [positions_960.played, positions_960.castling])
def test_the_core_of_chess960_castles_as_the_rules_do(kind):
    rng, mind = random.Random(kind.__name__), engine_of("chess960")()
    for _ in range(3 * POSITIONS):
        hold(mind, kind(rng))
