"""A controller with a game of Reversi as it begins."""

import pytest

from tests.firmware_bridge.service.desk_help import desk_at


@pytest.fixture
async def hands(tmp_path):
    async with desk_at(tmp_path) as found:
        yield found
