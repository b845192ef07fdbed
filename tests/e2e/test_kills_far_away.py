"""`kill -9` of hosts and broker, at any instant of a game between two services.

What a host had written down stays as it is, both tell one row of facts, nobody is charged, and the
game goes on once all are there again.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from contextlib import AsyncExitStack, suppress
from random import Random

import pytest

from drivers.beside import meanwhile
from firmware_bridge.distance.friends import befriend
from firmware_bridge.referee.facts import facts
from firmware_bridge.simulation.piece_sets import arrangement_of
from tests.e2e.test_kills import GAME, Hands
from tests.e2e.test_service_process import COMMAND, get, post
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.nightly import NIGHTLY

KILLS = 200
VICTIMS = ("white", "black", "both", "broker")
TURNS = 8
"""After so many turns of a game somebody gives up."""
PATIENCE = 60.0
"""Seconds within which a game goes on, on a machine that has much else to do."""


class Town(Hands):
    """One of two friends: hands at a board, and a service that is killed and started.

    Args:
        folder: where the port, the journal and the keys are.
        side: his.
        friend: the other one, as he knows him.
        port: the broker's.
    """

    def __init__(self, folder, side, friend, port):
        folder.mkdir()
        super().__init__(folder, {"white": "black", "black": "white"}[side])
        self.side, self.port, self.process, self.at_end = side, port, None, False
        befriend(folder / "data", friend)

    @property
    def facts(self):
        return [(each.kind, dict(each.data)) for each in facts(self.written())]

    @property
    def over(self):
        """Whether the game is over here; a service that starts after that has another one."""
        self.at_end = self.at_end or any(record.kind == "ended" for record in self.written())
        return self.at_end

    async def start(self):
        settings = {
            "board.description": "simulated", "board.settings.port": self.folder / "board",
            "data": self.folder / "data", "game.id": GAME, "pages.port": 0,
            "game.settings.time": "90m", "sound.speech": "false",
            "distance.host": "127.0.0.1", "distance.port": self.port,
        }  # fmt: skip
        changes = [word for key, value in settings.items() for word in ("-s", f"{key}={value}")]
        with (self.folder / "log").open("a") as log:
            self.process = await asyncio.create_subprocess_exec(
                *COMMAND, "run", *changes, stdout=subprocess.PIPE, stderr=log
            )
        self.display = (await self.process.stdout.readline()).split()[-1].decode()

    async def kill(self):
        with suppress(ProcessLookupError):  # it has ended by itself, which its log tells
            self.process.kill()
        await self.process.wait()

    async def ask(self, path, body=None):
        address = f"{self.display}api/v1/{path}"
        if body is None:
            return json.loads(await asyncio.to_thread(get, address))
        return await asyncio.to_thread(post, address, body)

    async def make_turn(self, dice, shown):
        """Give up after some turns; else as on any evening."""
        if shown >= TURNS and len(self.taken()) % 2 == (self.side == "black"):
            await self.ask("table/actions", {"call": "resign"})
        else:
            await super().make_turn(dice, shown)


class Soak:
    """Two towns and their broker, and what has happened."""

    def __init__(self, white, black, broker):
        self.towns, self.broker = {"white": white, "black": black}, broker
        self.kills, self.games, self.waits = 0, 0, []

    def __str__(self):
        waits = sorted(self.waits)
        told = f"goes on after {statistics.median(waits):.1f} s, at most {waits[-1]:.1f} s"
        return f"{self.kills} kills, {self.games} games, {told}"

    async def begin(self):
        """Have the two agree on a game, with the pieces set up for it."""
        white, black = self.towns.values()
        for town in (white, black):
            town.station.arrange(arrangement_of(town.game))
            town.seen, town.at_end = 0, False
        await until(lambda: self.asked(white, "friends"))
        wanted = {"game": GAME, "settings": {"time": "90m"}, "friend": "Grace", "side": "white"}
        await white.ask("distance/propose", wanted)
        found = await until(lambda: self.asked(black, "proposals"))
        await black.ask("distance/answer", {"line": found[0]["line"], "accepts": True})
        for town in (white, black):
            await until(lambda town=town: self.begun(town, found[0]["line"]))
        self.games += 1

    async def asked(self, town, what):
        return (await town.ask("distance"))[what]

    async def begun(self, town, line):
        return (await town.ask("distance"))["line"] == line

    async def told(self):
        """Return how much both tell alike; they must never tell otherwise."""
        one, other = (town.facts for town in self.towns.values())
        both = min(len(one), len(other))
        assert one[:both] == other[:both], "the hosts tell two games"
        return both

    async def befall(self, victim):
        """Kill somebody, see that nothing is lost, and wait until the game goes on."""
        if victim == "broker":
            self.broker.kill()
            self.kills += 1
            await asyncio.sleep(0.2)
            await asyncio.to_thread(self.broker.start)
        else:
            struck = [town for side, town in self.towns.items() if victim in {side, "both"}]
            await asyncio.gather(*(town.kill() for town in struck))
            self.kills += len(struck)
            left = [town.facts for town in struck]
            for town in struck:
                assert town.over or len(town.taken()) >= town.seen, "what was shown is lost"
            await asyncio.gather(*(town.start() for town in struck))
            for town, before in zip(struck, left, strict=True):
                assert town.over or town.facts[: len(before)] == before, "it is otherwise now"
        since, before = time.monotonic(), await self.told()
        await until(lambda: self.goes_on(before))
        self.waits.append(time.monotonic() - since)

    async def goes_on(self, before):
        return await self.told() > before or all(town.over for town in self.towns.values())


async def until(condition):
    """Wait for an answer that says so; meanwhile services and broker may be away."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(OSError):
                if found := await condition():
                    return found
            await asyncio.sleep(0.05)


@pytest.mark.skipif(not NIGHTLY, reason="takes half an hour")
@pytest.mark.broker
@pytest.mark.timeout(7200)
async def test_kills_of_hosts_and_broker_cost_nothing(tmp_path):
    dice, (grace, ada) = Random("kills far away"), friends()
    with Mosquitto(tmp_path) as broker:
        white = Town(tmp_path / "ada", "white", grace, broker.port)
        black = Town(tmp_path / "grace", "black", ada, broker.port)
        soak = Soak(white, black, broker)
        async with AsyncExitStack() as stack:
            for town in (white, black):
                await stack.enter_async_context(town.station)
                await town.start()
                stack.push_async_callback(town.kill)
            while soak.kills < KILLS:
                await soak.begin()
                async with meanwhile(white.play(Random(1))), meanwhile(black.play(Random(2))):
                    while not (white.over and black.over):
                        await asyncio.sleep(dice.uniform(0.0, 2.0))
                        await soak.befall(dice.choice(VICTIMS))
                        sys.stdout.write(f"{soak}\n")
