"""Many games between two hosts over a real broker, on a line that loses, doubles and holds back.

Each host is stopped at any moment, in the middle of what it does, and goes on from its disk.
"""

import contextlib
import random
import sys
import time

import pytest

from drivers.port import Snapshot
from firmware_bridge.config import DistanceConfig
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.distance import greeting
from firmware_bridge.distance.mqtt_carrier import MqttCarrier
from firmware_bridge.mqtt import connection
from tests.benchmarks.test_distance import quiet
from tests.firmware_bridge.distance.between import BASES, between
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.firmware_bridge.service.test_distant_games import agree, both_signed, host, records_in
from tests.firmware_bridge.service.test_secrets_far_away import FarHands, begun, told_of
from tests.firmware_bridge.table.carrying_out import OPTIONS
from tests.nightly import NIGHTLY
from tests.patience import soon
from tests.running import running

SOAKED = 1000 if NIGHTLY else 3
HIDDEN = 300 if NIGHTLY else 0
"""Games of Reality Check besides."""
STOPPED = 0.05
"""How likely a host is stopped before a turn, and before the other one hears of it."""
GAMES = ("reversi", "chess", "mockery", "indistinguishable", "grid", "realm")
SEED = time.time_ns() if NIGHTLY else 1


class Town:
    """A host that is stopped and started on its folder; its board stays as it stands."""

    def __init__(self, folder, friend, base, port, **how):
        self.how, self.folder, self.friend = how, folder, friend
        self.where = DistanceConfig(host="127.0.0.1", port=port, base=base)
        self.stack, self.host = None, None

    async def start(self):
        self.stack = contextlib.AsyncExitStack()
        carrier = MqttCarrier(self.where)
        before = self.host
        standing = dict(before.controller.table.reconciler.standing) if before else {}
        self.host = await self.stack.enter_async_context(
            host(self.folder, self.friend, carrier, **self.how)
        )
        if before and self.how:
            standing = self.host.hands.readings = before.hands.readings
            self.host.hands.spares = before.hands.spares  # no piece lies on two squares
        await self.stack.enter_async_context(running(carrier.run()))
        if standing:
            await self.host.controller.submit(Snapshot(self.host.hands.t, standing))

    async def stop(self):
        await self.stack.aclose()


class Soak:
    """Two towns, and what happened so far."""

    def __init__(self, towns, seed):
        self.towns, self.chance = towns, random.Random(seed)
        self.stopped = self.turns = 0

    @property
    def hosts(self):
        return [town.host for town in self.towns]

    async def befall(self):
        for town in self.towns:
            if self.chance.random() < STOPPED:
                self.stopped += 1
                await town.stop()
                await town.start()

    async def play(self, game):
        """Play one game to its end; both hosts must come to the same and sign it."""
        one, other = self.hosts
        untimed = Agreement(game, settings=GameSettings.of({"time": "untimed"}))
        await one.games.propose("Grace", "white", untimed)
        await soon(lambda: other.proposed)
        line = other.proposed[0].line
        await other.games.answer(line, accepts=True)
        for each in (one, other):
            await soon(lambda each=each: each.controller.agreement.line == line)
            await each.hands.set_up()
        for number in range(self.chance.randint(1, 8)):
            if not quiet(self.hosts[number % 2].state.position, random.Random(number)):
                break
            await self.turn(number)
        speaker = self.chance.randrange(2)
        await self.hosts[speaker].say("resign", ("white", "black")[speaker])
        for each in (0, 1):
            await soon(lambda each=each: self.hosts[each].state.stage == "over")
            await soon(lambda each=each: records_in(self.hosts[each].line.games[line].taken))
        one, other = self.hosts
        await agree(one, other)
        assert records_in(one.line.games[line].taken) == records_in(other.line.games[line].taken)
        assert not sum(one.state.offences.values())
        for each in (one, other):
            await each.controller.begin(untimed)

    async def turn(self, number):
        await self.befall()
        mover, follower = number % 2, 1 - number % 2
        here = self.hosts[mover]
        if here.state.paused:  # it was stopped, and its player goes on
            await here.hands.press("white")
            await here.hands.press("black")
        position = here.state.position
        await here.turn(quiet(position, self.chance))
        await soon(lambda: len(here.state.played) == number + 1, lambda: told_of(here))
        await self.befall()
        await soon(lambda: len(self.hosts[follower].state.played) == number + 1)
        await self.hosts[follower].carried_out()
        self.turns += 1


class HiddenSoak(Soak):
    """Two towns that play Reality Check."""

    async def play(self, options):
        """Play one game to its end; what was hidden is opened and found true on both hosts."""
        one, other = self.hosts
        pair = await begun(one, other, options, self.chance.randrange(9999))
        for _ in range(self.chance.randint(2, 8)):
            if pair.true.outcome:
                break
            await self.befall()
            pair.hosts = dict(zip(("white", "black"), self.hosts, strict=True))
            for side, each in pair.hosts.items():
                if each.state.paused:
                    await each.hands.press(side)
            await pair.turn(self.chance)
            await pair.agree()
            self.turns += 1
        one, other = self.hosts
        if not pair.true.outcome:
            await one.say("resign", "white")
        for each in (one, other):
            await soon(lambda each=each: each.state.audited == "")
        await both_signed(one, other)
        assert not sum(one.state.offences.values())
        for each in (one, other):
            await each.controller.begin(Agreement("chess"))


@pytest.mark.broker
@pytest.mark.timeout(36_000)
async def test_games_over_a_bad_line_come_to_the_same_on_both_hosts(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(greeting, "AGAIN", 0.2)
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.05)
    with Mosquitto(tmp_path) as broker:
        async with between(broker.port, seed=SEED, loses=0.15):
            for many, kind, played, how in (
                (SOAKED, Soak, GAMES, {}),
                (HIDDEN, HiddenSoak, OPTIONS["reality-check"], {"hands": FarHands}),
            ):
                towns = [
                    Town(tmp_path / kind.__name__ / base, friend, base, broker.port, **how)
                    for base, friend in zip(BASES, friends(), strict=True)
                ]
                for town in towns:
                    await town.start()
                soak = kind(towns, SEED)
                for number in range(many):
                    await soak.play(played[number % len(played)])
                    with capsys.disabled():
                        told = f"{number + 1} games, {soak.turns} turns, {soak.stopped} stops\n"
                        sys.stdout.write(told * NIGHTLY)
                for town in towns:
                    await town.stop()
