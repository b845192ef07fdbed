"""A piece that is missing beside a turn that is there, and pieces moved that make no turn."""

import pytest

import rules
from firmware_bridge.reconciler import Judged, Reconciler, Sensing, Settings, TurnTaken
from tests.firmware_bridge.reconciler.feeling import feel

PAWNS_MEET = "4k3/8/8/3p4/4P3/8/8/R3K2R w KQ - 0 1"
GAMES = ["reversi", "realm"]


def seated(game, text=PAWNS_MEET, **conduct):
    return Reconciler(rules.load(game).parse(text), Sensing(), Settings(**conduct))


def kinds(found):
    return [(f.t, f.verdict.kind) for f in found if isinstance(f, Judged)]


TURNS = {
    "move": [(1.0, "e4", None), (1.3, "e5", True)],
    "capture": [(1.0, "d5", None), (1.2, "e4", None), (1.4, "d5", True)],
}
STOLEN = {"a1": "too-many-pieces", "e8": "not-your-piece"}
HELD = {"a1": 0.8, "e8": 5.0}  # the other player may have his piece in his hand


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("stolen", STOLEN)
def test_what_is_missing_beside_a_turn_glows_at_once(game, turn, stolen):
    reconciler = seated(game)
    found = feel(reconciler, (0.5, stolen, None), *TURNS[turn])
    assert reconciler.verdict.kind == "unexplained"
    assert reconciler.verdict.cells == (stolen,)
    found = reconciler.tick(9.0)
    assert kinds(found) == [(pytest.approx(TURNS[turn][-1][0] + HELD[stolen]), "illegal")]
    assert reconciler.verdict.reason == STOLEN[stolen]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("stolen", "at"), [("a1", 0.5), ("a1", 1.6), ("e8", 0.5)])
def test_the_movers_press_calls_it_at_once(game, turn, stolen, at):
    reconciler = seated(game)
    feel(reconciler, *sorted([(at, stolen, None), *TURNS[turn]]))
    found = reconciler.press(1.8, "white")
    assert kinds(found)[-1] == (1.8, "illegal")
    assert reconciler.verdict.reason == STOLEN[stolen]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("turn", TURNS)
def test_the_movers_press_takes_a_turn_after_which_the_opponent_lifted_a_piece(game, turn):
    reconciler = seated(game)
    feel(reconciler, *TURNS[turn], (1.6, "e8", None))
    found = reconciler.press(1.7, "white")
    assert [f.cause for f in found if isinstance(f, TurnTaken)] == ["press"]
    found += reconciler.tick(4.0)
    assert reconciler.verdict.kind == "in-progress"
    feel(reconciler, (4.2, "e8", True))
    assert reconciler.verdict.kind == "settled"


@pytest.mark.parametrize("game", GAMES)
def test_with_a_clock_the_opponent_may_lift_a_piece_ahead_of_time(game):
    reconciler = seated(game)
    found = feel(reconciler, *TURNS["move"], (1.6, "e8", None))
    found += reconciler.tick(4.0)
    assert reconciler.verdict.kind == "in-progress"
    found += feel(reconciler, (4.2, "e8", True))
    found += reconciler.press(5.0, "white")
    assert [str(f.turn) for f in found if isinstance(f, TurnTaken)] == ["e4e5"]


def pawn_advanced():
    start = str(rules.load("realm").start())
    reconciler = seated("realm", start, clock=False)
    feel(reconciler, (1.0, "e2", None), (1.3, "e4", True))
    assert reconciler.verdict.kind == "extendable"
    return reconciler


def test_a_realm_turn_that_nobody_took_is_not_answered():
    reconciler = pawn_advanced()
    feel(reconciler, (2.0, "e7", None))
    reconciler.tick(2.2)
    assert reconciler.verdict.kind == "unexplained"
    reconciler.tick(6.9)
    assert reconciler.verdict.kind == "unexplained"
    reconciler.tick(7.5)
    assert (reconciler.verdict.kind, reconciler.verdict.reason) == ("illegal", "not-your-piece")


def test_a_piece_that_a_longer_realm_turn_wants_may_be_in_the_air():
    reconciler = pawn_advanced()
    feel(reconciler, (2.0, "f2", None))
    reconciler.tick(20.0)
    assert reconciler.verdict.kind == "in-progress"
    feel(reconciler, (20.1, "f4", True))
    assert [str(turn) for turn in reconciler.verdict.turns] == ["D-ef12:e2e4,f2f4"]


@pytest.mark.parametrize(("game", "reason"), [("reversi", "too-many-pieces"),
                                              ("realm", "mixed-realms")])  # fmt: skip
def test_two_pieces_moved_that_have_no_realm_in_common(game, reason):
    reconciler = seated(game)
    feel(reconciler, (1.0, "a1", None), (1.3, "h1", None), (1.6, "a2", True), (1.9, "h2", True))
    reconciler.press(2.5, "white")
    assert (reconciler.verdict.kind, reconciler.verdict.reason) == ("illegal", reason)
