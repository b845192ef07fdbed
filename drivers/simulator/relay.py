"""Brings what the display says onto the board's own page, so that one window is enough."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

PATIENCE = 20.0
"""Seconds for which a service that is being started again is waited for."""
_AGAIN = 0.2
"""Seconds between two tries to reach it."""
_SILENCE = 5.0
"""Seconds after which a service that says nothing is taken for dead; it speaks every second."""
_AT_ONCE = 0.5
"""Seconds for which a page waits for what stands on the display: it learns it later otherwise."""
_CHUNK = 1 << 16  # the usual size of a pipe's buffer


class Relay:
    """Hands on, to the display and back, what the board's page needs of it, and nothing else."""

    def __init__(self, display: str) -> None:
        self._display = urlsplit(display).netloc

    def routes(self) -> Mount:
        """Return what is handed on, below `/display`."""
        return Mount(
            "/display",
            routes=[
                Route("/static/{name}", self._hand_on),
                Route("/api/v1/events", self._hand_on),
                Route("/api/v1/state", self._hand_on),
                Route("/api/v1/table/actions", self._hand_on, methods=["POST"]),
                Route("/api/v1/game/rematch", self._hand_on, methods=["POST"]),
                Route("/api/v1/game/puzzle", self._hand_on, methods=["POST"]),
                Route("/api/v1/game/computer", self._hand_on, methods=["POST"]),
            ],
        )

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
        return StreamingResponse(_content(answer), answer.status, media_type=kind)

    async def _line(self) -> HTTPConnection:
        """Return a line to the display; whoever asks while it is being started again waits."""
        until = time.monotonic() + PATIENCE
        while True:
            line = HTTPConnection(self._display, timeout=_SILENCE)
            try:
                await run_in_threadpool(line.connect)
            except OSError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(_AGAIN)
            else:
                return line


def _shown(display: str, language: str) -> dict[str, Any] | None:
    with closing(HTTPConnection(display, timeout=_AT_ONCE)) as line:
        line.request("GET", f"/api/v1/state?language={language}")
        answer = line.getresponse()
        scene: dict[str, Any] = json.loads(answer.read())
        return scene if answer.status == HTTPStatus.OK else None


def _ask(line: HTTPConnection, request: Request, body: bytes) -> HTTPResponse:
    target = request.url.path.removeprefix("/display")
    headers = {"Accept": request.headers.get("accept", "*/*"), "Connection": "close"}
    if body:
        headers["Content-Type"] = "application/json"
    line.request(request.method, f"{target}?{request.url.query}", body or None, headers)
    return line.getresponse()


def _content(answer: HTTPResponse) -> Iterator[bytes]:
    """Yield what comes as it comes; a service that dies ends it."""
    with answer:
        try:
            while chunk := answer.read1(_CHUNK):
                yield chunk
        except (OSError, HTTPException):
            return
