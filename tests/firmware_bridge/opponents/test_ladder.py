"""Each level is stronger than the one below it; a few games here, the whole ladder at night.

`docs/tables/opponents.md` has what the whole ladder came to.
"""

import itertools

import pytest

import rules
from firmware_bridge.opponents import level_of
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.opponents.match import Match, entrant, settled
from firmware_bridge.opponents.seat import Seat
from firmware_bridge.opponents.stand_ins import STAND_INS
from rules.values import SIDES
from tests.nightly import NIGHTLY, at_night, one_of
from tests.sample import SAMPLE

OWN_SEARCH = "indistinguishable without programs"
LADDERS = ("reversi", "mockery", "realm", "indistinguishable", OWN_SEARCH, "reality-check")
OPEN = ("reversi", "mockery", "indistinguishable", "realm")
nightly = at_night("many games")
SEEDS = 20 if NIGHTLY else 6


def points(game_id, first, second, games):
    """What the first player made of each game of a match; `None` draws turns at random."""
    players = tuple(
        STAND_INS.get(name) or (name and entrant(level_of(game_id, name)))
        for name in (first, second)
    )
    match = Match(rules.load(game_id), players, seed="1")
    return [match.play(number).points(number) for number in range(games)]


@pytest.fixture
def game_id(request, monkeypatch):
    if request.param == OWN_SEARCH:
        monkeypatch.setattr(external, "PROGRAMS", ())
        external.program.cache_clear()
    return request.param.partition(" ")[0]


@pytest.mark.parametrize(("game_id", "level"), one_of(("mockery", 3), ("reversi", 4)))
def test_a_stronger_level_wins(game_id, level):
    assert sum(points(game_id, level, 1, games=2)) >= 1.5


@pytest.mark.chess_programs
def test_a_stronger_level_wins_though_nobody_sees_whose_it_is():
    assert sum(points("indistinguishable", 4, 1, games=2)) >= 1.5


def opened(game_id, level, seed):
    """The first four turns of a game between equals."""
    game = rules.load(game_id)
    position, turns = game.start(), []
    seats = {side: Seat(game, level_of(game_id, level), f"{seed} {side}") for side in SIDES}
    for side, seat in seats.items():
        seat.know(position.knowledge(side))
    while len(turns) < 4:
        turn, _, _ = settled(seats[position.side], position)
        for side, seat in seats.items():
            seat.see(position.seen(turn, side))
        position = position.play(turn)
        turns.append(str(turn))
    return tuple(turns)


@pytest.mark.chess_programs
@pytest.mark.timeout(3600 if NIGHTLY else 120)
@pytest.mark.parametrize("level", LEVELS if NIGHTLY else LEVELS[-1:])
@pytest.mark.parametrize("game_id", OPEN if NIGHTLY else ["indistinguishable"])
def test_no_two_evenings_begin_alike(game_id, level):
    assert len({opened(game_id, level, seed) for seed in range(SEEDS)}) >= 0.4 * SEEDS


@nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game_id", OPEN)
def test_a_child_wins_now_and_then_against_level_1(game_id):
    assert 35 <= sum(points(game_id, 1, "child", games=100)) <= 65


@nightly
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("outsider", ["sampler", "timid"])
@pytest.mark.parametrize("game_id", LADDERS, indirect=True)
def test_the_top_level_beats_players_from_outside(game_id, outsider):
    assert sum(points(game_id, LEVELS[-1], outsider, games=100)) >= 75


@nightly
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("lower", LEVELS[:-1])
@pytest.mark.parametrize("game_id", LADDERS, indirect=True)
def test_each_level_beats_the_one_below(game_id, lower):
    assert sum(points(game_id, lower + 1, lower, games=100)) >= 58


@nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize("game_id", LADDERS, indirect=True)
def test_a_random_mover_loses(game_id, level):
    made = points(game_id, level, None, games=100)
    if level == 2:
        assert sum(made) >= 95
    else:
        assert min(made) > 0
        assert sum(made) >= 99


@nightly
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("level", LEVELS[4:])
def test_games_between_equals_in_reality_check_come_to_an_end(level):
    player = entrant(level_of("reality-check", level))
    match = Match(rules.load("reality-check"), (player, player), seed="1", plies=150)
    assert sum(match.play(number).result in ("1-0", "0-1") for number in range(100)) >= 90


def options_of(game):
    """Every combination of its options."""
    names = list(game.allowed)
    for values in itertools.product(*(game.allowed[name] for name in names)):
        yield dict(zip(names, values, strict=True))


@pytest.mark.timeout(6 * 3600 if NIGHTLY else 300)
@pytest.mark.parametrize("game_id", SAMPLE, indirect=True)
def test_all_turns_of_computers_are_legal_with_all_options(game_id):
    """The rules refuse a turn that is not, and the match ends with it."""
    sets = [rules.load(game_id, **options) for options in options_of(rules.games()[game_id])]
    enough, plies = (10_000, 120) if NIGHTLY else (20, 20)
    made, number = 0, 0
    while made < enough or (NIGHTLY and number < len(sets)):
        game = sets[number * 7 % len(sets)]
        players = (entrant(level_of(game_id, 1 + number % 4)), None)
        made += len(Match(game, players, seed="legal", plies=plies).play(number).turns)
        number += 1
