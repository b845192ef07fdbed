"""The page that stands in for all others while the journal cannot be opened."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from firmware_bridge.config import Config
from firmware_bridge.pages.assets import fixtures
from firmware_bridge.pages.clients import asks_from
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.languages import keep, language_of, offered
from firmware_bridge.pages.middleware import Guard
from firmware_bridge.pages.templating import ENVIRONMENT
from firmware_bridge.pages.texts import speaking


class _Wanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    pin: str


def create_refused_app(
    config: Config, keys: Keys, why: str, set_aside: Callable[[], None]
) -> ASGIApp:
    """Return the one page, behind the same guard as all others.

    `set_aside` moves the journal's files away; it is called at most once.
    """

    async def show(request: Request) -> Response:
        language = language_of(request, config)
        page = ENVIRONMENT.get_template("refused.html").render(
            say=speaking(language, None),
            language=language,
            languages=offered(request),
            folder=str(config.data),
            why=why,
        )
        return keep(request, HTMLResponse(page, 503), language)

    async def obey(request: Request) -> Response:
        try:
            wanted = _Wanted.model_validate_json(await request.body())
        except ValidationError:
            return JSONResponse({"problem": "wrong"}, 400)
        status = keys.judge_pin(asks_from(request.scope), wanted.pin)
        if status != 200:
            return JSONResponse({"problem": "wait" if status == 429 else "wrong"}, status)
        set_aside()
        return JSONResponse({})

    routes = [
        *fixtures(),
        Route("/api/v1/journal/set-aside", obey, methods=["POST"]),
        Route("/{path:path}", show),
    ]
    return Guard(Starlette(routes=routes), names=config.pages.names)
