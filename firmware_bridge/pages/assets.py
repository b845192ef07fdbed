"""What pages fetch besides themselves: scripts, styles, the drawings of pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from drivers.simulator.control_page import PAGE
from firmware_bridge.pages.signals_css import signals_css
from firmware_bridge.pages.templating import FOLDER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

DRAWINGS = "/static/pieces.svg"


def fixtures() -> list[BaseRoute]:
    """Return the routes to everything that no page makes for itself."""
    return [
        Route("/static/signals.css", _signals),
        Route(DRAWINGS, _shared("pieces.svg")),
        Route("/static/sound.js", _shared("sound.js")),
        Mount("/static", StaticFiles(directory=FOLDER / "static")),
    ]


async def _signals(_: Request) -> Response:
    return Response(signals_css(), media_type="text/css")


def _shared(name: str) -> Callable[[Request], Awaitable[Response]]:
    """Give a file of the simulated board, so that pieces look and tones sound the same."""

    async def give(_: Request) -> Response:
        return FileResponse(PAGE / name)

    return give
