"""Stands between two hosts at a broker: what one says below its base comes out below the other's.

It loses, doubles and holds back, from a seed.
"""

import asyncio
import contextlib
import random

import aiomqtt
from paho.mqtt.subscribeoptions import SubscribeOptions

from tests.patience import PATIENCE
from tests.running import running

BASES = ("ada", "grace")
HELD_BACK = 0.3
"""Seconds at most: enough to come out of order."""


@contextlib.asynccontextmanager
async def between(port, seed, loses):
    """Carry between `BASES` during a block; give how often a message came out 0, 1 or 2 times."""
    moods, told = random.Random(seed), [0, 0, 0]
    client = aiomqtt.Client(
        "127.0.0.1", port, timeout=PATIENCE, protocol=aiomqtt.ProtocolVersion.V5
    )

    async def late(topic, payload):
        await asyncio.sleep(moods.uniform(0, HELD_BACK))
        await client.publish(topic, payload, qos=1)

    async def carry():
        async with asyncio.TaskGroup() as group:
            async for message in client.messages:
                base, _, address = message.topic.value.partition("/")
                (other,) = {*BASES} - {base}
                copies = moods.choices((0, 1, 2), (loses, 1, loses))[0]
                told[copies] += 1
                for _ in range(copies):
                    group.create_task(late(f"{other}/{address}", message.payload))

    async with client:
        for base in BASES:  # not what it has carried itself
            options = SubscribeOptions(qos=1, noLocal=True)
            await client.subscribe(f"{base}/#", options=options)
        async with running(carry()):
            yield told
