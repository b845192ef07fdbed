import contextlib

import pytest

from firmware_bridge.config import Config
from firmware_bridge.mqtt.bridge import MqttBridge
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.firmware_bridge.service.desk_help import desk_at, heard


@pytest.fixture
def mosquitto(tmp_path):
    with Mosquitto(tmp_path) as broker:
        yield broker


@contextlib.asynccontextmanager
async def house_at(folder, port, game="reversi", settings=None, **mqtt):
    """Open a controller whose house is told; give hands and house."""
    wanted = {"host": "127.0.0.1", "port": port, "id": "attic", "name": "The attic", **mqtt}
    config = Config.model_validate({"mqtt": wanted})
    async with desk_at(folder / "games", game, **(settings or {})) as hands:
        house = MqttBridge(hands.controller, config, "http://192.168.1.9:8321/")
        hands.house = house
        async with heard(hands.controller, house):
            yield hands


@pytest.fixture
def house():
    return house_at
