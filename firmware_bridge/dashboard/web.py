"""The wall: it watches the broker and serves one page with one event stream."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from drivers.beside import meanwhile, when_told_to_end
from firmware_bridge.config import Config
from firmware_bridge.dashboard.subscriber import Watch
from firmware_bridge.pages.assets import DRAWINGS, fixtures
from firmware_bridge.pages.connections import stay
from firmware_bridge.pages.languages import keep, language_of, offered
from firmware_bridge.pages.middleware import Guard
from firmware_bridge.pages.server import serving
from firmware_bridge.pages.stream import BEAT
from firmware_bridge.pages.templating import ENVIRONMENT
from firmware_bridge.pages.texts import texts
from firmware_bridge.words import direction

GAP = 0.05
"""Seconds from one message to the next: a busy hall costs no more than twenty a second, while in a
quiet one each change is told at once."""


class Wall:
    """Shared by all handlers: what is watched."""

    def __init__(self, watch: Watch, config: Config) -> None:
        self.watch = watch
        self.config = config


def create_wall(wall: Wall) -> ASGIApp:
    """Return the wall's pages, behind their guard."""
    app = Starlette(
        routes=[
            Route("/", _page),
            Route("/healthz", _alive),
            Route("/api/v1/boards", _boards),
            Route("/api/v1/events", _events),
            *fixtures(),
        ]
    )
    app.state.wall = wall
    return Guard(app, names=wall.config.pages.names)


async def _page(request: Request) -> Response:
    language = language_of(request, _wall(request).config)
    words = texts(language, None, "wall")
    page = ENVIRONMENT.get_template("wall.html").render(
        language=language,
        direction=direction(language),
        languages=offered(request),
        kiosk=False,
        shown_game="",
        drawings=DRAWINGS,
        say=lambda key, **gaps: words.text(key, gaps),
        words={key: text for key, text in words.texts.items() if key.startswith("wall-")},
    )
    return keep(request, HTMLResponse(page), language)


async def _alive(_: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _boards(request: Request) -> Response:
    wall = _wall(request)
    return Response(_scene(wall, _cards(wall, 0)), media_type="application/json")


async def _events(request: Request) -> Response:
    wall = _wall(request)
    stay(request.scope)
    return EventSourceResponse(_told(wall), ping=3600, headers={"Cache-Control": "no-store"})


async def _told(wall: Wall) -> AsyncIterator[ServerSentEvent]:
    """Yield first all boards, then what changes, and a beat a second in between."""
    number = 0
    while True:
        cards, number, moves = _cards(wall, number), wall.watch.hall.number, wall.watch.moves
        yield ServerSentEvent(event="scene", data=_scene(wall, cards), retry=1000)
        await asyncio.sleep(GAP)
        while wall.watch.moves == moves:
            try:
                async with asyncio.timeout(BEAT):
                    await wall.watch.news(moves)
            except TimeoutError:
                yield ServerSentEvent(event="beat", data="{}")


def _cards(wall: Wall, number: int) -> list[str]:
    return list(wall.watch.hall.changed_since(number, time.monotonic()))


def _scene(wall: Wall, cards: Iterable[str]) -> str:
    hall = wall.watch.hall
    rest = {
        "connected": wall.watch.connected,
        "totals": hall.totals(),
        "results": list(hall.results),
    }
    return f'{{"cards":[{",".join(cards)}],{json.dumps(rest, separators=(",", ":"))[1:]}'


def _wall(request: Request) -> Wall:
    wall: Wall = request.app.state.wall
    return wall


async def run(config: Config, started: Callable[[str], None]) -> None:
    """Serve until a signal says to end.

    Args:
        config: `mqtt` says where the boards are heard, `pages` where the wall is seen.
        started: called with the wall's address.

    Raises:
        ConfigError: a certificate or the password's file cannot be read.
        AddressRefused: the wall's address is taken or not ours.
    """
    stop = asyncio.Event()
    when_told_to_end(stop.set)
    watch = Watch(config.mqtt)
    app = create_wall(Wall(watch, config))
    async with serving(app, config.pages) as address, meanwhile(watch.run()):
        started(address)
        await stop.wait()
