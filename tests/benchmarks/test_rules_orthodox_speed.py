"""How long the orthodox-moving games take: all turns with results, and explaining a board.

Run with `pytest tests/benchmarks/test_rules_orthodox_speed.py --benchmark-only`; the extra columns
hold percentiles over positions from random play, the best of three passes for each position, in
processor time, so that other work on the machine counts little.
"""

import itertools
import random
import statistics
import time
from functools import cache

import chess
import pytest

import rules
from rules.explain import Seen
from rules.orthodox.position import OrthodoxGame

GAMES = [name for name, game in rules.games().items() if issubclass(game, OrthodoxGame)]
CHESS = next(name for name in GAMES if rules.games()[name].traits.owners_secret)
"""The one whose positions and turns are python-chess's own."""
POSITIONS = 1000


@cache
def sample(game_id, count=POSITIONS):
    """Every fifth position of games played at random."""
    source, game = random.Random(2026), rules.load(game_id)
    positions = itertools.chain.from_iterable(walk(game, source) for _ in itertools.count())
    return list(itertools.islice(positions, 0, 5 * count, 5))


def walk(game, source, most_turns=150):
    position = game.start()
    for _ in range(most_turns):
        turns = list(position.turns())
        if not turns:
            return
        yield position
        position = position.play(source.choice(turns))


def percentiles(benchmark, work, items):
    """Record the percentiles, in milliseconds, of the best of three runs for each item."""

    def timed(item):
        start = time.process_time()
        work(item)
        return (time.process_time() - start) * 1e3

    best = [min(timed(item) for _ in range(3)) for item in items]
    benchmark.extra_info["median_ms"] = round(statistics.median(best), 4)
    benchmark.extra_info["p99_ms"] = round(statistics.quantiles(best, n=100)[98], 4)
    benchmark.extra_info["max_ms"] = round(max(best), 4)
    benchmark.pedantic(work, args=(items[0],), rounds=3)


def all_turns_with_results(position):
    return [(str(turn), str(position.play(turn))) for turn in position.turns()]


@pytest.mark.parametrize("game_id", GAMES)
def test_all_turns_with_results(benchmark, game_id):
    percentiles(benchmark, all_turns_with_results, sample(game_id))


@pytest.mark.parametrize("game_id", GAMES)
def test_preparing_to_explain(benchmark, game_id):
    percentiles(benchmark, lambda position: position.explainer(), sample(game_id))


@pytest.mark.parametrize("known", [False, True], ids=["occupancy", "identity"])
@pytest.mark.parametrize("game_id", GAMES)
def test_explaining_a_board(benchmark, game_id, known):
    source, queries = random.Random(7), []
    for position in sample(game_id, 300):
        explainer = position.explainer()
        board = dict(position.placement)
        deed = position.deed(source.choice(list(position.turns())))
        for square, label in deed.changes(position.placement).items():
            board.pop(square, None)
            if label is not None:
                board[square] = label
        queries.append((explainer, Seen(frozenset(board), board if known else {})))

    def explain(query):
        explainer, seen = query
        return explainer.fitting(seen), explainer.leading_to(seen)

    percentiles(benchmark, explain, queries)


def test_the_same_turns_against_python_chess(benchmark):
    positions = sample(CHESS, 300)
    boards = [chess.Board(str(position)) for position in positions]

    def ours():
        for position in positions:
            list(position.turns())

    def theirs():
        for board in boards:
            list(board.legal_moves)

    def best(work):
        times = []
        for _ in range(7):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        return min(times)

    benchmark.extra_info["times_python_chess"] = round(best(ours) / best(theirs), 3)
    benchmark.pedantic(ours, rounds=3)
