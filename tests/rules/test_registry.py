"""Games are found by themselves and take exactly their options."""

import itertools
import re
from collections import Counter

import pytest

import rules
from rules.reasons import COMMON


def test_the_five_games_are_found():
    found = list(rules.games())
    assert {"indistinguishable", "mockery", "reality-check", "realm", "reversi"} <= set(found)
    assert found == sorted(found)


@pytest.mark.parametrize("game_id", ["draughts", "", "Realm", "reality_check", "../realm"])
def test_an_unknown_game_is_named_with_those_there_are(game_id):
    with pytest.raises(rules.UnknownGame, match=r"indistinguishable, .*mockery"):
        rules.load(game_id)


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("reversi", {"power": True}),
        ("realm", {"power": 1}),
        ("realm", {"power": "yes"}),
        ("reality-check", {"dice": 3}),
        ("reality-check", {"dice": True}),
        ("reality-check", {"board": "round"}),
        ("indistinguishable", {"single_set": None}),
    ],
)
def test_an_unknown_option_or_value_is_refused(game_id, options):
    with pytest.raises(rules.UnknownGame):
        rules.load(game_id, **options)


def test_an_unknown_game_is_a_value_error():
    assert issubclass(rules.UnknownGame, ValueError)


def test_all_combinations_of_options_load_and_start():
    for game_id, game in rules.games().items():
        for values in itertools.product(*game.allowed.values()):
            options = dict(zip(game.allowed, values, strict=True))
            loaded = rules.load(game_id, **options)
            assert loaded.options == options
            assert loaded == rules.load(game_id, **options)
            assert hash(loaded) == hash(rules.load(game_id, **options))
            position = loaded.start()
            assert loaded.parse(str(position)) == position


def test_every_reason_has_one_meaning_and_is_a_sentence():
    games = rules.games().values()
    said = {*COMMON.items(), *(pair for game in games for pair in game.own_reasons.items())}
    codes = Counter(code for code, _ in said)
    twice = sorted(code for code, times in codes.items() if times > 1)
    assert not twice, "two games give these codes another sentence: take another code"
    for code, sentence in said:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert re.fullmatch(r"[A-Z].*\.", sentence), code


def test_a_game_cannot_give_a_reason_of_all_games_another_meaning():
    with pytest.raises(TypeError, match=r"Twin defines again .*syntax"):
        type("Twin", (rules.Game,), {"own_reasons": {"syntax": "So not."}})


def test_games_with_other_options_are_other_games():
    assert rules.load("realm") != rules.load("realm", free=True)
    assert rules.load("realm") != rules.load("reversi")
    assert rules.load("realm").start() != rules.load("realm", free=True).start()


def test_options_cannot_be_changed_from_outside():
    with pytest.raises(TypeError):
        rules.load("realm").options["power"] = True
