"""The pages on a real controller, asked by a browserless client."""

import contextlib

import httpx

from firmware_bridge.config import Config
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.keys import Keys
from firmware_bridge.service.assembly import kiosk_manager_of
from tests.firmware_bridge.service.desk_help import desk_at

PIN = "471147"


@contextlib.asynccontextmanager
async def pages_at(
    folder, game="reversi", client="192.168.1.20", kiosk=False, config=None, **settings
):
    """Give the hands at a controller and a client of its pages."""
    async with desk_at(folder, game, **settings) as hands:
        pages = {"referee_pin": PIN, "kiosk": kiosk}
        config = Config.model_validate({"pages": pages, **(config or {})})
        hands.kiosk_manager = kiosk_manager_of(config, hands.controller, hands.controller.agreement)
        keys = Keys(b"k" * 32, PIN, lambda: hands.t)
        hands.context = AppContext(hands.controller, keys, config, hands.kiosk_manager)
        transport = httpx.ASGITransport(app=create_app(hands.context), client=(client, 4000))
        async with httpx.AsyncClient(transport=transport, base_url="http://10.0.0.1") as browser:
            hands.keys = keys
            yield hands, browser


def code(hands, side="white"):
    """Return the code that the set-up page shows for a free seat."""
    return hands.keys.seat(hands.controller.game_id, side, hands.controller.seats[side].claims)


async def sit(hands, browser, side="white"):
    """Take a seat with its code; return what is answered."""
    return await browser.post(f"/api/v1/seat/{side}", json={"key": code(hands, side)})
