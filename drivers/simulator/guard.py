"""Keeps pages to themselves: who asks by which name, from which site, and from which machine."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 1 << 20
"""Bytes of the longest order."""
BODY_SECONDS = 10.0
"""How long an order may take to come."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers by which a proxy says that it asks for somebody else."""
HERE = frozenset({"127.0.0.1", "::1"})
"""The addresses of this machine alone."""
LOOPBACK = HERE | {"localhost"}
"""Hosts that only the machine itself can open."""
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


def is_own(headers: Headers, *, reading: bool) -> bool:
    """Tell whether a request comes from a page of ours, or from something that is no browser."""
    if headers.get("sec-fetch-site", "none") == "cross-site":
        # Another site may lead a person here by a link, but may not read or change anything.
        return reading and headers.get("sec-fetch-mode") == "navigate"
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host", "")


async def whole_body(receive: Receive, most: int, seconds: float) -> bytes | None:
    """Return a request's body, `None` if nobody waits for an answer any longer.

    Raises:
        OverflowError: it holds more bytes than `most`.
        TimeoutError: it has not come to its end in so many seconds.
    """
    body, more = b"", True
    async with asyncio.timeout(seconds):
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                raise OverflowError
    return body


def given(body: bytes, receive: Receive) -> Receive:
    """Return what gives this body, and then what comes after it."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def once() -> Message:
        return whole.pop() if whole else await receive()

    return once


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
        if refusal is None and scope["method"] not in SAFE:
            try:
                body = await whole_body(receive, BODY_LIMIT, BODY_SECONDS)
            except TimeoutError:
                refusal = PlainTextResponse("The order did not come to its end.", 408)
            else:
                if body is None:
                    return
                receive = given(body, receive)
        await (refusal or self._app)(scope, receive, send_guarded)


def _refusal(method: str, headers: Headers) -> PlainTextResponse | None:
    reading = method in SAFE
    if not is_own(headers, reading=reading):
        return PlainTextResponse("Only the board's own page may give it orders.", 403)
    if reading:
        return None
    length = headers.get("content-length", "")
    if not length.isdecimal() or len(length) > 9 or "transfer-encoding" in headers:
        return PlainTextResponse("Say how long the order is.", 411)
    if int(length) > BODY_LIMIT:
        return PlainTextResponse("That is too much at once.", 413)
    return None
