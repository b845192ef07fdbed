"""The wall in other languages, without a browser or a broker."""

from types import SimpleNamespace

import httpx

from firmware_bridge.config import Config
from firmware_bridge.dashboard.web import Wall, create_wall


async def test_the_wall_can_be_had_in_every_language():
    watch = SimpleNamespace(hall=None)
    transport = httpx.ASGITransport(app=create_wall(Wall(watch, Config())))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        english = (await client.get("/")).text
        assert 'href="/?language=de"' in english
        german = (await client.get("/?language=de")).text
        assert 'lang="de"' in german
        assert 'lang="de"' in (await client.get("/")).text, "the choice holds"
        assert 'dir="rtl"' in (await client.get("/?language=he-XB")).text
        assert (await client.get("/static/pieces.svg")).status_code == 200
