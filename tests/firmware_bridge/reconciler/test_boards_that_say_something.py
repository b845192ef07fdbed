"""What players say with pieces: the result, a new game, and which pieces turn over."""

import pytest

import rules
from firmware_bridge.reconciler import (
    Judged,
    KingsPlaced,
    Reconciler,
    Sensing,
    Settings,
    StartShown,
    TurnTaken,
)
from tests.firmware_bridge.reconciler.feeling import feel


def opened(game):
    """Return the position after 1. e4 e5 2. Nf3."""
    position = rules.load(game).start()
    for text in ("e2e4", "e7e5", "g1f3"):
        position = position.play(position.parse_turn(text))
    return position


@pytest.mark.parametrize("game", ["indistinguishable", "mockery", "realm", "reversi"])
@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [("e4", "d5", "white"), ("d4", "e5", "black"), ("e4", "e5", None), ("d5", "d4", None)],
)
def test_kings_tell_the_result_on_reeds_where_pawns_made_room_for_them(game, one, other, winner):
    reconciler = Reconciler(opened(game), Sensing(), Settings())
    cleared = [(1.0, "e4", None), (1.4, "e5", None)]
    kings = [(2.0, "e1", None), (2.3, one, True), (3.0, "e8", None), (3.3, other, True)]
    found = [*feel(reconciler, *cleared, *kings), *reconciler.tick(6.0)]
    assert [f.winner for f in found if isinstance(f, KingsPlaced)] == [winner]


def test_kings_tell_nothing_while_another_piece_is_missing():
    reconciler = Reconciler(opened("mockery"), Sensing(), Settings())
    hands = [(1.0, "a2", None), (2.0, "e1", None), (2.3, "d4", True), (3.0, "e8", None)]
    found = [*feel(reconciler, *hands, (3.3, "d5", True)), *reconciler.tick(9.0)]
    assert not [f for f in found if isinstance(f, KingsPlaced)]


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


@pytest.mark.parametrize(("seconds", "turn"), [(0.006, "d1d4"), (0.03, "d1d4"), (0.2, "d1d4~g4")])
def test_only_a_hand_touches_the_anchor_not_a_contact_that_chatters(seconds, turn):
    position = rules.load("reversi").parse("4k3/8/8/8/3ppnB1/8/8/3RK3 w - - 0 1")
    reconciler = Reconciler(position, Sensing(), Settings())
    feel(reconciler, (1.0, "d4", None), (1.5, "d1", None), (2.0, "d4", True))
    feel(reconciler, (3.0, "g4", None), (3.0 + seconds, "g4", True))
    found = reconciler.press(5.0, "white")
    assert [str(f.turn) for f in found if isinstance(f, TurnTaken)] == [turn]
