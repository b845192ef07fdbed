"""What comes onto the board, or goes, by no hand that plays: a thing, a sleeve, a knock, a cat."""

import pytest

import rules
from drivers.port import CellEvent
from firmware_bridge.reconciler import Judged, Reconciler, Sensing, Settings


@pytest.mark.parametrize("game", ["mockery", "reversi", "chess", "indistinguishable"])
@pytest.mark.parametrize("cells", [("h5",), ("h5", "h6"), ("g5", "h5", "h6")])
def test_a_thing_laid_beside_a_turn_earns_no_ruling(game, cells):
    judge = Reconciler(rules.load(game).start(), Sensing(), Settings(clock=True))
    found = [*judge.feel(CellEvent(0.2, "e2", None))]
    for number, cell in enumerate(cells):
        found += judge.feel(CellEvent(0.4 + 0.1 * number, cell, True))
    found += [*judge.feel(CellEvent(0.9, "e4", True)), *judge.tick(5.0)]
    verdicts = [one.verdict for one in found if isinstance(one, Judged)]
    assert verdicts[-1].kind == "illegal"
    assert not any(verdict.earned for verdict in verdicts if verdict.kind == "illegal")
