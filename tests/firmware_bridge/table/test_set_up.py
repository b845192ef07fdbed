"""From an empty board to the first turn, as a service sees it."""

import pytest

import rules
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.reconciler import Sensing
from firmware_bridge.simulated_pieces import simulated_pieces
from firmware_bridge.table import Agreement, Table


@pytest.fixture(params=sorted(rules.games()))
def table(request):
    """A table on an empty board that reads tags, and what stands there when all is set up."""
    pieces = simulated_pieces()
    opened = Table(Agreement(request.param), Sensing("face", pieces.labels), now=0.0, standing={})
    opened.take_up()
    return opened, pieces.arrangements[request.param]


def test_a_board_that_was_empty_is_at_rest_once_it_is_set_up(table):
    opened, start = table
    opened.feed(Snapshot(1.0, start))
    assert opened.view(1.0).phase == "ready"
    opened.feed(ButtonEvent(2.0, "black"))
    assert opened.view(2.0).phase == "playing"
    assert opened.view(2.0).judged.kind == "settled"


def test_the_first_movement_of_a_tagged_piece_is_known(table):
    opened, start = table
    opened.feed(Snapshot(1.0, start))
    opened.feed(ButtonEvent(2.0, "black"))
    source, target = ("f7", "f6") if "f7" in start else ("d9", "d6")
    opened.feed(CellEvent(3.0, source, None))
    opened.feed(CellEvent(3.1, target, start[source]))
    opened.feed(ButtonEvent(3.2, "white"))
    judged = opened.view(3.2).judged
    assert judged.reason == "not-your-piece"
    assert [(move.source, move.target) for move in judged.restore] == [(target, source)]
