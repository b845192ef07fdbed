"""Keeps pages to themselves: who asks by which name, from which site, and from which machine."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Collection, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
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
}
_REFUSALS = {
    "unknown-host": (421, "This page is not known by that name."),
    "foreign-origin": (403, "Only the board's own page may give it orders."),
    "no-length": (411, "Say how long the order is."),
    "too-large": (413, "That is too much at once."),
    "too-slow": (408, "The order did not come to its end."),
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
    """ASGI middleware that refuses foreign names, other sites' orders and oversized ones.

    What it says of them, and what else must not pass, a guard of other pages says for itself.
    Beside this machine's own names it may be asked by `names`.
    """

    headers: Mapping[str, str] = _HEADERS
    """What every answer tells browsers."""
    most = BODY_LIMIT
    """Bytes of a body."""
    refusals: Mapping[str, tuple[int, str]] = _REFUSALS
    """Status and words of each refusal."""

    def __init__(self, app: ASGIApp, *, names: Collection[str] = ()) -> None:
        self.app = app
        self._names = own_names().union(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at once what must not pass; hand on everything else."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self.refusal(scope, Headers(scope=scope))
        if refusal is None and scope["method"] not in SAFE:
            try:
                body = await whole_body(receive, self.most, BODY_SECONDS)
            except OverflowError:
                refusal = self.problem("too-large")
            except TimeoutError:
                refusal = self.problem("too-slow")
            else:
                if body is None:
                    return
                receive = given(body, receive)
        await (refusal or self.pass_on)(scope, receive, send_guarded)

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to what must not pass, whatever its body holds."""
        reading = scope["method"] in SAFE
        if not is_called(headers.get("host", ""), self._names):
            return self.problem("unknown-host")
        if not is_own(headers, reading=reading):
            return self.problem("foreign-origin")
        return None if reading else self.refused_change(scope, headers)

    def refused_change(self, _scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a change that must not pass."""
        length = headers.get("content-length", "")
        if not length.isdecimal() or len(length) > 9 or "transfer-encoding" in headers:
            return self.problem("no-length")
        return self.problem("too-large") if int(length) > self.most else None

    def problem(self, code: str) -> Response:
        """Return a refusal."""
        status, text = self.refusals[code]
        return PlainTextResponse(text, status)

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what may pass."""
        await self.app(scope, receive, send)
