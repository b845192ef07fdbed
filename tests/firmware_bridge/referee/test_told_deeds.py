"""What a voice is given of a turn: what everyone sees hands do for it, and no more."""

import random

import pytest

import rules
from firmware_bridge.referee.remarks import told_deed
from firmware_bridge.words import catalogue, spoken
from tests.nightly import one_of
from tests.sample import SAMPLE

CASTLES = "r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("game", "position", "turn", "deed"),
    [
        ("mockery", "4k3/8/8/8/8/8/3p4/1N2K3 w - - 0 1 -", "b1d2", "Nb1xd2"),
        ("indistinguishable", None, "e2e4", "Pe2-e4"),
        ("indistinguishable", CASTLES, "e1g1", "0-0"),
        ("reversi", CASTLES, "e1c1", "0-0-0"),
        ("realm", None, "e2e4", "Pe2-e4"),
        ("realm", None, "C-cd34:b1c3,c2c4,d2d4", "C@cd34#3"),
        ("realm", CASTLES, "e1g1", "0-0"),
        ("reality-check", None, "b3b4", "Pb3-b4"),
    ],
)
def test_a_turn_is_told_by_what_hands_do(game, position, turn, deed):
    loaded = rules.load(game)
    before = loaded.parse(position) if position else loaded.start()
    assert told_deed(before, before.parse_turn(turn)) == deed


@pytest.mark.parametrize("game", SAMPLE)
def test_every_turn_that_hands_make_is_said_in_whole_words(game):
    rng = random.Random(5)
    for seed in one_of(*range(3)):
        position = rules.load(game).start()
        for _ in range(30):
            turns = list(position.turns())
            if not turns:
                break
            turn = rng.choice(turns)
            deed = told_deed(position, turn)
            assert bool(deed) == position.deed(turn).physical, (seed, str(turn))
            for language in ("en", "de") if deed else ():
                said = spoken(catalogue(language, game), "plays", {"deed": deed})
                assert not set(said) & set("@#{}/*-"), said
                assert said[0].isupper()
                assert said.endswith(".")
            position = position.play(turn)


@pytest.mark.parametrize(
    ("game", "position", "turn", "english", "german"),
    [
        ("mockery", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 -", "a7a8r",
         "Hint: Pawn from a7 to a8, promotes to rook.", "Tipp: Bauer von a7 nach a8, wird Turm."),
        ("reversi", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "e4d3",
         "Hint: Pawn from e4 takes d3.", "Tipp: Bauer von e4 schlägt d3."),
        ("reversi", "4k3/8/8/4p3/3PP2q/8/8/K7 b - - 0 1", "e5d4~h4",
         "Hint: Pawn from e5 takes d4, converts up to h4.",
         "Tipp: Bauer von e5 schlägt d4, dreht um bis h4."),
    ],
)  # fmt: skip
def test_a_hint_says_what_hands_do_and_what_else_makes_it_that_turn(
    game, position, turn, english, german
):
    before = rules.load(game).parse(position)
    deed = told_deed(before, before.parse_turn(turn), each=True)
    for language, said in (("en", english), ("de", german)):
        assert spoken(catalogue(language, game), "hint", {"turn": turn, "deed": deed}) == said


def test_a_hint_names_each_piece_of_a_realm_and_which_of_them_captures():
    before = rules.load("realm").parse("4k3/8/8/2p5/3PB3/8/8/4K3 w - - 0 1")
    turn = before.parse_turn("C-cd56:d4c5,e4d5")
    assert told_deed(before, turn, each=True) == "Pd4xc5 Be4-d5"


def test_two_positions_that_look_alike_are_told_alike():
    game = rules.load("reality-check")
    start = game.start()
    turn = start.parse_turn("b3b4")
    worlds = game.believe("black", start.knowledge("black")).worlds()
    assert {told_deed(world, turn) for world in worlds[:40]} == {"Pb3-b4"}
