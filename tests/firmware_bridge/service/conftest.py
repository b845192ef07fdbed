"""What tests of the service share: a controller with a game of Reversi, and hosts in a hurry."""

import pytest

from firmware_bridge.distance import greeting
from tests.firmware_bridge.service.desk_help import desk_at


@pytest.fixture
async def hands(tmp_path):
    async with desk_at(tmp_path) as found:
        yield found


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Two hosts send again what was lost as soon as a test would wait for it."""
    monkeypatch.setattr(greeting, "AGAIN", 0.05)
