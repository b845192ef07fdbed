"""Keeps the simulated board's page to itself: only its own pages may give orders."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 1 << 20
"""Bytes of the longest order."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


_HOST = re.compile(r"(\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z._-]+))(:[0-9]*)?")
"""What the header `Host` holds, and nothing else: no user, no path, no letters of other scripts."""


def own_names() -> set[str]:
    """Return the names under which this machine's pages may be asked for, besides its addresses."""
    host = socket.gethostname().lower()
    return {"localhost", host, f"{host}.local"}


def is_called(host: str, names: Collection[str]) -> bool:
    """Tell whether a request's `Host` is one of the names, or an address in numbers.

    A name of another site may lead here too (DNS rebinding); an address in numbers cannot.

    Example:
        `is_called("192.168.1.9:8322", own_names())` is true, `is_called("evil.example", ...)` not.
    """
    found = _HOST.fullmatch(host)
    name = (found["name"] or found["address"]).lower() if found else ""
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Refuses foreign names, other sites' orders and oversized ones; adds strict headers to all."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._names = app, own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        refusal = (
            _refusal(scope["method"], headers)
            if is_called(headers.get("host", ""), self._names)
            else PlainTextResponse("This page is not known by that name.", 421)
        )
        await (refusal or self._app)(scope, receive, send_guarded)


def _refusal(method: str, headers: Headers) -> PlainTextResponse | None:
    if method != "POST":
        return None
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        return PlainTextResponse("Only the board's own page may give it orders.", 403)
    length = headers.get("content-length", "")
    if not length.isdecimal():
        return PlainTextResponse("Say how long the order is.", 411)
    if int(length) > BODY_LIMIT:
        return PlainTextResponse("That is too much at once.", 413)
    return None
