"""What the board tells for certain goes before what is likely."""

import pytest

import rules
from drivers.port import CellEvent, Snapshot
from firmware_bridge.reconciler import Judged, Reconciler, Sensing, Settings, TurnTaken
from tests.firmware_bridge.reconciler.feeling import feel

UNCASTLED = "4k3/8/8/8/8/8/8/4K2R w - - 0 1"


def taken(found):
    return [str(f.turn) for f in found if isinstance(f, TurnTaken)]


def test_a_snapshot_in_which_the_turn_is_undone_takes_nothing():
    position = rules.load("mockery").start()
    reconciler = Reconciler(position, Sensing(), Settings(clock=False))
    feel(reconciler, (1.0, "e2", None), (1.2, "e4", True))
    standing = {square: True for square in position.placement if square != "g8"}
    found = reconciler.feel(Snapshot(1.4, standing))
    assert taken((*found, *reconciler.tick(5.0))) == []


def test_a_snapshot_in_which_a_piece_is_exchanged_and_the_turn_undone_takes_nothing():
    position = rules.load("mockery").start()
    tags = {f"tag {square}": label for square, label in position.placement.items()}
    standing = {square: f"tag {square}" for square in position.placement}
    sensing = Sensing("identity", {**tags, "spare": "bN"})
    reconciler = Reconciler(position, sensing, Settings(clock=False), standing)
    feel(reconciler, (1.0, "e2", None), (1.2, "e4", "tag e2"))
    found = reconciler.feel(Snapshot(1.4, {**standing, "g8": "spare"}))
    assert taken((*found, *reconciler.tick(5.0))) == []


def test_a_snapshot_in_which_the_opponent_holds_a_piece_takes_the_turn_with_his_reply():
    position = rules.load("mockery").start()
    reconciler = Reconciler(position, Sensing(), Settings(clock=False))
    feel(reconciler, (1.0, "e2", None), (1.2, "e4", True))
    left = position.placement.keys() - {"e2", "g8"}
    found = reconciler.feel(Snapshot(1.4, dict.fromkeys((*left, "e4"), True)))
    replied = feel(reconciler, (1.9, "f6", True))
    assert taken((*found, *replied, *reconciler.tick(5.0))) == ["e2e4", "g8f6"]


@pytest.mark.parametrize("game", ["indistinguishable", "reversi"])
def test_castling_without_the_right_is_told_as_such_on_reeds(game):
    """Each piece was alone in the air, so where each of them went is no guess."""
    reconciler = Reconciler(rules.load(game).parse(UNCASTLED), Sensing(), Settings())
    feel(reconciler, (1.0, "e1", None), (1.3, "g1", True), (2.0, "h1", None), (2.3, "f1", True))
    reconciler.press(2.5, "white")
    verdict = reconciler.verdict
    assert (verdict.kind, verdict.reason) == ("illegal", "castling-rights")
    assert verdict.attempt == ("e1", "g1")


def test_a_piece_from_the_air_is_not_taken_for_one_of_the_other_side_unread_before():
    """The knight knocks the pawn aside; the tag of neither piece was read before."""
    game = rules.load("realm")
    position = game.parse("4k3/8/8/3n4/8/2N5/8/R3K3 w - - 0 1")
    tags = {"N1": "wN", "N2": "bN", "R": "wR", "K": "wK", "k": "bK"}
    standing = {"c3": True, "d5": True, "a1": "R", "e1": "K", "e8": "k"}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(), standing)
    reconciler.feel(CellEvent(1.0, "c3", None))
    found = reconciler.feel(CellEvent(1.5, "d5", "N1"))
    assert [str(t) for f in found if isinstance(f, Judged) for t in f.verdict.turns] == ["c3d5"]


TO_FLIP = "br/nn1rr/pp1nbpnnr/5pb1/bb6/1rp4PB/PPNP1BB1/NRPRNN/RB b NB,RR/- d2 flip:1,2 - 10"


def test_a_true_disc_that_was_turned_over_lies_anew():
    """It looks as before, but its other tag is now the one by which a next turning is known."""
    position = rules.load("reality-check", dice=2, memory=True).parse(TO_FLIP)
    tags, standing = {}, {}
    for square, label in position.placement.items():
        up, down = f"04:{square}:0", f"04:{square}:1"
        tags[up], tags[down] = label, f"{label[:4]}{label[1:3].replace(label[-1], '', 1)}"
        standing[square] = up
    reconciler = Reconciler(position, Sensing("face", tags), Settings(), standing)
    feel(reconciler, (1.0, "b7", None), (1.5, "b7", "04:b7:1"))
    assert taken(reconciler.press(3.0, "black")) == ["flip:b7"]
    scene = reconciler._course.scene
    assert not scene.turned()
    feel(reconciler, (4.0, "b7", None), (4.5, "b7", "04:b7:0"))
    assert scene.turned() == {"b7"}


@pytest.mark.parametrize("spare", ["wB", "bB"])
def test_a_spare_piece_is_not_the_one_of_its_kind_that_was_taken_there(spare):
    """Its colour tells nothing of its owner, but the tag of the bishop taken is another one."""
    position = rules.load("indistinguishable").parse("2b1k3/1P6/8/8/8/8/8/4K3 w - - 0 1")
    tags = {f"tag {square}": label for square, label in position.placement.items()}
    standing = {square: f"tag {square}" for square in position.placement}
    sensing = Sensing("identity", {**tags, "spare": spare})
    reconciler = Reconciler(position, sensing, Settings(), standing)
    feel(reconciler, (1.0, "c8", None), (1.5, "b7", None), (2.0, "c8", "spare"))
    assert [str(turn) for turn in reconciler.verdict.turns] == ["b7c8b"]
