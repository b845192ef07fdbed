"""Reality Check by letters while a disk is full, or a host restarts: nobody is called a liar."""

import asyncio
import contextlib
import random
import time

import pytest

from drivers.port import Snapshot
from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.service import distant_games, friend_heard
from firmware_bridge.service.controller import AGAIN_AFTER
from firmware_bridge.service.friend_heard import Patience
from rules.values import opponent
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.service.test_distant_games import QuickCarrier, host
from tests.firmware_bridge.service.test_secrets_far_away import FarHands, begun, full, told_of
from tests.firmware_bridge.table.carrying_out import OPTIONS
from tests.nightly import NIGHTLY

SEEDS = range(200) if NIGHTLY else (3, 8)
"""By day two on which a host that could not write was called a liar."""
TURNS = 12 if NIGHTLY else 3
LIES = {"distance-false", "distance-accused"}


class Life:
    """A host, which may be restarted on its folder with its board as it is."""

    def __init__(self, *where):
        self.where, self.folder = where, where[0]

    async def begin(self, hands=None):
        self.stack = contextlib.AsyncExitStack()
        self.host = await self.stack.enter_async_context(host(*self.where, hands=FarHands))
        if hands:
            now = self.host.hands
            now.t, now.readings, now.spares = hands.t, hands.readings, hands.spares
            await go_on(self.host, "")

    async def restart(self):
        await self.stack.aclose()
        await self.begin(self.host.hands)


async def go_on(each, side):
    """Let writing be tried again, and begin to play again; without a side what stands is told."""
    each.hands.t += AGAIN_AFTER
    await each.controller.submit(Snapshot(each.hands.t, dict(each.hands.readings)))
    if side and each.controller.view().phase == "paused":
        await each.hands.press(side)


class Trouble:
    """What befalls the host of who is not to move."""

    def __init__(self, dice, pair, lives, patch):
        self.dice, self.pair, self.lives, self.full = dice, pair, lives, set()
        append = Journal.append

        def write(journal, game, records):
            if records and journal.path.parent in self.full:
                raise StorageFailed("full")
            append(journal, game, records)

        patch.setattr(Journal, "append", write)

    async def restart(self):
        """Let the host of who is not to move be restarted, sometimes."""
        side = opponent(self.pair.true.side)
        if self.dice.random() < 0.3:
            await self.lives[side].restart()
            self.pair.hosts[side] = self.lives[side].host
            await go_on(self.pair.hosts[side], side)

    async def befall(self):
        """Let its disk be full for a while as the other one moves, for games or for letters."""
        side = opponent(self.pair.true.side)
        life, lasts = self.lives[side], self.dice.uniform(0.05, 2.5)
        await asyncio.sleep(self.dice.uniform(0, 0.3))
        with pytest.MonkeyPatch.context() as patch:
            if self.dice.random() < 0.5:
                self.full.add(life.folder)
            else:
                patch.setattr(life.host.line, "_keep", full)
            await asyncio.sleep(lasts)
            self.full.clear()
        await go_on(life.host, side)


async def test_nobody_is_called_a_liar_whose_disk_takes_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(friend_heard, "ANSWERS", 0.5)
    monkeypatch.setattr(friend_heard, "SILENT", 0.3)
    append = Journal.append

    def write_slowly(journal, game, records):
        if records and journal.path.parent.name == "g":
            time.sleep(1.5)
        append(journal, game, records)

    grace, ada = friends()
    carrier = QuickCarrier(0)
    async with (
        host(tmp_path / "a", grace, carrier, hands=FarHands) as one,
        host(tmp_path / "g", ada, carrier, hands=FarHands) as other,
    ):
        dice = random.Random(1)
        pair = await begun(one, other, OPTIONS["reality-check"][0], 1)
        monkeypatch.setattr(Journal, "append", write_slowly)
        await pair.turn(dice)
        monkeypatch.setattr(Journal, "append", append)
        await pair.turn(dice)
        for each in pair:
            assert not LIES & each.told, told_of(each)


def test_who_was_held_up_himself_looks_first_at_what_has_come_meanwhile(monkeypatch):
    clock = iter((0.0, 1.0, 60.0, 70.0, 130.0, 131.0))
    monkeypatch.setattr(friend_heard.time, "monotonic", lambda: next(clock))
    patience = Patience()
    ends = [patience.ends("a turn", silent, over=False) for silent in (0, 1, 1, 1, 1, 1)]
    assert ends == [False] * 6


@pytest.mark.parametrize("seed", SEEDS)
async def test_nobody_is_called_a_liar_for_what_befalls_his_host(tmp_path, monkeypatch, seed):
    dice = random.Random(f"disks {seed}")
    monkeypatch.setattr(friend_heard, "ANSWERS", 1.0)
    for module in (friend_heard, distant_games):
        monkeypatch.setattr(module, "SILENT", 0.4)
    carrier = QuickCarrier(seed, loses=dice.choice([0, 0.3]))
    grace, ada = friends()
    lives = {
        "white": Life(tmp_path / "a", grace, carrier),
        "black": Life(tmp_path / "g", ada, carrier),
    }
    try:
        for life in lives.values():
            await life.begin()
        one, other = (life.host for life in lives.values())
        pair = await begun(one, other, dice.choice(OPTIONS["reality-check"]), seed)
        trouble = Trouble(dice, pair, lives, monkeypatch)
        for _ in range(TURNS):
            if not pair.true.outcome:
                await trouble.restart()
                async with asyncio.timeout(20), asyncio.TaskGroup() as both:
                    both.create_task(trouble.befall())
                    both.create_task(pair.turn(dice))
            for each in pair:
                assert not LIES & each.told, told_of(each)
        await pair.agree()
    finally:
        for life in lives.values():
            await life.stack.aclose()
