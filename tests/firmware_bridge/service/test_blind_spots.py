"""News of what nobody watched is told from news of what somebody did just now."""

from dataclasses import replace

import pytest

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.service.blind_spots import BACKLOG, HEARTBEAT, STOPPED, BlindSpots

E2, E4 = CellEvent(100.0, "e2", None), CellEvent(100.0, "e4", True)
SNAPSHOT = Snapshot(100.0, {"e2": True})
WOKEN = 100.0
STOOD_STILL = WOKEN - HEARTBEAT - STOPPED - 0.1


def later(event, seconds):
    return replace(event, t=WOKEN + seconds)


@pytest.fixture
def spots():
    return BlindSpots(["e2", "e4"])


def test_what_is_watched_hides_nothing(spots):
    assert not spots.hides(E2)


def test_a_cell_that_came_back_hides_its_first_news_alone(spots):
    spots.lost(["e2"])
    assert not spots.hides(E4)
    assert spots.hides(E2)
    assert not spots.hides(E2)


@pytest.mark.parametrize("first", [E2, E4])
def test_a_board_that_was_lost_hides_whatever_comes_first(spots, first):
    spots.lost()
    assert spots.hides(first)
    assert not spots.hides(E2)
    assert not spots.hides(E4)


def test_a_snapshot_tells_by_itself_that_nobody_watched_before(spots):
    spots.lost()
    spots.waited(STOOD_STILL, WOKEN)
    assert not spots.hides(SNAPSHOT)
    assert not spots.hides(E2)


def test_a_button_hides_nothing_and_ends_nothing(spots):
    spots.lost()
    assert not spots.hides(ButtonEvent(100.0, "white"))
    assert spots.hides(E2)


def test_after_the_service_stood_still_what_comes_at_once_is_old_news(spots):
    spots.waited(STOOD_STILL, WOKEN)
    assert spots.hides(later(E2, BACKLOG - 0.1))
    assert not spots.hides(later(E4, BACKLOG - 0.1))


def test_old_news_that_is_worked_off_late_stays_old_news(spots):
    spots.waited(STOOD_STILL, WOKEN)
    assert spots.hides(later(E2, -1.0))


def test_what_comes_later_is_news(spots):
    spots.waited(STOOD_STILL, WOKEN)
    assert not spots.hides(later(E2, BACKLOG))


@pytest.mark.parametrize("took", [0.0, HEARTBEAT, HEARTBEAT + STOPPED])
def test_a_busy_machine_has_not_stood_still(spots, took):
    spots.waited(WOKEN - took, WOKEN)
    assert not spots.hides(E2)
