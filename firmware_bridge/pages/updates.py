"""The page that tells which version runs, how an update stands, and takes it back at one tap."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from firmware_bridge.diagnostics.updates import Wish, standing, wish
from firmware_bridge.pages.actions import context_of, done, require_pin
from firmware_bridge.pages.forms import sheet

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def page(request: Request) -> Response:
    """Return the page of versions."""
    context = context_of(request)
    stands = standing(context.config.updates)
    language = context.language(request)
    return sheet(
        request,
        "update.html",
        running=version("firmware-bridge"),
        told=stands.told.get(language) or stands.told.get("en", ""),
        fetched=stands.fetched.get(language) or stands.fetched.get("en", ""),
        possible=stands.possible,
        before=stands.before,
        wished=stands.wished,
        entry="update",
    )


async def now(request: Request) -> Response:
    """Let an update that waits begin although a game goes on, for whoever knows the PIN."""
    return await _wished(request, "now")


async def back(request: Request) -> Response:
    """Let the version before run again, for whoever knows the PIN."""
    return await _wished(request, "back")


async def _wished(request: Request, what: Wish) -> Response:
    updates = context_of(request).config.updates
    await require_pin(request, "update")
    if what != standing(updates).possible:
        raise HTTPException(409, "no-update")
    try:
        wish(updates, what)
    except OSError as error:
        raise HTTPException(503, f"{error.strerror}: {updates.wishes}") from error
    return done()
