"""A game over days between two hosts: neither needs to be on, or to have it on the board."""

import shutil
import time
from dataclasses import replace

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.recordings.export import to_pgn
from firmware_bridge.service import distant_games, exchange, places_aside
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.service.test_distant_games import (
    LINE_OF_PLAY,
    UNTIMED,
    QuickCarrier,
    agree,
    begun,
    both_signed,
    host,
    play,
    snapshot_of,
    two_hosts,
)
from tests.patience import soon

DAYS = Agreement("reversi", settings=GameSettings.of({"time": "3d a turn"}))
DAY = 86_400_000


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(distant_games, "LOOKS", 0.1)


@pytest.fixture
def later(monkeypatch):
    """Let days pass in the calendar."""
    today, gone = places_aside.calendar(), [0]
    monkeypatch.setattr(places_aside, "calendar", lambda: today + gone[0])
    monkeypatch.setattr("firmware_bridge.service.controller.calendar", lambda: today + gone[0])

    def pass_days(days):
        gone[0] += round(days * DAY)

    return pass_days


@pytest.fixture
def clock(monkeypatch, tmp_path):
    """Set the machine's clock, and say whether the network has."""
    told = tmp_path / "timesync" / "told"
    told.parent.mkdir()
    monkeypatch.setattr(places_aside, "SYNCED", told)
    real = time.time

    def set_clock(days, *, told_by_network):
        monkeypatch.setattr("time.time", lambda: real() + days * DAY / 1000)
        told.touch() if told_by_network else told.unlink(missing_ok=True)

    return set_clock


def left(host, side):
    return host.state.clock.left(side, host.state.t_ms) / DAY


async def beaten(*hosts):
    """Let so much time pass that a running clock is written down, with the calendar."""
    for each in hosts:
        await each.hands.wait(11)


async def in_play(one, other):
    await begun(one, other, DAYS)
    await other.hands.press("black")
    await soon(lambda: one.state.stage == "playing")
    await play(one, other, LINE_OF_PLAY[:2])


async def test_days_go_on_while_both_hosts_are_off_and_the_turn_is_told_later(tmp_path, later):
    carrier, (grace, ada) = QuickCarrier(), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            await in_play(one, other)
            await beaten(one, other)
            name = one.controller.agreement.line
            standing = snapshot_of(other)
        await one.turn(LINE_OF_PLAY[2])  # nobody hears it
        await beaten(one)
        here = snapshot_of(one)
    later(2)
    async with host(tmp_path / "g", ada, carrier) as other:
        await other.controller.submit(standing)
        async with host(tmp_path / "a", grace, carrier) as one:
            await one.controller.submit(here)
            await other.carried_out()
            assert left(other, "black") == pytest.approx(3, abs=0.01)  # since he knows of it
            await beaten(other)
    later(2)
    async with two_hosts(tmp_path, carrier, (grace, ada)) as (one, other):
        await one.controller.submit(here)
        await other.controller.submit(snapshot_of(other))
        await other.turn(LINE_OF_PLAY[3])
        await one.carried_out()
        await agree(one, other)
        told = one.line.games[name].taken[-1].letter
        assert told.body["data"]["clock"][1] / DAY == pytest.approx(2, abs=0.01)
        assert left(one, "black") == 3  # each turn has all of them


async def test_whose_days_are_over_while_his_host_is_off_loses_when_it_is_on(tmp_path, later):
    carrier, (grace, ada) = QuickCarrier(), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            await in_play(one, other)
            await one.turn(LINE_OF_PLAY[2])
            await other.carried_out()
            await beaten(one, other)
        await one.hands.wait(3.1 * DAY / 1000)
        await soon(lambda: "distance-days-over" in one.told)
        assert one.state.stage == "playing"
        later(3.1)
        async with host(tmp_path / "g", ada, carrier) as other:
            await soon(lambda: other.state.stage == "over")
            await agree(one, other)
            assert one.state.ending.winner == "white"
            assert '[TimeControl "1/259200"]' in await both_signed(one, other)


async def test_a_silent_line_stops_no_days(tmp_path, monkeypatch):
    for name in ("SILENT", "WAITS", "OFFERS"):
        monkeypatch.setattr(distant_games, name, 0.2)
    carrier = QuickCarrier()
    async with two_hosts(tmp_path, carrier) as (one, other):
        await in_play(one, other)
        ears, carrier.ears = carrier.ears, {}
        await one.turn(LINE_OF_PLAY[2])
        await soon(lambda: "distance-days-out" in one.told)
        assert not other.state.line_out
        assert other.state.clock.running == "white"
        carrier.ears = ears
        await other.carried_out()
        await agree(one, other)
        await soon(lambda: "distance-days-out" not in one.told)


async def test_another_game_is_played_meanwhile_and_this_one_goes_on(tmp_path, later):
    async with two_hosts(tmp_path, QuickCarrier(1, loses=0.3)) as (one, other):
        await in_play(one, other)
        await beaten(one, other)
        game = other.controller.game_id
        await other.controller.begin(UNTIMED)
        await one.turn(LINE_OF_PLAY[2])
        await soon(lambda: "distance-days-turn" in other.told)
        await soon(lambda: not one.line.games[one.controller.agreement.line].outstanding)
        assert "distance-left" not in one.told
        assert game in {each.id for each in await other.controller.archive.adjourned()}
        assert game not in {each.id for each in await other.controller.archive.every()}
        await one.say("offer-draw", "white")  # decided on aside, where Black has the word
        await soon(lambda: one.state.offer)
        later(1)
        await other.controller.take_up(game)
        await other.controller.submit(snapshot_of(one))
        await other.hands.press("black")
        await other.carried_out()
        assert other.state.offer == ("draw", "white")
        await other.say("decline", "black")
        await other.turn(LINE_OF_PLAY[3])
        await one.carried_out()
        await agree(one, other)


async def test_who_plays_another_game_meanwhile_loses_when_his_days_are_over(tmp_path):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await in_play(one, other)
        await one.turn(LINE_OF_PLAY[2])
        await other.carried_out()
        await other.controller.begin(UNTIMED)
        await soon(lambda: other.controller.aside._places)
        await other.hands.wait(3.1 * DAY / 1000)
        await soon(lambda: one.state.stage == "over")
        assert one.state.ending.winner == "white"
        await soon(lambda: "distance-days-ended" in other.told)
        name = one.controller.agreement.line
        await soon(lambda: name not in other.line.games)  # both have signed


async def test_a_lie_is_named_aside_too(tmp_path, monkeypatch):
    monkeypatch.setattr(exchange, "forgotten", lambda *_: False)  # nor does the liar notice
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await in_play(one, other)
        await other.controller.begin(UNTIMED)
        name = one.controller.agreement.line
        clock = [3 * DAY, 0]
        data = {"at": "white", "clock": clock, "turn": "a1a5", "public": "a1a5"}
        number = len(one.facts) + 1
        await one.line.write(name, "turn", {"fact": number, "data": data})
        await soon(lambda: "distance-accused" in one.told)


async def test_what_proves_a_lie_aside_is_written_down(tmp_path, monkeypatch, caplog):
    async with two_hosts(tmp_path, QuickCarrier()) as (one, other):
        await in_play(one, other)
        await other.controller.begin(UNTIMED)
        line, name = one.line, one.controller.agreement.line
        await soon(lambda: not line.games[name].outstanding)
        for what in ("_confirm", "_take"):  # it does not notice what it has done
            monkeypatch.setattr(line, what, lambda _: None)
        sent = line.games[name].sent
        line.games[name] = replace(line.games[name], sent=sent[:-1], confirmed=len(sent) - 1)
        await line.write(name, "claim", {"ask": 1, "after": 0, "says": "?"})
        await soon(lambda: "what proves it" in caplog.text)


async def test_a_game_taken_up_from_a_copy_of_the_disk_is_the_same(tmp_path, later):
    carrier, (grace, ada) = QuickCarrier(), friends()
    async with host(tmp_path / "a", grace, carrier) as one:
        async with host(tmp_path / "g", ada, carrier) as other:
            await in_play(one, other)
            await other.controller.begin(UNTIMED)
        later(1)
        await one.turn(LINE_OF_PLAY[2])
        shutil.copytree(tmp_path / "g", tmp_path / "copy")
        async with host(tmp_path / "copy", ada, carrier) as other:
            await soon(lambda: "distance-days-turn" in other.told)
            game = (await other.controller.archive.adjourned())[0].id
            await other.controller.take_up(game)
            assert one.facts == other.facts
            assert to_pgn(other.controller.kept, "") == to_pgn(one.controller.kept, "")


async def test_a_wrong_date_that_was_written_down_before_the_network_told_it_counts_no_days(
    tmp_path, clock
):
    carrier, known = QuickCarrier(), friends()
    clock(-300, told_by_network=False)
    async with two_hosts(tmp_path, carrier, known) as (one, other):
        await in_play(one, other)
        await beaten(one, other)
    clock(0, told_by_network=True)
    async with host(tmp_path / "a", known[0], carrier) as one:
        await beaten(one)
        assert left(one, "white") == pytest.approx(3, abs=0.01)


async def test_days_off_count_as_soon_as_the_network_has_told_the_date(tmp_path, clock):
    carrier, known = QuickCarrier(), friends()
    clock(0, told_by_network=True)
    async with two_hosts(tmp_path, carrier, known) as (one, other):
        await in_play(one, other)
        await beaten(one, other)
    clock(-0.5, told_by_network=False)
    async with host(tmp_path / "a", known[0], carrier) as one:
        await beaten(one)
        assert left(one, "white") == pytest.approx(3, abs=0.01)
        clock(2, told_by_network=True)
        await beaten(one)
        assert left(one, "white") == pytest.approx(1, abs=0.01)
        clock(9, told_by_network=True)  # while it is on, no calendar moves a clock
        await beaten(one)
        assert left(one, "white") == pytest.approx(1, abs=0.01)
