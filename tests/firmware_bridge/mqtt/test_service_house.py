"""The real service tells a real broker: on a simulated board, from its start to its end."""

import contextlib

import pytest

from tests.commands import run_on, running
from tests.firmware_bridge.mqtt.broker import Ear
from tests.patience import until

pytestmark = pytest.mark.broker


async def test_a_service_comes_and_goes(tmp_path, mosquitto):
    port = tmp_path / "board"
    house = {"mqtt.host": "127.0.0.1", "mqtt.port": mosquitto.port, "mqtt.id": "hall-1"}
    run = run_on(port, tmp_path / "games", {"game.id": "realm", **house})
    simulate = ("simulate", "--game", "realm", "--link", str(port))
    async with Ear(mosquitto.port, "firmware-bridge/#") as ear:
        with contextlib.ExitStack() as stack:
            stack.enter_context(running(*simulate, output=tmp_path / "simulate.log"))
            until(port.exists)
            service = stack.enter_context(running(*run, output=tmp_path / "run.log"))
            stack.callback(service.terminate)
            state = "firmware-bridge/hall-1/state"
            await ear.until(lambda ear: ear.json(state).get("phase") == "ready")
            assert ear.json(state)["game"] == "realm"
            assert ear.json(state)["link"] == ""
            assert ear.latest["firmware-bridge/hall-1/availability"] == "online"
        await ear.until(lambda ear: ear.latest["firmware-bridge/hall-1/availability"] == "offline")
