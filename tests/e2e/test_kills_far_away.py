"""`kill -9` of hosts and broker, at any instant of a game between two services.

What a host had written down stays as it is, both tell one row of facts, nobody is charged, and the
game goes on once all are there again. What was hidden is opened at the end, and found true by both.
"""

import asyncio
import itertools
import statistics
import sys
import time
from contextlib import AsyncExitStack, suppress
from random import Random

import pytest

import rules
from drivers.beside import meanwhile
from firmware_bridge.service.compatibility import hides
from tests.e2e.towns import OF_LINE, Hider, Town, directly
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.firmware_bridge.table.carrying_out import OPTIONS
from tests.nightly import at_night

KILLS = 200
TIMES = "90m", "3d a turn"
VICTIMS = ("white", "black", "both", "broker", "parted")
PATIENCE = 60.0
"""Seconds within which a game goes on, on a machine that has much else to do."""


class Soak:
    """Two towns and their broker, and what has happened."""

    def __init__(self, white, black, broker):
        self.towns, self.broker = {"white": white, "black": black}, broker
        self.kills, self.games, self.waits = 0, 0, []

    def __str__(self):
        waits = sorted(self.waits)
        told = f"goes on after {statistics.median(waits):.1f} s, at most {waits[-1]:.1f} s"
        return f"{self.kills} kills, {self.games} games, {told}"

    async def begin(self, game):
        """Have the two agree on a game, with the pieces set up for it."""
        white, black = self.towns.values()
        await until(lambda: self.asked(white, "friends"))
        time = {"time": TIMES[self.games % 2]}
        wanted = {"game": game.id, "options": dict(game.options), "settings": time}
        await white.ask("distance/propose", {**wanted, "friend": "Grace", "side": "white"})
        found = await until(lambda: self.asked(black, "proposals"))
        line = found[0]["line"]
        await black.ask("distance/answer", {"line": line, "accepts": True})
        for town in (white, black):
            await until(lambda town=town: self.begun(town, line))
            town.set_up(game, line)
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
            if victim == "parted":
                struck = [self.towns[("white", "black")[self.kills % 2]]]
                await struck[0].part()
            await asyncio.gather(*(town.kill() for town in struck))
            self.kills += len(struck)
            left = [town.facts for town in struck]
            for town in struck:
                assert town.reached >= town.seen, "what was shown is lost"
            await asyncio.gather(*(town.start() for town in struck))
            for town, before in zip(struck, left, strict=True):
                assert town.facts[: len(before)] == before, "it is otherwise now"
        since, before = time.monotonic(), await self.told()
        try:
            await until(lambda: self.goes_on(before))
        except TimeoutError as error:
            scenes = [await town.ask("state") for town in self.towns.values()]
            error.add_note(
                str([(each["phase"], each["headline"], each["news"]) for each in scenes])
            )
            raise
        self.waits.append(time.monotonic() - since)

    async def delete(self, line, dice):
        """Delete an earlier game at a host that is killed meanwhile: all of it goes, or nothing."""
        town = self.towns[dice.choice(sorted(self.towns))]
        before = town.found(OF_LINE, line)
        async with asyncio.TaskGroup() as group:
            deleting = group.create_task(town.delete(line))
            if dice.random() < 0.5:
                await asyncio.sleep(dice.uniform(0.0, 0.3))
            else:
                await deleting
            await town.kill()
        self.kills += 1
        await town.start()
        left = town.found(OF_LINE, line)
        assert left in ([], before), "a part of a game was deleted"
        assert not (left and deleting.result()), "what was said to be deleted is there"
        if not left:
            await until(lambda: self.gone(town, line))

    async def gone(self, town, line):
        return b'"turn"' not in town.letters(line)

    async def goes_on(self, before):
        return await self.told() > before or all(town.over for town in self.towns.values())

    async def settle(self):
        """See that both come to tell one game, and to find all true that was hidden in it."""
        white, black = self.towns.values()
        await until(self.all_told)
        if hides(white.game):
            await until(self.all_opened)
            assert white.audited == black.audited
            assert white.audited["why"] == ""

    async def all_told(self):
        return await self.told() == max(len(town.facts) for town in self.towns.values())

    async def all_opened(self):
        return all(town.audited for town in self.towns.values())


async def until(condition):
    """Wait for an answer that says so; meanwhile services and broker may be away."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(OSError):
                if found := await condition():
                    return found
            await asyncio.sleep(0.05)


@at_night("takes half an hour")
@pytest.mark.broker
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("name", "friend"), [("chess", Town), ("reality-check", Hider)])
@pytest.mark.parametrize("direct", [False, True])
async def test_kills_of_hosts_and_broker_cost_nothing(tmp_path, name, friend, direct):
    dice, (grace, ada) = Random(f"kills far away {name}"), friends()
    games = itertools.cycle(rules.load(name, **each) for each in OPTIONS.get(name, [{}]))
    with Mosquitto(tmp_path) as broker:
        one, other = directly() if direct else 2 * ({"host": "127.0.0.1", "port": broker.port},)
        white = friend(tmp_path / "ada", "white", grace, one, rules.load(name))
        black = friend(tmp_path / "grace", "black", ada, other, rules.load(name))
        soak = Soak(white, black, broker)
        async with AsyncExitStack() as stack:
            for town in (white, black):
                await stack.enter_async_context(town.station)
                await town.start()
                stack.push_async_callback(town.kill)
            while soak.kills < KILLS:
                before = white.line
                await soak.begin(next(games))
                if before:
                    await soak.delete(before, dice)
                async with meanwhile(white.play(Random(1))), meanwhile(black.play(Random(2))):
                    while not (white.over and black.over):
                        await asyncio.sleep(dice.uniform(0.0, 2.0))
                        await soak.befall(dice.choice(VICTIMS[:3] if direct else VICTIMS))
                        sys.stdout.write(f"{soak}\n")
                await soak.settle()
