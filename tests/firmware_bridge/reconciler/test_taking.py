"""Which turn is taken when a whole look at the board shows that pieces of the opponent are gone."""

from hypothesis import given
from hypothesis import strategies as st

import rules
from drivers.port import Snapshot
from firmware_bridge.reconciler import Reconciler, Sensing, Settings, TurnTaken
from tests.firmware_bridge.reconciler.feeling import feel


def test_a_reply_that_is_read_where_it_ends_before_it_is_missed_is_a_reply():
    """A scan may come to the square of a capture first: that is no doubt of the turn before."""
    position = rules.load("reversi").start()
    for text in ("d2d4", "e7e6", "a2a3"):
        position = position.play(position.parse_turn(text))
    tags = {f"tag-{square}": label for square, label in position.placement.items()}
    standing = {square: f"tag-{square}" for square in position.placement}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(clock=False), standing)
    feel(reconciler, (1.0, "f8", None), (1.5, "c5", "tag-f8"))
    found = feel(reconciler, (1.7, "c5", "tag-d4"), (1.75, "d4", None))
    found += reconciler.tick(5.0)
    assert [str(turn.turn) for turn in found if isinstance(turn, TurnTaken)] == ["f8c5", "d4c5"]


@given(st.sets(st.sampled_from([f"{file}7" for file in "abcdefgh"]), min_size=2))
def test_a_look_in_which_pieces_of_the_opponent_are_gone_ends_no_turn(gone):
    """Nobody saw when they went; what he sets down will tell that he has seen a turn."""
    position = rules.load("mockery").start()
    reconciler = Reconciler(position, Sensing(), Settings(clock=False))
    feel(reconciler, (1.0, "e2", None), (1.2, "e4", True))
    left = position.placement.keys() - {"e2", *gone}
    found = reconciler.feel(Snapshot(1.4, dict.fromkeys((*left, "e4"), True)))
    assert not [f for f in found if isinstance(f, TurnTaken)]


def test_who_is_asked_may_name_another_turn_that_the_board_shows():
    """After a gap in the line contacts come all at once: what was a hand looks like a knock."""
    text = "rn2kbnr/1p4pp/3p1p2/pp2p3/4PPb1/qPN3P1/P1PPN2P/RQ1K3R w kq - 2 6"
    reconciler = Reconciler(rules.load("realm").parse(text), Sensing(), Settings())
    changes = (("b1", None), ("a1", None), ("a2", None), ("a2", True), ("b2", True), ("a1", True))
    feel(reconciler, *((1.0, cell, reading) for cell, reading in changes))
    reconciler.tick(4.0)
    reconciler.press(5.0, "white")
    turn = "R-ab12:a1b2,a2a1,b1a2"
    assert reconciler.verdict.kind == "choice"
    assert turn not in map(str, reconciler.verdict.turns)
    assert not [f for f in reconciler.answer(5.5, "R-ab12:a1b2") if isinstance(f, TurnTaken)]
    found = reconciler.answer(6.0, turn)
    assert [str(taken.turn) for taken in found if isinstance(taken, TurnTaken)] == [turn]
