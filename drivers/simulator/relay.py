"""Brings what the display says onto the board's own page, so that one window is enough."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Generator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from inspect import GEN_CREATED, getgeneratorstate
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from drivers.simulator.guard import FORWARDED, HERE

PATIENCE = 20.0
"""Seconds for which a service that is being started again is waited for."""
_AGAIN = 0.2
"""Seconds between two tries to reach it."""
_SILENCE = 5.0
"""Seconds after which a service that says nothing is taken for dead; it speaks every second."""
_AT_ONCE = 0.5
"""Seconds for which a page waits for what stands on the display: it learns it later otherwise."""
_CHUNK = 1 << 16  # the usual size of a pipe's buffer
ENTRY = "/display/api/v1/referee"
"""Where the PIN is said: the one thing that is handed on for somebody who has not said it."""
STRANGERS_AT_ONCE = 2
"""Requests of strangers that are handed on at the same time: their lines to the display are this
machine's own."""
KNOWN_FOR = 5.0
"""Seconds for which somebody who may touch the table is not asked about again."""


class Relay:
    """Hands on, to the display and back, what the board's page needs of it, and nothing else."""

    def __init__(self, display: str, closing: Callable[[], bool]) -> None:
        """Reach the display at an address; once all is `closing`, nobody is kept waiting for it."""
        self._display = urlsplit(display).netloc
        self._closing = closing
        self._known: dict[str, float] = {}
        self._strangers = asyncio.Semaphore(STRANGERS_AT_ONCE)

    def routes(self) -> Mount:
        """Return what is handed on, below `/display`."""
        return Mount(
            "/display",
            routes=[
                Route("/static/{name}", self._hand_on),
                Route("/api/v1/events", self._hand_on),
                Route("/api/v1/state", self._hand_on),
                Route(ENTRY.removeprefix("/display"), self._enter, methods=["POST"]),
                Route("/api/v1/table/actions", self._hand_on, methods=["POST"]),
                Route("/api/v1/game/rematch", self._hand_on, methods=["POST"]),
                Route("/api/v1/game/puzzle", self._hand_on, methods=["POST"]),
                Route("/api/v1/game/computer", self._hand_on, methods=["POST"]),
            ],
        )

    async def lets_touch(self, request: Request) -> bool:
        """Whether the display knows this visitor as the referee."""
        cookie, now = request.headers.get("cookie", ""), time.monotonic()
        if self._known.get(cookie, 0.0) > now:
            return True
        if not cookie:
            return False
        async with self._strangers:
            allowed = await run_in_threadpool(_allowed, self._display, _for_whom(request))
        if allowed:
            self._known = {each: end for each, end in self._known.items() if end > now}
            self._known[cookie] = now + KNOWN_FOR
        return allowed

    async def _enter(self, request: Request) -> Response:
        async with self._strangers:
            return await self._hand_on(request)

    async def scene(self, language: str) -> dict[str, Any] | None:
        """Return what the display shows now; `None` where it does not say so at once."""
        try:
            return await run_in_threadpool(_shown, self._display, language)
        except (OSError, HTTPException, ValueError):
            return None

    async def _hand_on(self, request: Request) -> Response:
        body = await request.body()
        try:
            line = await self._line()
            answer = await run_in_threadpool(_ask, line, request, body)
        except (OSError, HTTPException):
            return JSONResponse({"error": "The display does not answer."}, 502)
        kind = answer.headers.get("content-type")
        handed_on = _HandedOn(answer, kind)
        for cookie in answer.headers.get_all("set-cookie", ()):
            handed_on.headers.append("set-cookie", cookie)
        return handed_on

    async def _line(self) -> HTTPConnection:
        """Return a line to the display; whoever asks while it is being started again waits."""
        until = time.monotonic() + PATIENCE
        while True:
            line = HTTPConnection(self._display, timeout=_SILENCE)
            try:
                await run_in_threadpool(line.connect)
            except OSError:
                if self._closing() or time.monotonic() > until:
                    raise
                await asyncio.sleep(_AGAIN)
            else:
                return line


def is_at_machine(request: Request) -> bool:
    """Whether somebody at this machine asks, and for himself."""
    here = request.client is not None and request.client.host in HERE
    return here and not any(name in request.headers for name in FORWARDED)


def _for_whom(request: Request) -> dict[str, str]:
    """Return the headers that say for whom is asked, so that nobody gets this machine's rights."""
    told = {"Cookie": request.headers.get("cookie", "")}
    if is_at_machine(request):
        return told
    client = request.client.host if request.client else ""
    return told | {"X-Forwarded-For": client if client not in HERE else "unknown"}


def _allowed(display: str, headers: dict[str, str]) -> bool:
    try:
        with closing(HTTPConnection(display, timeout=_SILENCE)) as line:
            line.request("GET", "/api/v1/table", headers=headers)
            return line.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False


def _shown(display: str, language: str) -> dict[str, Any] | None:
    with closing(HTTPConnection(display, timeout=_AT_ONCE)) as line:
        line.request("GET", f"/api/v1/state?language={language}")
        answer = line.getresponse()
        scene: dict[str, Any] = json.loads(answer.read())
        return scene if answer.status == HTTPStatus.OK else None


def _ask(line: HTTPConnection, request: Request, body: bytes) -> HTTPResponse:
    target = request.url.path.removeprefix("/display")
    headers = {"Accept": request.headers.get("accept", "*/*"), "Connection": "close"}
    headers |= _for_whom(request)
    if body:
        headers["Content-Type"] = "application/json"
    line.request(request.method, f"{target}?{request.url.query}", body or None, headers)
    return line.getresponse()


class _HandedOn(StreamingResponse):
    """An answer of the display; it is let go of, too, if nobody waits for it any longer."""

    def __init__(self, answer: HTTPResponse, kind: str | None) -> None:
        self._answer, self._content = answer, _content(answer)
        super().__init__(self._content, answer.status, media_type=kind)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if getgeneratorstate(self._content) == GEN_CREATED:
                self._answer.close()


def _content(answer: HTTPResponse) -> Generator[bytes, None, None]:
    """Yield what comes as it comes; a service that dies ends it."""
    with answer:
        try:
            while chunk := answer.read1(_CHUNK):
                yield chunk
        except (OSError, HTTPException):
            return
