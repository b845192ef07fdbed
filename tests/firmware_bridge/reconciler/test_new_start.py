"""What players say with pieces: a new game."""

import rules
from firmware_bridge.reconciler import (
    Judged,
    Reconciler,
    Sensing,
    Settings,
    StartShown,
)
from tests.firmware_bridge.reconciler.feeling import feel


def test_nobody_is_guided_back_from_a_new_start():
    reconciler = Reconciler(rules.load("mockery").start(), Sensing(), Settings(clock=False))
    there = [(1.0, "e2", None), (1.2, "e4", True), (3.0, "e7", None), (3.2, "e5", True)]
    back = [(5.0, "e4", None), (5.2, "e2", True), (6.0, "e5", None), (6.2, "e7", True)]
    found = [*feel(reconciler, *there, *back), *reconciler.tick(9.0)]
    assert [f.t for f in found if isinstance(f, StartShown)] == [7.2]
    assert not [
        f for f in found if isinstance(f, Judged) and f.verdict.kind == "disturbed" and f.t < 7.2
    ]
    assert reconciler.verdict.kind == "disturbed"
    assert reconciler.verdict.restore == ()
    assert reconciler.verdict.cells == ()
