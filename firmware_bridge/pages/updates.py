"""The page that tells which version runs and what is new, puts it in place, and takes it back."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.diagnostics.update_status import Wish, standing, wish
from firmware_bridge.pages.actions import context_of, done, judge_pin
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.requests import Entry


async def page(request: Request) -> Response:
    """Return the page of versions."""
    context = context_of(request)
    stands = standing(context.config.updates)
    language = context.language(request)

    def told(texts: Mapping[str, str]) -> str:
        return texts.get(language) or texts.get("en", "")

    return sheet(
        request,
        "update.html",
        running=version("firmware-bridge"),
        told=told(stands.told),
        fetched=told(stands.fetched),
        offered=told(stands.offered),
        notes=told(stands.notes),
        possible=stands.possible,
        wished=stands.wished,
        entry="update",
    )


async def install(request: Request, entry: Entry) -> Response:
    """Put in place what is offered, for whoever knows the PIN."""
    return await _wished(request, entry, "install")


async def now(request: Request, entry: Entry) -> Response:
    """Let an update that waits begin although a game goes on, for whoever knows the PIN."""
    return await _wished(request, entry, "now")


async def back(request: Request, entry: Entry) -> Response:
    """Let the version before run again, for whoever knows the PIN."""
    return await _wished(request, entry, "back")


async def _wished(request: Request, entry: Entry, what: Wish) -> Response:
    updates = context_of(request).config.updates
    judge_pin(request, "update", entry.key)
    if what not in standing(updates).possible:
        raise HTTPException(409, "no-update")
    try:
        wish(updates, what)
    except OSError as error:
        raise HTTPException(503, f"{error.strerror}: {updates.wishes}") from error
    return done()
