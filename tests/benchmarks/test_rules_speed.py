"""How long the rules take for a position: `pytest --benchmark-only -k rules_speed`.

Each question is put to fresh positions from random play of every game and its variants. The figures
are the percentiles in the extra information, in processor time, so that a busy machine tells the
same. To be held on one core is the p99: whether the game is over, 50 ms; a turn, 2 ms; what a board
means, 15 ms.
"""

import gc
import random
from contextlib import suppress
from statistics import quantiles
from time import process_time

import pytest
import realm_walks

import rules
from firmware_bridge.bench.games import ROWS, choose
from rules.explain import Seen

COUNT = 1000
KINDS = {row.name: row for row in ROWS}.values()


@pytest.fixture(scope="module", params=KINDS, ids=lambda row: row.name)
def sample(request):
    """Return positions of a game that go on, each with one of its turns."""
    row = request.param
    source, found = random.Random(row.name), []
    while len(found) < COUNT:
        position = row.load().start()
        while position.outcome is None and len(found) < COUNT:
            turn = choose(position, source)
            if source.random() < 0.2:
                found.append((position, turn))
            position = position.play(turn)
    return found


def is_over(position, _):
    return position.outcome


def reads_a_turn(position, turn):
    return position.parse_turn(str(turn))


def plays_a_turn(position, turn):
    return position.play(turn)


def writes_and_understands_a_turn(position, turn):
    with suppress(rules.IllegalTurn):  # not all that is written for people is read again
        position.understand(position.written(turn))


def prepares_to_explain(position, _):
    return position.explainer()


def explains_a_board(position, turn):
    """Explain what stands there when half of a turn's squares have changed."""
    board = dict(position.placement)
    changes = sorted(position.deed(turn).changes(position.placement).items())
    for square, label in changes[::2]:
        board.pop(square, None)
        if label is not None:
            board[square] = label
    seen, explainer = Seen(frozenset(board), {}), position.explainer()
    return explainer.fitting(seen), explainer.leading_to(seen)


def says_why_hands_made_no_turn(position, turn):
    moves = position.deed(turn).moves
    crossed = [(start, end) for (start, _), (_, end) in zip(moves, moves[::-1], strict=True)]
    return position.objection(crossed) if crossed else None


def plays_every_turn(position, _):
    return [position.play(turn) for turn in position.turns()]


QUESTIONS = (
    is_over,
    reads_a_turn,
    plays_a_turn,
    writes_and_understands_a_turn,
    prepares_to_explain,
    explains_a_board,
    says_why_hands_made_no_turn,
    plays_every_turn,
)


def measured(benchmark, asked, question):
    """Put a question to each of some positions, and report the milliseconds."""
    times = []

    def run():
        for position, turn in asked:
            fresh = position.game.parse(str(position))
            begun = process_time()
            question(fresh, turn)
            times.append((process_time() - begun) * 1000)

    gc.collect()
    gc.freeze()
    benchmark.pedantic(run, rounds=1)
    gc.unfreeze()
    cuts = quantiles(times, n=100)
    benchmark.extra_info.update(median_ms=round(cuts[49], 3), p99_ms=round(cuts[98], 3))
    benchmark.extra_info.update(max_ms=round(max(times), 3), asked=len(times))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.__name__)
def test_a_position(benchmark, sample, question):
    if question is plays_every_turn and sample[0][0].game.traits.long_turns:
        pytest.skip("nobody plays thousands of turns of one position")
    measured(benchmark, sample, question)


@pytest.mark.parametrize("options", realm_walks.OPTIONS, ids=realm_walks.option_name)
def test_whether_a_game_of_realm_chess_is_over_in_check(benchmark, options):
    """The hard part: in check, up to forty pieces thrown anyhow, many boards of them mate."""
    source, game, checks = random.Random(5), rules.load("realm", **options), []
    while len(checks) < COUNT:
        position = game.parse(realm_walks.thrown(source, most=40))
        if position.in_check:
            checks.append((position, None))
    measured(benchmark, checks, is_over)
