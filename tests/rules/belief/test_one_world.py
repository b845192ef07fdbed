"""A game without secrets, asked as one with them, gives the one position that there is."""

import json
from random import Random

import pytest

import rules
from rules import Belief, Contradiction, InvalidPosition, Knowledge, Seen

OPEN = [game for game in rules.games() if game != "reality-check"]


@pytest.mark.parametrize("name", OPEN)
def test_every_player_knows_it_all(name):
    random = Random(name)
    game = rules.load(name)
    position = game.start()
    beliefs = {side: game.believe(side, position.knowledge(side)) for side in ("white", "black")}
    for _ in range(6):
        turn = random.choice(list(position.turns()))
        seen = {side: position.seen(turn, side) for side in beliefs}
        position = position.play(turn)
        beliefs = {side: belief.after(seen[side]) for side, belief in beliefs.items()}
        for side, belief in beliefs.items():
            assert belief.worlds() == (position,)
            assert belief.count == 1
            assert game.believe(side, position.knowledge(side)).worlds() == (position,)
        chances = {square: {label: 1.0} for square, label in position.placement.items()}
        assert beliefs["white"].chances() == chances


def test_a_belief_is_never_empty():
    game = rules.load("reversi")
    start = game.start()
    belief = game.believe("white", start.knowledge("white"))
    seen = start.seen(start.parse_turn("e2e4"), "white")
    with pytest.raises(Contradiction):
        belief.after(Seen("e2e3", (), seen.knowledge))
    with pytest.raises(Contradiction):
        belief.after(Seen("e2e5", (), seen.knowledge))
    with pytest.raises(Contradiction):
        Belief("white", ())


def test_nobody_believes_what_the_other_knows_or_what_is_no_knowledge():
    for name in rules.games():
        game = rules.load(name)
        with pytest.raises(ValueError, match="cannot believe"):
            game.believe("white", game.start().knowledge("black"))
        for text in ("", "?", " ".join("?" * 8), str(game.start())[1:]):
            with pytest.raises(InvalidPosition):
                game.believe("white", Knowledge("white", text))


def test_what_was_seen_crosses_a_pipe_unchanged():
    position = rules.load("reality-check").start()
    position = position.play(position.parse_turn("b3b4"))
    for side in ("white", "black"):
        seen = position.seen(position.parse_turn("b7b6/c7"), side)
        assert seen.revealed == (("c7", "bPN:P"),)
        assert Seen.from_json(json.loads(json.dumps(seen.to_json()))) == seen


WRONG = [
    {"turn": 3},
    {"revealed": None},
    {"revealed": ["d4"]},
    {"revealed": [["d4", "wPN:N", ""]]},
    {"side": "red"},
    {"knowledge": None},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_no_seen_turn_is_refused(wrong):
    right = {"turn": "e2e4", "revealed": [], "side": "white", "knowledge": "x"}
    Seen.from_json(right)
    for value in (right | wrong, {k: v for k, v in right.items() if k not in wrong}, [], None):
        with pytest.raises(ValueError, match="this is no "):
            Seen.from_json(value)
