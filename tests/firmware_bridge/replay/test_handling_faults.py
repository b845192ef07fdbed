"""Cells that do not tell the truth are noticed, and play goes on around them."""

import pytest

import rules
from drivers.port import CellEvent
from firmware_bridge.reconciler import (
    AnswerRefused,
    CellSuspected,
    Reconciler,
    Sensing,
    Settings,
    TurnTaken,
)


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", ["indistinguishable", "reversi", "mockery", "realm"])
@pytest.mark.parametrize("dead", ["f1", "g1"])
def test_castling_onto_a_cell_that_is_dead(board, game, tier, dead):
    position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1" + (" -" if game == "mockery" else "")
    b = board(game, position, tier, clock=True).tell(call="distrust", data={"cell": dead})
    b.off("e1").off("h1")
    for cell, piece in (("g1", "e1"), ("f1", "h1")):
        if cell != dead:
            b.put(cell, piece)
    found = b.press("white").end().replay()
    assert found.taken == ["e1g1"]
    assert found.quiet


def test_a_cell_that_people_distrust_is_judged_by_the_others():
    position = rules.load("mockery").start()
    standing = {square: True for square in position.placement if square != "g8"}
    reconciler = Reconciler(position, Sensing(), Settings(clock=False), standing)
    found = reconciler.distrust("g8", 1.0)
    assert CellSuspected(1.0, "g8", "dead") in found
    assert reconciler.verdict.kind == "settled"
    reconciler.feel(CellEvent(2.0, "e2", None))
    reconciler.feel(CellEvent(2.5, "e4", True))
    (taken,) = (f for f in reconciler.tick(3.0) if isinstance(f, TurnTaken))
    assert str(taken.turn) == "e2e4"
    reconciler.feel(CellEvent(4.0, "f6", True))
    (taken,) = (f for f in reconciler.tick(5.0) if isinstance(f, TurnTaken))
    assert str(taken.turn) == "g8f6"


def test_an_answer_that_the_board_does_not_show_is_refused():
    reconciler = Reconciler(rules.load("mockery").start(), Sensing(), Settings())
    assert reconciler.answer(1.0, "e2e4") == (AnswerRefused(1.0, "e2e4", "nothing-changed"),)
    assert reconciler.answer(1.0, "e2e5") == (AnswerRefused(1.0, "e2e5", "no-such-move"),)
