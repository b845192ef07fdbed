"""Each level is stronger than the one below it; a few games here, the whole ladder at night.

`docs/opponents.md` has what the whole ladder came to.
"""

import itertools
import os

import pytest

import rules
from firmware_bridge.opponents import level_of
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.match import Match

NIGHTLY = bool(os.environ.get("FIRMWARE_BRIDGE_NIGHTLY"))
OWN_SEARCH = "indistinguishable without programs"
LADDERS = ("reversi", "mockery", "indistinguishable", OWN_SEARCH)
nightly = pytest.mark.skipif(not NIGHTLY, reason="many games: FIRMWARE_BRIDGE_NIGHTLY=1")


def points(game_id, first, second, games):
    """What the first player made of a match; `None` draws turns at random."""
    players = tuple(level and level_of(game_id, level) for level in (first, second))
    match = Match(rules.load(game_id), players, seed="1")
    results = [match.play(number) for number in range(games)]
    return sum(
        0.5
        if played.result not in ("1-0", "0-1")
        else float((played.result == "1-0") == (number % 2 == 0))
        for number, played in enumerate(results)
    )


@pytest.fixture
def game_id(request, monkeypatch):
    if request.param == OWN_SEARCH:
        monkeypatch.setattr(external, "PROGRAMS", ())
    return request.param.partition(" ")[0]


@pytest.mark.parametrize("game_id", ["reversi", "mockery"], indirect=True)
def test_a_stronger_level_wins(game_id):
    assert points(game_id, 3, 1, games=2) >= 1.5


@pytest.mark.chess_programs
def test_a_stronger_level_wins_though_nobody_sees_whose_it_is():
    assert points("indistinguishable", 4, 1, games=2) >= 1.5


@nightly
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("lower", [1, 2, 3, 4])
@pytest.mark.parametrize("game_id", LADDERS, indirect=True)
def test_each_level_beats_the_one_below(game_id, lower):
    assert points(game_id, lower + 1, lower, games=100) >= 58


@nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("level", "least"), [(2, 95), (3, 99), (4, 99), (5, 99)])
@pytest.mark.parametrize("game_id", LADDERS, indirect=True)
def test_a_random_mover_loses(game_id, level, least):
    assert points(game_id, level, None, games=100) >= least


def options_of(game):
    """Every combination of its options."""
    names = list(game.allowed)
    for values in itertools.product(*(game.allowed[name] for name in names)):
        yield dict(zip(names, values, strict=True))


@nightly
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("game_id", sorted(rules.games()), indirect=True)
def test_ten_thousand_turns_are_all_legal(game_id):
    """The rules refuse a turn that is not, and the match ends with it."""
    sets = [rules.load(game_id, **options) for options in options_of(rules.games()[game_id])]
    made, number = 0, 0
    while made < 10_000 or number < len(sets):
        game = sets[number % len(sets)]
        players = (level_of(game_id, 1 + number % 2), None)
        made += len(Match(game, players, seed="legal", plies=120).play(number).turns)
        number += 1
