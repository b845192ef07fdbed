"""What one message costs: the board that makes it, and the wall that takes it in."""

import json

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.dashboard.hall import Hall
from firmware_bridge.mqtt.published_state import state
from firmware_bridge.pages.texts import texts
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Table

WORDS = texts("en", "reversi")
MOMENT = {"board": "Board 1", "boot": "boot", "as_of": "2026-11-20T12:00:00.000Z"}


def say(key, **gaps):
    return WORDS.text(key, gaps)


def view():
    agreement = Agreement("reversi", position=str(rules.load("reversi").start()))
    return Table(agreement, Sensing(), now=0.0, begin=True).view(0.0)


def test_make_a_state(benchmark):
    seen = view()
    assert benchmark(lambda: json.dumps(state(seen, say, "", MOMENT)))


def test_take_a_state_in(benchmark):
    payload = json.dumps(state(view(), say, "", MOMENT)).encode()
    hall = Hall("club")
    benchmark(hall.take, "club/a/state", payload, 0.0, 0.0)
    assert len(hall) == 1


def test_find_what_changed_among_many(benchmark):
    payload = json.dumps(state(view(), say, "", MOMENT)).encode()
    hall = Hall("club")
    for number in range(2000):
        hall.take(f"club/b{number}/state", payload, 0.0, 0.0)
    assert len(benchmark(lambda: list(hall.changed_since(hall.number - 5, 0.0)))) == 5
