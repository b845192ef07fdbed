"""Positions drawn as text."""

import rules
from rules.diagram import diagram


def test_white_is_drawn_in_capitals_and_black_in_small_letters():
    position = rules.load("reversi").parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    lines = diagram(position).splitlines()
    assert lines[0] == "8  .  .  .  .  k  .  .  ."
    assert lines[7] == "1  .  .  .  .  K  .  .  R"
    assert lines[8] == "   a  b  c  d  e  f  g  h"


def test_marked_pieces_stand_in_brackets():
    position = rules.load("mockery").parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1 h1")
    assert diagram(position).splitlines()[7] == "1  .  .  .  .  K  .  . (R)"


def test_squares_that_do_not_exist_are_blank():
    lines = diagram(rules.load("reality-check", board="advanced").start()).splitlines()
    assert lines[3] == "4  .        .        ."


def test_a_diagram_for_players_says_nothing_of_what_is_secret():
    game = rules.load("reality-check")
    one = game.start(white=arrangement("PP", "PN"), black=black_arrangement())
    other = game.start(white=arrangement("PN", "PP"), black=black_arrangement())
    assert diagram(one) == diagram(other)
    assert diagram(one, secrets=True) != diagram(other, secrets=True)


def arrangement(on_b3, on_c3):
    rest = {"d1": "RR", "c2": "NN", "e2": "NB", "d2": "BB", "d3": "BR", "e3": "PB", "f3": "PR"}
    return {"b3": on_b3, "c3": on_c3} | rest


def black_arrangement():
    return {
        square[0] + str(10 - int(square[1])): faces
        for square, faces in arrangement("PP", "PN").items()
    }


def test_owners_are_drawn_only_when_asked():
    position = rules.load("indistinguishable").start()
    assert not any(line[1:].islower() for line in diagram(position).splitlines()[:8])
    assert diagram(position, secrets=True).startswith("8  r  n")
