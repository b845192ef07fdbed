"""The worths that are fitted to games are those by which the games went."""

import json
import random
from math import exp

import pytest

import rules
from tests.firmware_bridge.opponents.fit import fitted, samples


def test_what_made_the_games_is_found_again():
    rng, true = random.Random(1), [0.5, -1.0, 2.0]
    told = []
    for _ in range(4000):
        features = [rng.uniform(-1, 1) for _ in true]
        seems = sum(w * x for w, x in zip(true, features, strict=True))
        told.append((features, float(rng.random() < 1 / (1 + exp(-seems))), 1))
    assert fitted(told) == pytest.approx(true, abs=0.15)


def test_white_has_what_black_has_lost():
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    turns = ["e2e4", "d7d5", "e4d5", "h7h6", "a2a3"]
    played = {"first": "2", "second": "1", "number": 1, "points": 0, "start": start, "turns": turns}
    told = list(samples(rules.load("reversi"), [json.dumps(played)]))
    assert [features[:5] for features, _, _ in told] == 2 * [[0] * 5] + 2 * [[1, 0, 0, 0, 0]]
    assert {(points, features[-1]) for features, points, _ in told} == {(1, -1)}
