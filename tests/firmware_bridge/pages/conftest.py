"""The pages of a game of Reversi as it begins: whose hands are at the board, and who asks."""

import pytest

from tests.firmware_bridge.pages.app_help import pages_at


@pytest.fixture
async def site_at_hand(tmp_path):
    async with pages_at(tmp_path) as found:
        yield found


@pytest.fixture
def hands(site_at_hand):
    return site_at_hand[0]


@pytest.fixture
def browser(site_at_hand):
    return site_at_hand[1]
