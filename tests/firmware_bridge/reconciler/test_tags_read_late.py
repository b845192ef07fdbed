"""Discs whose tags are read late or not at all: what came down is not guessed from it."""

import pytest

import rules
from firmware_bridge.reconciler import (
    Reconciler,
    Sensing,
    Settings,
    TurnAmended,
    TurnTaken,
)
from tests.firmware_bridge.reconciler.feeling import feel

HOMES = "b3,c2,c3,d1,d2,d3,e2,e3,f3/b7,c7,c8,d7,d8,d9,e7,e8,f7"
FLEXIBLE = "nr/nnbbbn/pppn1pb1/2br2pr1/7/2PP1BR2/RRPN1PBRP/NNBBNB/RN"


def seated(text, *, clock):
    position = rules.load("reality-check", flexible=True, dice=1).parse(text)
    standing = {square: f"tag-{label}" for square, label in position.placement.items()}
    tags = {tag: tag.removeprefix("tag-") for tag in standing.values()}
    sensing = Sensing("face", tags)
    return Reconciler(position, sensing, Settings(clock=clock), standing), standing


def made(found):
    return [str(f.turn) for f in found if isinstance(f, TurnTaken | TurnAmended)]


def dropped(*, clock):
    """Black sets his rook on f7, its tag unread, and White lifts the bishop that he takes."""
    reconciler, standing = seated(f"{FLEXIBLE} b -/rr e8 - {HOMES} 4", clock=clock)
    found = feel(reconciler, (1.0, "f7", True))
    found += reconciler.tick(1.2) if clock else reconciler.answer(1.6, "RR@f7")
    found += feel(reconciler, (2.0, "f6", None))
    return reconciler, standing, found


def test_the_victim_of_an_answer_is_not_what_was_dropped_unread():
    reconciler, standing, found = dropped(clock=False)
    found += feel(reconciler, (2.3, "f3", None), (2.6, "f6", True), (2.7, "f6", standing["f3"]))
    assert made(found) == ["RR@f7"]
    assert {str(turn) for turn in reconciler.verdict.turns} == {"f3xf6", "f3xf6!"}


def test_a_press_decides_nothing_that_only_looks_like_a_move():
    reconciler, _, found = dropped(clock=True)
    found += reconciler.press(2.2, "black")
    found += reconciler.tick(9.0)
    assert made(found) == []
    found += feel(reconciler, (10.0, "f6", True))
    found += reconciler.press(11.0, "black")
    assert made(found) == []
    assert reconciler.verdict.kind == "choice"  # what the hand holds makes no turn by itself
    found += reconciler.answer(12.0, "RR@f7")
    assert made(found) == ["RR@f7"]


def test_a_piece_turned_over_on_its_way_is_known_by_the_tag_read_late():
    text = (
        "rnrbpp1nprr1/nbbb4/prpbnn2/2PR/3PBRR/2NNPN1BN/2PP1BBBRRN w -/- e1 - "
        "d1,e1,e2,f1,f2,f3,g1,g2,g3/a5,a6,a7,b5,b6,b7,c6,c7,d7 6"
    )
    position = rules.load("reality-check", board="advanced").parse(text)
    assert position.placement["c1"] == "wPP:P"
    reconciler = Reconciler(
        position,
        Sensing("face", {"one face": "wPP:P", "the other": "wPP:P"}),
        Settings(),
        {**dict.fromkeys(position.placement, True), "c1": "one face"},
    )
    feel(reconciler, (1.0, "c1", None), (1.5, "b1", True), (1.6, "b1", "the other"))
    assert made(reconciler.press(2.0, "white")) == ["c1b1/b1"]


def test_a_disc_that_is_no_longer_read_may_have_been_turned_over_while_the_board_stalled():
    text = "1/2np/ppBN1rr1/4pr2/5RP1/brbb2PB2/2rnNP1/NN1RR/NR b PP,BB,BR/pb,nn,nb e3 - - 20"
    position = rules.load("reality-check", retreat=True, memory=True).parse(text)
    standing = {square: f"tag-{square}" for square in position.placement}
    tags = {standing[square]: label for square, label in position.placement.items()}
    reconciler = Reconciler(position, Sensing("face", tags), Settings(), standing)
    feel(reconciler, (0.6, "f5", None), (1.1, "f5", True))
    feel(reconciler, (2.784, "b6", True), (2.785, "b7", None), (2.786, "c2", True))
    reconciler.press(3.5, "black")
    assert set(map(str, reconciler.verdict.turns)) == {"b7b6/b6", "b7b6/c2", "b7b6/f5"}
    assert made(reconciler.answer(5.0, "b7b6/c2")) == ["b7b6/c2"]


@pytest.mark.parametrize("game", ["indistinguishable", "reversi"])
def test_a_piece_that_came_back_and_is_read_late_is_no_like_one_from_the_hand(game):
    """Either pawn may be the one that is read: both are kept, and none is guessed."""
    position = rules.load(game).parse("3rk3/2p5/2b1p3/p7/4p3/P7/R1P3R1/1N2K3 b - - 1 25")
    sensing = Sensing("identity", {"one": "bP", "two": "bP"})
    reconciler = Reconciler(position, sensing, Settings(clock=False))
    late = [(1.0, "e6", None), (1.02, "e4", None), (1.06, "e4", True), (1.17, "e4", "one")]
    found = feel(reconciler, *late, (1.56, "e5", True), (1.67, "e5", "two"))
    found += reconciler.tick(3.0)
    assert made(found) == ["e6e5"]
