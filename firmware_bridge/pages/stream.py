"""The event stream: every change of a reader's scene, and a beat a second that says all is well.

Events are numbered for each reader; whoever comes back with the number of the last one heard gets
nothing twice and misses nothing that lasts. Beats carry the clocks, so that a page's own counting
never drifts, and a page that misses two knows that the line is dead.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import anyio._backends._asyncio  # noqa: F401 - else the first page waits while it is loaded
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request

from firmware_bridge.pages.connections import stay
from firmware_bridge.pages.context import AppContext
from firmware_bridge.service.view_feed import Reader

BEAT = 1.0
"""Seconds between beats; the page's own limit is two and a half."""


def stream(
    request: Request, context: AppContext, reader: Reader, may_go_on: Callable[[], bool]
) -> EventSourceResponse:
    """Return the answer that sends scenes as they change, until the page goes away.

    `Last-Event-ID` or `after` names the last event that was heard. Before every event `may_go_on`
    is asked whether this reader still may see this.
    """
    stay(request.scope)
    heard = request.headers.get("last-event-id") or request.query_params.get("after", "")
    language = context.language(request)
    return EventSourceResponse(
        _events(context, reader, language, heard, may_go_on),
        ping=3600,  # our own beats keep the line busy
        headers={"Cache-Control": "no-store"},
    )


async def _events(
    context: AppContext, reader: Reader, language: str, heard: str, may_go_on: Callable[[], bool]
) -> AsyncIterator[ServerSentEvent]:
    hub = context.controller.hub
    boot, _, number = heard.partition("-")
    after = int(number) if boot == context.boot and number.isdecimal() else None
    while may_go_on():
        try:
            async with asyncio.timeout(BEAT):
                newest = await hub.wait(reader, after)
        except TimeoutError:
            yield ServerSentEvent(event="beat", data=f'{{"clocks":{context.clocks()}}}')
            continue
        if hub.closed or not may_go_on():
            return
        after = newest.number
        yield ServerSentEvent(
            event="scene",
            id=f"{context.boot}-{after}",
            data=context.scene_text(reader, language),
            retry=1000,
        )
