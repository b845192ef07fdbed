"""How long it takes from a press at one board to the light at the other, over a real broker."""

import asyncio
import contextlib
import random

import pytest

from firmware_bridge.config import Config
from firmware_bridge.distance.mqtt_carrier import MqttCarrier
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.firmware_bridge.service.test_distant_games import begun, host
from tests.running import running

TURNS = 100


def quiet(position, chooser):
    """Return from where to where some piece can go, and nothing else happens; "" if none can."""
    deeds = [position.deed(turn) for turn in position.turns()]
    plain = [
        deed.moves[0]
        for deed in deeds
        if len(deed.moves) == 1 and not (deed.taken or deed.becomes or deed.touch)
    ]
    return "".join(chooser.choice(plain or [""]))


class Pair:
    """Two hosts at one broker."""

    def __init__(self, one, other):
        self.both = [one, other]
        self.moves = random.Random(0)

    async def move(self):
        mover = self.both[0]
        await mover.hands.move(quiet(mover.state.position, self.moves))

    async def press(self):
        """Press, and wait until the other board shows what was played."""
        mover, follower = self.both
        shown = asyncio.Event()

        def hear(_):
            if follower.controller.view().phase == "executing":
                shown.set()

        follower.controller.listeners.append(hear)
        await mover.hands.press(mover.state.position.side)
        await shown.wait()
        follower.controller.listeners.remove(hear)

    async def carry_out(self):
        await self.both[1].hands.carry_out()
        self.both.reverse()


@contextlib.asynccontextmanager
async def pair(folder, port):
    where = Config.model_validate({"distance": {"host": "127.0.0.1", "port": port}}).distance
    carriers = [MqttCarrier(where), MqttCarrier(where)]
    grace, ada = friends()
    async with (
        host(folder / "a", grace, carriers[0]) as one,
        host(folder / "g", ada, carriers[1]) as other,
        running(carriers[0].run()),
        running(carriers[1].run()),
    ):
        await begun(one, other)
        yield Pair(one, other)


@pytest.mark.broker
def test_a_press_here_is_shown_there(benchmark, tmp_path):
    with Mosquitto(tmp_path) as broker, asyncio.Runner() as runner:
        stack = contextlib.AsyncExitStack()
        played = runner.run(stack.enter_async_context(pair(tmp_path, broker.port)))
        benchmark.pedantic(
            lambda: runner.run(played.press()),
            setup=lambda: runner.run(played.move()),
            teardown=lambda: runner.run(played.carry_out()),
            rounds=TURNS,
        )
        runner.run(stack.aclose())
