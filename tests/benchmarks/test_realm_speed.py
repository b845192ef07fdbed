"""How long Realm Chess thinks, over 1,000 positions from random play for each set of options.

The figures are the p99 in the extra information, to be held on one core: whether the game is over,
50 ms; whether one given turn is legal, 2 ms; what a board means, 10 ms. Processor time is taken, so
that other work on the machine does not count. Every question is put to a fresh position.
"""

import gc
import random
from statistics import quantiles
from time import process_time

import pytest
import realm_walks

import rules

COUNT = 1000
OPTIONS = [{}, {"power": True}, {"free": True}, {"power": True, "free": True}]

over_options = pytest.mark.parametrize("options", OPTIONS, ids=realm_walks.option_name)


@pytest.fixture(scope="module")
def samples():
    """1,000 positions for each set of options, found once."""
    found = {}

    def sample(options):
        name = realm_walks.option_name(options)
        if name not in found:
            source = random.Random(name)
            found[name] = realm_walks.sample(rules.load("realm", **options), source, COUNT)
        return found[name]

    return sample


def fresh(position):
    return position.game.parse(str(position))


def measure(benchmark, questions):
    """Put every question, a function of a fresh position, and report the milliseconds."""
    times = []

    def run():
        for position, question in questions:
            asked = fresh(position)
            begin = process_time()
            question(asked)
            times.append((process_time() - begin) * 1000)

    gc.collect()
    gc.freeze()
    benchmark.pedantic(run, rounds=1)
    gc.unfreeze()
    cuts = quantiles(times, n=100)
    benchmark.extra_info["median_ms"] = round(cuts[49], 3)
    benchmark.extra_info["p99_ms"] = round(cuts[98], 3)
    benchmark.extra_info["max_ms"] = round(max(times), 3)
    benchmark.extra_info["asked"] = len(times)


def with_turns(positions, source):
    """The positions that go on, each with one of its turns drawn at random."""
    for position in positions:
        if position.outcome is None:
            yield position, realm_walks.random_turn(position, source)


@over_options
def test_whether_the_game_is_over(benchmark, samples, options):
    measure(benchmark, [(p, lambda q: q.outcome) for p in samples(options)])


@over_options
def test_whether_the_game_is_over_in_check(benchmark, options):
    """The hard part: in check, up to forty pieces thrown anyhow, many boards of them mate."""
    source = random.Random(5)
    game = rules.load("realm", **options)
    checks = []
    while len(checks) < COUNT:
        position = game.parse(realm_walks.thrown(source, most=40))
        if position.in_check:
            checks.append(position)
    measure(benchmark, [(position, lambda q: q.outcome) for position in checks])
    benchmark.extra_info["over"] = sum(position.outcome is not None for position in checks)


@over_options
def test_whether_a_turn_is_legal(benchmark, samples, options):
    source = random.Random(6)
    questions = []
    for position, turn in with_turns(samples(options), source):
        texts = (str(turn), spoilt(turn, source))
        questions += [(position, lambda q, text=text: judge(q, text)) for text in texts]
    measure(benchmark, questions)


def spoilt(turn, source):
    """The text of a turn with one of its squares changed."""
    text = str(turn)
    place = source.choice([i for i, letter in enumerate(text) if letter in "abcdefgh"])
    return text[:place] + source.choice("abcdefgh") + text[place + 1 :]


def judge(position, text):
    try:
        position.parse_turn(text)
    except rules.IllegalTurn:
        return


@over_options
def test_how_a_turn_is_written_and_read(benchmark, samples, options):
    source = random.Random(9)
    questions = []
    for position, turn in with_turns(samples(options), source):
        text = position.written(turn)
        questions.append((position, lambda q, turn=turn: q.written(turn)))
        questions.append((position, lambda q, text=text: understand(q, text)))
        questions.append((position, lambda q, text=text: understand(q, text.split(" (")[0])))
    measure(benchmark, questions)


def understand(position, text):
    try:
        position.understand(text)
    except rules.IllegalTurn:
        return


@over_options
def test_why_hands_made_no_turn(benchmark, samples, options):
    source = random.Random(10)
    questions = []
    for position, turn in with_turns(samples(options), source):
        moves = position.deed(turn).moves
        crossed = [(start, end) for (start, _), (_, end) in zip(moves, moves[::-1], strict=True)]
        questions.append((position, lambda q, moves=moves: q.objection(moves)))
        questions.append((position, lambda q, moves=crossed: q.objection(moves)))
    measure(benchmark, questions)


@over_options
def test_what_a_board_means(benchmark, samples, options):
    source = random.Random(7)
    questions = []
    for position, _ in with_turns(samples(options), source):
        seen = realm_walks.board_on_the_way(position, source)
        questions.append((position, lambda q, seen=seen: q.explainer().fitting(seen)))
        questions.append((position, lambda q, seen=seen: q.explainer().leading_to(seen)))
    measure(benchmark, questions)


@over_options
def test_playing_a_turn(benchmark, samples, options):
    turns = with_turns(samples(options), random.Random(8))
    measure(benchmark, [(p, lambda q, turn=turn: q.play(turn)) for p, turn in turns])
