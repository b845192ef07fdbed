"""Why a board is illegal, where whoever asks may see whose the lifted pieces are."""

import rules
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from tests.firmware_bridge.reconciler.feeling import feel


def test_two_pieces_set_down_at_once_where_none_may_go_are_one_too_many():
    """Without tags nobody knows which of them went where, nor need he."""
    position = rules.load("indistinguishable").parse("4k3/8/8/8/8/8/4N3/R4K2 w - - 0 1")
    reconciler = Reconciler(position, Sensing(), Settings())
    feel(reconciler, (1.0, "e2", None), (1.01, "a1", None), (1.05, "f4", True), (1.15, "a3", True))
    reconciler.tick(3.0)
    assert (reconciler.verdict.kind, reconciler.verdict.reason) == ("illegal", "too-many-pieces")
