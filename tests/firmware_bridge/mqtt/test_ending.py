"""A connection that is told to end, ends: also at the instant at which the broker answers."""

import asyncio

import aiomqtt
import pytest

from firmware_bridge.config import Config
from firmware_bridge.mqtt.connection import Broker

pytestmark = pytest.mark.broker

ANSWERS = ("_on_connect", "_on_subscribe", "_on_publish")
HOPS = range(-4, 8)
"""Rounds of the event loop from the broker's answer to the order to end; below zero the order is
first."""


async def talk(client):
    """Ask, and go on for ever."""
    async with asyncio.TaskGroup() as group:
        group.create_task(_keep_telling(client))
        async for _ in client.messages:
            pass


async def _keep_telling(client):
    while True:
        await client.subscribe("attic/#", qos=1)
        await client.publish("attic/state", "{}", qos=1)


def after(hops, call):
    loop = asyncio.get_running_loop()
    loop.call_soon(after, hops - 1, call) if hops > 0 else call()


@pytest.mark.parametrize("hops", HOPS)
@pytest.mark.parametrize("answer", ANSWERS)
async def test_an_order_to_end_is_never_lost(answer, hops, mosquitto, monkeypatch):
    config = Config.model_validate({"mqtt": {"host": "127.0.0.1", "port": mosquitto.port}}).mqtt
    task = asyncio.create_task(Broker(config, "attic").stay_connected(talk))
    heard = getattr(aiomqtt.Client, answer)

    def hear(self, *args):
        monkeypatch.undo()
        after(-hops, lambda: heard(self, *args))
        after(hops, task.cancel)

    monkeypatch.setattr(aiomqtt.Client, answer, hear)
    done, _ = await asyncio.wait([task], timeout=10)
    assert done, "it goes on although it was told to end"
    assert task.cancelled()
