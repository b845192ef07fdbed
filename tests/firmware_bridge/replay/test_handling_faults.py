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


def test_a_flickering_cell_is_told_of_once_and_done_without(board):
    b = board()
    for _ in range(12):
        b.read("e4", True, 0.1).read("e4", None, 0.1)
    b.end(1).carry("d2", "d4").end(1)
    for _ in range(3):
        b.read("e4", True, 0.1).read("e4", None, 0.1)
    b.off("e7").put("e5", "e7").end(1)
    found = b.replay()
    assert found.taken == ["d2d4", "e7e5"]
    assert found.quiet
    assert [text for text in found.said if "e4" in text] != []
    assert len([text for text in found.said if "e4" in text]) == 1
    assert found.lights()["e4"] == "fault"


def test_a_turn_to_a_flickering_cell_is_asked_about(board):
    b = board(clock=True)
    for _ in range(12):
        b.read("e4", True, 0.1).read("e4", None, 0.1)
    b.end(1).off("e2").press("white")
    assert b.replay().taken == ["e2e4"]


def test_a_cell_stuck_closed_is_found_out_and_the_turn_asked_about(board):
    position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 -"
    b = board(position=position).read("e4", True, 1).end(2)
    asked = b.replay()
    assert asked.last["verdict"] == "choice"
    assert asked.last["turns"] == ["e2e4"]
    assert any("e2" in text for text in asked.said)
    found = b.answer("e2e4").carry("e8", "e7").end().replay()
    assert found.taken == ["e2e4", "e8e7"]
    assert found.quiet


def test_a_stray_piece_is_not_taken_for_a_turn_by_the_press(board):
    position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 -"
    found = board(position=position, clock=True).read("e4", True, 1).end(2).press("white").replay()
    assert found.taken == []


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


def test_a_spare_piece_accuses_no_cell_of_being_stuck(board):
    b = board(clock=True).read("hw1", True, 0.5).read("hw1", None, 0.5).read("e4", True, 0.5)
    found = b.end(5).replay()
    assert found.last["reason"] == "not-in-hand"
    assert found.lights() == {"e4": "must-go-back"}
