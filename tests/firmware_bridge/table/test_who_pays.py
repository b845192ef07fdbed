"""Whose offence it was, what everyone is told of it, and when there was none."""

import pytest

from firmware_bridge.messages import Ended, Ruled
from firmware_bridge.messages.outputs import VerdictChanged
from tests.firmware_bridge.table.driving import Driven


def told(driven):
    """Return the reasons that everyone is told."""
    verdicts = [o.verdict.reason for o in driven.outputs if isinstance(o, VerdictChanged)]
    ruled = [o.reason for o in driven.outputs if isinstance(o, Ruled)]
    return [reason for reason in verdicts if reason], ruled


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [("a1", "d5", "no-such-move"), ("a1", "a5", "path-blocked"), ("a4", "a5", "path-blocked")],
)
@pytest.mark.parametrize("knight", ["n", "N"])
def test_an_illegal_move_is_called_alike_whoever_stands_there(knight, source, target, reason, tier):
    position = f"4k3/8/8/{knight}2{knight}4/P7/8/8/R3K3 w - - 0 1"
    driven = Driven("indistinguishable", position=position, tier=tier, settings={"time": "45m"})
    driven.cell(target, None)
    driven.carry(source, target)
    driven.press("white")
    driven.wait(2)
    verdicts, ruled = told(driven)
    assert set(verdicts) == {reason}
    assert ruled == [reason]
    assert "illegal-move" in driven.said


def test_that_the_king_was_in_check_before_is_not_told():
    position = "4k3/8/8/4r3/8/8/8/R3K3 w - - 0 1"
    driven = Driven("indistinguishable", position=position, settings={"time": "45m"})
    driven.carry("a1", "a2")
    driven.press("white")
    driven.wait(2)
    assert told(driven)[1] == ["exposes-king"]


@pytest.mark.parametrize(
    ("game", "late"),
    [
        ("indistinguishable", False),
        ("indistinguishable", True),
        ("mockery", False),
        ("mockery", True),
    ],
)
def test_without_a_clock_the_mover_who_goes_on_wrongly_costs_his_opponent_nothing(game, late):
    driven = Driven(game, buttons=False, settings={"time": "45m", "penalty": "5m"})
    driven.carry("e2", "e4")
    driven.wait(1)
    driven.carry("e4", "e5" if not late else "e2")
    driven.wait(3)
    if late:
        driven.carry("d7", "d5")
        driven.wait(3)
    verdicts, ruled = told(driven)
    assert set(verdicts) == {"no-such-move"}
    assert ruled == []
    assert driven.table.state.offences == {"white": 0, "black": 0}
    if late:
        driven.carry("d5", "d7")
    driven.carry("e2" if late else "e5", "e4")
    assert driven.view.judged.kind == "settled"
    driven.carry("e7", "e5")
    driven.wait(1)
    assert str(driven.table.state.played[-1].turn) == "e7e5"


def test_another_piece_of_the_opponents_is_an_offence_without_a_clock_too():
    driven = Driven("indistinguishable", buttons=False, settings={"time": "45m"})
    driven.carry("e2", "e4")
    driven.wait(1)
    driven.carry("d2", "d3")
    driven.wait(3)
    assert told(driven)[1] == ["not-your-piece"]
    assert driven.table.state.offences == {"white": 0, "black": 1}


@pytest.mark.parametrize("game", ["reversi", "mockery", "indistinguishable"])
def test_a_legal_turn_that_hands_have_not_made_yet_is_not_called_illegal(game):
    marks = " -" if game == "mockery" else ""
    position = f"8/1P3k2/8/8/8/8/5K2/8 w - - 0 1{marks}"
    driven = Driven(game, position=position, tier="occupancy")
    driven.cell("b7", None)
    driven.answer("b7b8q", "white")
    assert driven.said[-1] == "refused-answer"


def test_a_position_in_which_nobody_plays_is_over_at_once():
    driven = Driven("reversi", position="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert [o.outcome.reason for o in driven.outputs if isinstance(o, Ended)] == ["bare-kings"]
    assert driven.view.phase == "over"


def test_where_more_differs_the_reason_does_not_depend_on_whose_piece_was_blamed():
    told_of = set()
    for pawn in "pP":
        position = f"4k3/7{pawn}/8/8/8/7P/8/R3K3 b - - 0 1"
        driven = Driven("indistinguishable", position=position, tier="identity", buttons=False)
        driven.carry("e8", "a2")
        driven.cell("h7", None)
        driven.cell("h3", None)
        driven.wait(12)
        verdicts, ruled = told(driven)
        told_of.add((tuple(verdicts), tuple(ruled)))
    assert len(told_of) == 1
    assert told_of.pop()[1] == ("no-such-move",)
