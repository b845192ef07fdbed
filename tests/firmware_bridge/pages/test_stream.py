import asyncio
import contextlib
import json
import re
from itertools import pairwise

import httpx
import pytest

from firmware_bridge.config import Config
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.server import Server, address_of, listen
from tests.firmware_bridge.pages.app_help import pages_at, sit
from tests.firmware_bridge.service.desk_help import desk_at
from tests.patience import PATIENCE

PUBLIC = "/api/v1/events"


class Stream:
    """What an event stream says, event by event."""

    def __init__(self, response):
        self._lines = response.aiter_lines()

    async def next(self):
        event = {}
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                if not line and event:
                    return event
                name, _, value = line.partition(": ")
                if name:
                    event[name] = value
        raise AssertionError("the stream has ended")

    async def scene(self):
        while (event := await self.next())["event"] != "scene":
            pass
        return event["id"], json.loads(event["data"])

    async def phase(self, wanted):
        """Wait for a scene of this phase; there may be others in between."""
        while (await self.scene())[1]["phase"] != wanted:
            pass


@pytest.fixture
async def site(tmp_path):
    async with desk_at(tmp_path, time="5m") as hands:
        config = Config.model_validate({"pages": {"port": 0}})
        hands.keys = Keys(b"k" * 32, None, lambda: hands.t)
        listener = listen(config.pages)
        server = Server(create_app(AppContext(hands.controller, hands.keys, config)))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        async with httpx.AsyncClient(base_url=address_of(listener), timeout=PATIENCE) as browser:
            yield hands, browser
        server.should_exit = True
        await serving


@contextlib.asynccontextmanager
async def listening(browser, address=PUBLIC, **headers):
    async with browser.stream("GET", address, headers=headers) as response:
        assert response.status_code == 200
        yield Stream(response)


async def test_a_page_gets_the_scene_at_once_and_every_change(site):
    hands, browser = site
    async with listening(browser) as stream:
        _, scene = await stream.scene()
        assert scene["phase"] == "waiting"
        await hands.set_up()
        await stream.phase("ready")


async def test_a_beat_a_second_carries_the_clocks(site):
    hands, browser = site
    await hands.begin()
    async with listening(browser) as stream:
        _, scene = await stream.scene()
        hands.t += 7.0
        beat = await stream.next()
        assert beat["event"] == "beat"
        clocks = json.loads(beat["data"])["clocks"]
        assert clocks["white"]["left_ms"] == scene["clocks"]["white"]["left_ms"] - 7000


async def test_whoever_comes_back_gets_nothing_twice_and_misses_nothing(site):
    hands, browser = site
    await hands.set_up()
    async with listening(browser) as stream:
        last, _ = await stream.scene()
    async with listening(browser, **{"Last-Event-ID": last}) as stream:
        assert (await stream.next())["event"] == "beat"
    await hands.press("black")
    async with listening(browser, f"{PUBLIC}?after={last}") as stream:
        _, scene = await stream.scene()
        assert scene["phase"] == "playing"


@pytest.mark.parametrize("last", ["", "x", "-", "abc-1", "00000000-1", "-1", "1" * 400])
async def test_a_number_from_elsewhere_gets_the_scene(site, last):
    _, browser = site
    async with listening(browser, f"{PUBLIC}?after={last}") as stream:
        assert (await stream.next())["event"] == "scene"


async def test_a_seats_stream_ends_with_its_game(site):
    hands, browser = site
    await sit(hands, browser)
    async with listening(browser, "/api/v1/seat/white/events") as stream:
        _, scene = await stream.scene()
        assert scene["side"] == "white"
        await hands.controller.begin(hands.controller.agreement)
        with pytest.raises(AssertionError, match="has ended"):
            await stream.scene()


async def test_an_update_is_small(site):
    hands, browser = site
    async with listening(browser) as stream:
        await stream.next()
        await hands.set_up()
        event = await stream.next()
        assert len(event["data"]) <= 8 * 1024


async def test_many_displays_hear_the_same(site):
    hands, browser = site
    async with contextlib.AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(listening(browser)) for _ in range(50)]
        for stream in streams:
            await stream.scene()
        await hands.set_up()
        for stream in streams:
            await stream.phase("ready")


async def test_clocks_are_told_as_of_the_moment_of_the_answer(tmp_path):
    async with pages_at(tmp_path, time="5m") as (hands, browser):
        await hands.begin()
        left = []
        for _ in range(2):
            left.append((await browser.get("/api/v1/state")).json()["clocks"]["white"]["left_ms"])
            hands.t += 3.0
        page = (await browser.get("/")).text
        left.append(int(re.search(r'"white": \{[^}]*"left_ms": (\d+)', page)[1]))
        assert [before - after for before, after in pairwise(left)] == [3000, 3000]
