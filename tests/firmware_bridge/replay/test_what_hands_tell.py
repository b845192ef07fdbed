"""What hands did on the way tells which of several turns that look alike they did not make."""

import pytest

from drivers.port import CellEvent
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from rules import load


def test_a_pawn_first_read_elsewhere_is_known_by_the_square_that_nobody_read():
    """Where colours tell nothing, its own square tells whose it is, and it goes back there."""
    position = load("indistinguishable").parse("4k3/8/p7/8/8/8/4P3/4K3 w - - 0 1")
    tags = {"white-pawn": "wP", "black-pawn": "bP", "white-king": "wK", "black-king": "bK"}
    standing = {"e2": "white-pawn", "e1": "white-king", "e8": "black-king", "a6": True}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(), standing)
    events = [("e2", None), ("a6", None), ("e8", None), ("a7", "black-pawn"), ("h6", "black-king")]
    for t, (cell, reading) in enumerate(events, start=1):
        reconciler.feel(CellEvent(0.1 * t, cell, reading))
    reconciler.tick(9.0)
    assert reconciler.verdict.kind == "illegal"
    back = {(step.source, step.target) for step in reconciler.verdict.restore}
    assert back == {("a7", "a6"), ("h6", "e8"), (None, "e2")}
    pieces = {"a7": "black-pawn", "h6": "black-king", None: "white-pawn"}
    for t, step in enumerate(reconciler.verdict.restore, start=10):
        if step.source is not None:
            reconciler.feel(CellEvent(t, step.source, None))
        reconciler.feel(CellEvent(t + 0.5, step.target, pieces[step.source]))
    assert reconciler.verdict.kind == "settled"


@pytest.mark.parametrize("victim", ["white-queen", True])
def test_a_queen_first_read_where_she_took_another_is_not_the_other_come_home(victim):
    """Colours tell nothing, and she was set down before her tag was read."""
    position = load("indistinguishable").parse("4k3/8/q6Q/8/8/8/8/4K3 b - - 0 1")
    tags = {"white-queen": "wQ", "black-queen": "bQ", "white-king": "wK", "black-king": "bK"}
    standing = {"e1": "white-king", "e8": "black-king", "a6": True, "h6": victim}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(), standing)
    for t, (cell, reading) in enumerate([("h6", None), ("a6", None), ("h6", True)], start=1):
        reconciler.feel(CellEvent(0.4 * t, cell, reading))
    reconciler.feel(CellEvent(1.3, "h6", "black-queen"))
    assert reconciler.verdict.kind == "complete"
    assert [str(turn) for turn in reconciler.verdict.turns] == ["a6h6"]


def test_a_queen_first_read_on_the_square_of_a_pawn_that_she_took_is_not_that_pawn_promoted():
    position = load("indistinguishable").parse("4k3/8/8/8/8/8/1q3P2/4K3 w - - 0 1")
    tags = {"white-pawn": "wP", "black-queen": "bQ", "white-king": "wK", "black-king": "bK"}
    standing = {"e1": "white-king", "e8": "black-king", "f2": "white-pawn", "b2": True}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(clock=True), standing)
    for t, (cell, reading) in enumerate([("b2", None), ("f2", None), ("f2", "black-queen")]):
        reconciler.feel(CellEvent(0.4 * t, cell, reading))
    reconciler.press(1.5, "white")
    reconciler.tick(3.0)
    assert (reconciler.verdict.kind, reconciler.verdict.reason) == ("illegal", "not-your-piece")
    assert "f2" in reconciler.verdict.cells
