"""What cells read: a tag stands in one place only."""

from hypothesis import given
from hypothesis import strategies as st

import rules
from drivers.port import CellEvent, Snapshot
from firmware_bridge.reconciler.faults import Knocks
from firmware_bridge.reconciler.game_tracker import GameTracker
from firmware_bridge.reconciler.readings import Readings
from firmware_bridge.reconciler.settings import Sensing, Settings

CELLS = ("a1", "b1", "c1")
TAGGED = Sensing("identity", {"04:01": "wP", "04:02": "wN"})


def told(standing, *events):
    """Take in events, each a cell and its reading, and return what all cells read then."""
    for cell, reading in events:
        list(standing.take_in(CellEvent(1.0, cell, reading)))
    return dict(standing.readings)


def test_the_newer_place_of_a_tag_is_right():
    assert told(Readings(TAGGED, {"a1": "04:01"}), ("b1", "04:01")) == {"b1": "04:01"}


def test_the_older_place_counts_again_when_the_newer_loses_the_tag():
    standing = Readings(TAGGED, {"a1": "04:01"})
    assert told(standing, ("b1", "04:01"), ("b1", None)) == {"a1": "04:01"}


def test_an_older_place_that_has_reported_since_does_not_count_again():
    standing = Readings(TAGGED, {"a1": "04:01"})
    assert told(standing, ("b1", "04:01"), ("a1", None), ("b1", None)) == {}


def test_a_snapshot_leaves_no_older_place():
    standing = Readings(TAGGED, {"a1": "04:01"})
    told(standing, ("b1", "04:01"))
    list(standing.take_in(Snapshot(2.0, {})))
    assert dict(standing.readings) == {}


@given(st.permutations(CELLS))
def test_what_a_snapshot_changes_has_no_order_of_its_own(came):
    """The order in which pieces came may go by whose they are, and decides what becomes of many."""
    standing = Readings(Sensing("occupancy"), dict.fromkeys(came, True))
    assert [cell for cell, _ in standing.take_in(Snapshot(2.0, {}))] == [*CELLS]


events = st.tuples(st.sampled_from(CELLS), st.sampled_from([None, True, "04:01", "04:02"]))


@given(st.lists(events, max_size=12))
def test_no_tag_is_in_two_places(script):
    standing = Readings(TAGGED, {})
    for event in script:
        tags = [r for r in told(standing, event).values() if isinstance(r, str)]
        assert len(tags) == len(set(tags))
        if event[1] is not None:
            assert standing.readings[event[0]] == event[1]
        for cell in CELLS:  # while what it lost is held back
            assert cell not in standing.without({cell})


@given(st.lists(events, max_size=12))
def test_the_changes_told_lead_to_what_is_read(script):
    standing, followed = Readings(TAGGED, {}), {}
    for cell, reading in script:
        followed.update(standing.take_in(CellEvent(1.0, cell, reading)))
        kept = {cell: now for cell, now in followed.items() if now is not None}
        assert kept == dict(standing.readings)


def test_what_closes_again_has_not_opened_before_the_last_look():
    position = rules.load("chess").parse("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    standing = dict.fromkeys(position.placement.keys() - {"e4"}, True)
    knocks = Knocks(GameTracker(position, Sensing(), standing, Settings()), 0.15)
    knocks.sift(Snapshot(10.0, standing))
    opened, closed = knocks.sift(CellEvent(10.5, "d5", True))
    assert (opened.t, closed.t) == (10.0, 10.5)


@given(st.permutations(["a1", "b1", "c1", "d1", "e1", "f1"]), st.integers(1, 6))
def test_nothing_is_told_of_a_knock_of_however_many_cells(cells, many):
    position = rules.load("chess").start()
    standing = dict.fromkeys(position.placement, True)
    knocks = Knocks(GameTracker(position, Sensing(), standing, Settings()), 0.15)
    for reading in (None, True):
        for cell in cells[:many]:
            assert knocks.sift(CellEvent(10.1 if reading else 10.0, cell, reading)) == []
