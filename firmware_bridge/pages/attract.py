"""A kiosk's pages: the show while nobody plays, its end at a touch, and the way out by PIN."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.pages.actions import context_of, done, judge_pin
from firmware_bridge.pages.requests import Entry, Nothing


async def state(request: Request) -> Response:
    """Return whether this is a kiosk, and whether it was left: its full screen ends then."""
    context = context_of(request)
    return JSONResponse({"kiosk": context.kiosk, "left": context.kiosk_left})


async def wake(request: Request, _: Nothing) -> Response:
    """End the show: somebody touched the screen."""
    context_of(request).controller.wake()
    return done()


async def leave(request: Request, entry: Entry) -> Response:
    """Leave kiosk mode until the service starts again, for whoever knows the PIN."""
    judge_pin(request, "kiosk", entry.key)
    if kiosk_manager := context_of(request).kiosk_manager:
        kiosk_manager.leave()
    return done()
