"""What comes onto the board, or goes, by no hand that plays: a thing, a sleeve, a knock, a cat."""

import pytest

import rules
from drivers.port import CellEvent
from firmware_bridge.reconciler import Judged, Reconciler, Sensing, Settings

AGREED = {"time": "60m", "penalty": "2m"}
ENDING = "2b1k2q/8/8/3r2p1/2K5/8/r7/8 w - - 2 33"
SACRIFICE = "1/1rr1/2nbbbpr/1pppn1BR2/7/2BN4/PPBB2PR/NNPB1/NR b PN,RR/pb,br b3,d1 sacrifice - 7"


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


def test_two_things_that_come_down_at_once_are_no_capture(board):
    """The captured rook left its square as they came: it has not gone onto one of them."""
    b = board("indistinguishable", ENDING, "identity", clock=True, sealed=False, **AGREED)
    b.off("d5").read("g7", True, 0.01).read("e7", True, 0.04).off("c4", 0.2).put("d5", "c4")
    b.wait(5).read("e7", None).read("g7", None, 0.1)
    found = b.press("white").end().replay()
    assert not found.of("ruling")
    assert found.taken == ["c4d5"]


def test_a_piece_set_on_a_wrong_square_is_charged_as_ever(board):
    for tier in ("occupancy", "identity"):
        b = board("mockery", tier=tier, clock=True, **AGREED).carry("e2", "e5")
        assert b.press("white").end().replay().of("ruling")


def test_a_reply_that_a_sleeve_leaves_ends_no_turn(board):
    """Of two pieces pushed at once one is back already, and the other looks like a reply."""
    b = board("indistinguishable", tier="identity", clock=True, sealed=False, **AGREED)
    b.carry("b1", "a3").off("g8", 0.1).put("f6", "g8", 0.02).off("d7", 0.07).put("d6", "d7", 0.02)
    b.carry("f6", "g8").wait(0.5).carry("d6", "d7")
    found = b.carry("a3", "c3").press("white").end().replay()
    assert not found.of("ruling")
    assert found.taken == ["b1c3"]


def test_a_tag_read_late_lets_no_knock_pass(board):
    b = board("chess", tier="identity", clock=True).off("e2").read("e3", True, 0.4)
    homes = ("a1", "b1", "c1", "d1", "e1", "a8", "b8", "c8", "d8", "e8", "f8", "g8")
    for square in homes:
        b.off(square, 0.003)
    b.read("e3", "T-e2", 0.01)
    for square in homes:
        b.put(square, square, 0.003)
    b.read("e3", None, 0.3).read("e4", "T-e2", 0.3)
    found = b.press("white").end().replay()
    assert found.quiet
    assert found.taken == ["e2e4"]


def test_the_disc_in_the_hand_is_chosen_when_all_else_is_back(board):
    """What was thrown about meanwhile is no reason to refuse the choice."""
    options = {"retreat": True, "memory": True}
    b = board("reality-check", SACRIFICE, "face", clock=True, options=options, **AGREED)
    b.off("d8").off("c6", 0.02).put("b7", "c6", 0.03).off("c4", 0.2).put("d4", "c4", 0.02).wait(1)
    b.carry("b7", "c6").carry("d4", "c4")
    found = b.answer("sacrifice:RR").end().replay()
    assert "illegal" in found.verdicts
    assert found.taken == ["sacrifice:RR"]


@pytest.mark.parametrize("turn", ["b5d6", "b5c7"])
def test_who_sets_a_board_up_again_confirms_no_conversion(board, turn):
    """Every anchor has been handled since the knight was lifted, one of them last."""
    position = "r1q1k1nr/2p1p1bp/1p1p4/RN1P1p2/7P/5P2/1P2PP2/1NB1KB1R w Kkq - 0 13"
    b = board("reversi", position, clock=True).off("b5").off(turn[2:]).put(turn[2:], "b5")
    for square in (squares := sorted(b.on)):
        b.off(square, 0.05)
    for square in squares:
        b.put(square, b.on.get(square, square), 0.1)
    assert turn in b.press("white", 1).end().replay().last["turns"]
    assert b.answer(turn).end().replay().taken == [turn]
