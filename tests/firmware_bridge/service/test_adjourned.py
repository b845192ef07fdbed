"""An adjourned game is kept, whatever is played in between, and goes on as it stood."""

from contextlib import nullcontext

import pytest

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.messages import Call
from firmware_bridge.messages.records import Record
from firmware_bridge.recordings.export import NotYetOpen
from firmware_bridge.referee.call_rules import CALLS
from tests.firmware_bridge.journal.faulty_disk import FAILED_WRITE, FaultyDisk
from tests.firmware_bridge.service.desk_help import START, desk_at

STANDING = START.keys() - {"e2"} | {"e4"}


async def adjourn(hands):
    """Play e4 with five minutes each and adjourn; return id and state of the game."""
    await hands.begin("e2e4")
    hands.t += 7
    await hands.controller.submit(Call(hands.t, "adjourn"))
    return hands.controller.game_id, hands.controller.table.state


def same(before, after):
    assert str(after.position) == str(before.position)
    assert [str(one.turn) for one in after.played] == [str(one.turn) for one in before.played]
    assert (after.clock.white, after.clock.black) == (before.clock.white, before.clock.black)


async def test_an_adjourned_game_goes_on_after_another_one(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        name, state = await adjourn(hands)
        await hands.controller.begin(Agreement("mockery", settings=GameSettings.of({"time": "1m"})))
        hands.t += 1000
        assert [game.id for game in await hands.controller.archive.adjourned()] == [name]
        await hands.controller.take_up(name)
        assert hands.controller.game_id == name
        assert hands.controller.view().game == "reversi"
        assert hands.controller.view().phase == "paused"
        same(state, hands.controller.table.state)
        await hands.controller.submit(Snapshot(hands.t, dict.fromkeys(STANDING, True)))
        await hands.press("black")
        await hands.turn("e7e5", "black")
        assert [str(one.turn) for one in hands.controller.table.state.played] == ["e2e4", "e7e5"]
        assert await hands.controller.archive.adjourned() == ()


@pytest.mark.parametrize("what", [what for what, said in CALLS.items() if said.by == "anyone"])
async def test_nothing_that_is_said_meanwhile_opens_an_adjourned_game_or_loses_it(tmp_path, what):
    async with desk_at(tmp_path, time="5m") as hands:
        name, _ = await adjourn(hands)
        await hands.controller.submit(Call(hands.t, what, data={"cell": "a1"}))
        goes_on = what == "resume"
        await hands.controller.begin(Agreement("mockery"))
        archive = hands.controller.archive
        assert [game.id for game in await archive.adjourned()] == [name] * (not goes_on)
        with nullcontext() if goes_on else pytest.raises(NotYetOpen):
            assert (await archive.recorded(name)).left


async def test_after_a_restart_it_is_still_the_game_on_the_table(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        name, _ = await adjourn(hands)
        await hands.controller.begin(Agreement("mockery"))
        await hands.begin()
        await hands.controller.take_up(name)
        state = hands.controller.table.state
    async with desk_at(tmp_path) as hands:
        assert hands.controller.game_id == name
        same(state, hands.controller.table.state)


async def test_a_game_that_was_not_adjourned_is_not_taken_up(hands):
    await hands.begin()
    for name in ("nothing", hands.controller.game_id):
        with pytest.raises(KeyError):
            await hands.controller.take_up(name)
    assert hands.controller.view().phase == "playing"


def test_power_lost_while_it_is_taken_up_loses_neither_game(tmp_path):
    failed = 0
    for fail_at in range(1, 50):
        folder = tmp_path / str(fail_at)
        journal = Journal(folder)
        for game in ("a", "b"):
            journal.append(game, [Record(n, "taken", {"filler": "x" * 900}) for n in range(4)])
        disk = FaultyDisk(journal._database, fail_at, FAILED_WRITE)
        try:
            journal.take_up("a")
        except StorageFailed:
            failed += 1
        journal.close()
        again = Journal(folder)
        assert all(len(again.read(game)) == 4 for game in ("a", "b"))
        again.append("a", [Record(9, "taken", {})])
        assert len(again.read("a")) == 5
        again.close()
        if disk.count < fail_at:
            break
    assert failed >= 2
