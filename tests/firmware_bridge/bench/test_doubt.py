"""Whether a question is idle is found out from the rules and the cells, not from the reconciler."""

import random

import pytest

import rules
from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.bench.ambiguity import Doubt, fair, named
from firmware_bridge.bench.scene import Handling
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces

PROMOTION = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
CAPTURES = "4k3/8/3p1p2/8/4N3/8/8/4K3 w - - 0 1"


def doubt(game, text, tier="occupancy", **options):
    position = rules.load(game, **options).parse(text)
    pieces = Pieces(simulated_pieces(position.game), position.placement, tier)
    return Doubt(position, named(position, pieces), pieces.standing()), pieces


def feel(found, *changes):
    for t, (cell, reading) in enumerate(changes):
        found.feel(t, cell, reading)
    return found.explanations()


def test_a_promotion_on_reeds_has_four_explanations_and_with_a_tag_one():
    found, _ = doubt("reversi", PROMOTION)
    assert feel(found, ("a7", None), ("a8", True)) >= 4
    found, pieces = doubt("reversi", PROMOTION, "identity")
    assert feel(found, ("a7", None), ("a8", pieces.fetch("wQ"))) == 1


def test_a_knight_in_the_air_may_stand_on_any_of_its_victims_or_be_in_the_hand():
    found, _ = doubt("reversi", CAPTURES)
    assert feel(found, ("e4", None)) == 3  # d6, f6, or none yet


def test_a_victim_whose_cell_opened_leaves_one_explanation():
    found, _ = doubt("reversi", CAPTURES)
    assert feel(found, ("d6", None), ("e4", None), ("d6", True)) == 1
    found, pieces = doubt("reversi", CAPTURES, "identity")
    assert feel(found, ("d6", None), ("e4", None), ("d6", pieces.on["e4"])) == 1


def test_a_nudge_tells_nothing():
    found, _ = doubt("reversi", CAPTURES)
    assert feel(found, ("e4", None), ("d6", None)) == 0
    found.feel(1.1, "d6", True)
    assert found.explanations() == 3


def test_a_piece_whose_cell_never_opened_has_not_moved():
    text = "3qkbnr/3ppppp/rn6/ppp5/PN6/P4b2/1BPPPPPP/2RQKBNR w Kk c6 0 5"
    found, _ = doubt("realm", text, power=True, free=True)
    fitted = feel(found, ("b2", None), ("c2", None), ("c3", True), ("d4", True))
    assert (
        fitted == 1
    )  # the pawn on d2, which could go to d4 while c2's takes its place, stood still


def test_a_chatter_that_changes_nothing_tells_nothing():
    found, _ = doubt("reversi", CAPTURES)
    assert feel(found, ("e4", None), ("d6", True)) == 3


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_board_that_shows_the_position_has_that_explanation(tier):
    found, pieces = doubt("reversi", CAPTURES, tier)
    assert feel(found, ("e4", None), ("e4", pieces.reading(pieces.on["e4"]))) == 1


SEGMENT = "4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("turn", "felt", "is_fair"),
    [
        ("d3e4", "e4- d3- e4+", True),
        ("d3e4", "e4- d3- e4+ a4- a4+", False),  # the anchor
        ("d3e4", "e4- d3- e4+ c4- c4+", False),  # all that it would change
        ("a4a8", "a4- a6+ a6- a8+ W", True),
        ("a4a8", "a4- a6+ W a6- a8+", False),
        ("a4a8", "a4- W a8+", False),  # as if it stood on its victim
        ("a4a8", "W a4- a8+", True),
        ("a4a8", "a4- g6* g6- a8+", False),
        ("a4a8", "g6* a4- a8+ g6-", True),
    ],
)
def test_hands_that_say_that_another_turn_was_made_are_not_fair(turn, felt, is_fair):
    position = rules.load("reversi").parse(SEGMENT)
    pieces = Pieces(simulated_pieces(position.game), position.placement, "occupancy")
    line = Timeline(position, pieces.standing(), random.Random(0))
    for t, (*cell, how) in enumerate(felt.split()):
        square = "".join(cell)
        line.add(
            CellEvent(t, square, None if how == "-" else True) if cell else ButtonEvent(t, "white")
        )
        line.things |= {square} if how == "*" else set()
    handling = Handling(line, (position.parse_turn(turn),))
    assert fair(handling, named(position, pieces)) is is_fair
