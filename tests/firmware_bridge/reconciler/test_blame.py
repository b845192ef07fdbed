"""The reason told for what no rule allows."""

import pytest

import rules
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from tests.firmware_bridge.reconciler.feeling import feel

CONVERTING = "4k3/8/8/8/3ppnB1/8/8/3RK3 w - - 0 1"


def tagged(game, text):
    """Return a reconciler on a board that reads kinds of pieces as tags, and what it reads."""
    position = rules.load(game).parse(text)
    tags = {f"04:{label}:{square}": label for square, label in position.placement.items()}
    tags["04:spare"] = "wN"
    on = {square: f"04:{label}:{square}" for square, label in position.placement.items()}
    return Reconciler(position, Sensing("identity", tags), Settings(), standing=on), on


@pytest.mark.parametrize("captured_before", [True, False])
def test_a_piece_exchanged_for_the_other_colour_where_nothing_converts_it(captured_before):
    reconciler, on = tagged("reversi", CONVERTING)
    capture = [(1.0, "d4", None), (2.0, "d1", None), (2.4, "d4", on["d1"])]
    feel(reconciler, *(capture if captured_before else ()))
    feel(reconciler, (4.0, "e8", None), (4.5, "e8", "04:spare"))
    reconciler.tick(9.0)
    assert reconciler.verdict.kind == "illegal"
    assert reconciler.verdict.reason == "no-such-segment"


def test_a_piece_set_in_place_of_the_movers_own_converts_nothing():
    reconciler, _ = tagged("reversi", CONVERTING)
    feel(reconciler, (4.0, "d1", None), (4.5, "d1", "04:spare"))
    reconciler.tick(9.0)
    assert (reconciler.verdict.kind, reconciler.verdict.reason) == ("illegal", "not-in-hand")


def test_where_nothing_is_ever_converted_it_came_from_nowhere():
    reconciler, _ = tagged("realm", "4k3/8/8/8/4n3/8/8/3RK3 w - - 0 1")
    feel(reconciler, (4.0, "e4", None), (4.5, "e4", "04:spare"))
    reconciler.tick(9.0)
    assert reconciler.verdict.reason == "not-in-hand"
