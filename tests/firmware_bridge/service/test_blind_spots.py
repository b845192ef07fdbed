"""News of what nobody watched is told from news of what somebody did just now."""

import asyncio
from dataclasses import replace

import pytest

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.service.blind_spots import BACKLOG, HEARTBEAT, STOPPED, BlindSpots
from tests.firmware_bridge.service.desk_help import desk_at
from tests.firmware_bridge.table.carrying_out import carry_out, choose
from tests.firmware_bridge.table.driving import Driven

E2, E4 = CellEvent(100.0, "e2", None), CellEvent(100.0, "e4", True)
SNAPSHOT = Snapshot(100.0, {"e2": True})
WOKEN = 100.0
STOOD_STILL = HEARTBEAT + STOPPED + 0.1


def later(event, seconds):
    return replace(event, t=WOKEN + seconds)


@pytest.fixture
def spots():
    return BlindSpots(["e2", "e4"])


def stood(spots, seconds=STOOD_STILL):
    """Let so much time pass between two looks."""
    spots.looked(7.0, WOKEN - seconds)
    return spots.looked(7.0 + seconds, WOKEN)


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
    stood(spots)
    assert not spots.hides(SNAPSHOT)
    assert not spots.hides(E2)


def test_a_button_hides_nothing_and_ends_nothing(spots):
    spots.lost()
    assert not spots.hides(ButtonEvent(100.0, "white"))
    assert spots.hides(E2)


def test_after_the_service_stood_still_what_comes_at_once_is_old_news(spots):
    stood(spots)
    assert spots.hides(later(E2, BACKLOG - 0.1))
    assert not spots.hides(later(E4, BACKLOG - 0.1))


def test_old_news_that_is_worked_off_late_stays_old_news(spots):
    stood(spots)
    assert spots.hides(later(E2, -1.0))


def test_what_comes_later_is_news(spots):
    stood(spots)
    assert not spots.hides(later(E2, BACKLOG))


@pytest.mark.parametrize("took", [0.0, HEARTBEAT, HEARTBEAT + STOPPED])
def test_a_busy_machine_has_not_stood_still(spots, took):
    assert stood(spots, took) == 0
    assert not spots.hides(E2)


@pytest.mark.parametrize("seconds", [20.0, 3600.0])
async def test_a_service_that_stood_still_costs_nobody_time(tmp_path, monkeypatch, seconds):
    loop, stopped = asyncio.get_running_loop(), [0.0]
    real = loop.time
    monkeypatch.setattr(loop, "time", lambda: real() + stopped[0])
    async with desk_at(tmp_path, time="5m") as hands:
        await hands.begin()
        await hands.feel("e2", None)
        stopped[0] = seconds
        hands.t += seconds
        await hands.feel("e4", True)
        assert hands.controller.table.state.stage == "playing"
        (told,) = (news for news in hands.news() if news.key == "page-stood-still")
        assert float(told.words["seconds"]) == pytest.approx(seconds, abs=2)
        await hands.press("white")
        assert hands.controller.view().number == 1
        assert not {"ruled", "attempt", "flag"} & {
            kept.kind for kept in hands.controller.kept.records
        }
        assert hands.controller.clocks()["white"].left_ms > 295_000


def test_what_stands_for_a_computers_discs_is_known_after_a_gap():
    driven = Driven("reality-check", computers={"black": 2})
    spots = BlindSpots(driven.readings)
    for text in ("f3f4", "c7c6/e3", "c3c4/c6", "e7e6/c4"):
        if driven.position.side == "white":
            spots.lost()
            lift = CellEvent(driven.t + 1.0, text[:2], None)
            for first in spots.first(lift, driven.table):
                driven.feed(first)
            driven.play(text)
        else:
            choose(driven, text)
        assert carry_out(driven) < 6
    assert driven.view.judged.kind == "settled"
