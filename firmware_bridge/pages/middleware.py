"""What stands before every page: who may ask, how much, how often, and what browsers may do.

- Only names that are ours are answered, so that a foreign name that resolves to this machine (DNS
  rebinding) gets nothing. An address given in numbers cannot be rebound and is always ours.
- A request that changes something must come from our own page or from no browser at all.
- Bodies are small, and changes are few.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drivers.simulator.guard import SAFE, given, is_called, is_own, own_names, whole_body
from firmware_bridge.pages.clients import KNOWN, asks_from
from firmware_bridge.pages.connections import known_as

BODY_LIMIT = 16 * 1024
"""Bytes; the largest thing anybody sends is a piece arrangement of about 1 kB."""
BURST, PER_SECOND = 30, 5.0
"""Changes that one visitor may ask for at once, and how fast the right to more comes back."""
VISITORS = 1000
"""Visitors who are remembered; the one unheard for longest is forgotten first."""
BODY_SECONDS = 10.0
"""How long a body may take to come."""
STRANGERS_AT_ONCE = 2
"""Requests of strangers that are worked on at the same time: more of them wait for their turn, and
nobody else does."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_MESSAGES = {
    "unknown-host": "These pages are not known by that name. Use the machine's address, or add the "
    "name to pages.names in the configuration.",
    "foreign-origin": "Changes are taken from these pages alone, not from another site's.",
    "too-large": f"That is too much: a request holds {BODY_LIMIT} bytes at most.",
    "two-lengths": "The request tells its length in two ways. Send Content-Length alone.",
    "too-slow": "The request did not come to its end. Send it again.",
    "not-json": "Send JSON, with Content-Type: application/json.",
    "too-many": "Too many changes at once. Wait two seconds and try again.",
}
"""What to do about it, in English: who is refused here has no language yet."""


@dataclass(slots=True)
class _Bucket:
    level: float
    t: float


class Allowance:
    """How many changes each visitor may still ask for: a bucket that fills again with time."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float]) -> None:
        self._burst, self._per_second, self._clock = burst, per_second, clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def spend(self, visitor: str) -> bool:
        """Take one from the visitor's bucket; false when it is empty."""
        now = self._clock()
        bucket = self._buckets.pop(visitor, None) or _Bucket(self._burst, now)
        bucket.level = min(self._burst, bucket.level + (now - bucket.t) * self._per_second)
        bucket.t = now
        self._buckets[visitor] = bucket
        if len(self._buckets) > VISITORS:
            self._buckets.popitem(last=False)
        if bucket.level < 1:
            return False
        bucket.level -= 1
        return True


class Guard:
    """ASGI middleware that lets through what should be.

    Args:
        app: what is guarded.
        names: host names under which it may be asked, besides this machine's own.
        visitor: says who asks, as far as limits go.
        clock: the host's monotonic clock.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: Collection[str] = (),
        visitor: Callable[[Scope], str] = asks_from,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self._visitor = visitor
        self._strangers = asyncio.Semaphore(STRANGERS_AT_ONCE)
        self._names = own_names().union(name.lower() for name in names)
        self._allowance = Allowance(BURST, PER_SECOND, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at once what must not pass; hand on everything else."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        visitor, send = self._visitor(scope), _with_headers(send)
        known_as(scope, visitor)
        refusal = self._refusal(scope, visitor)
        if refusal is None and scope["method"] not in SAFE:
            body = await _body(receive)
            if body is None:
                return
            if isinstance(body, JSONResponse):
                refusal = body
            else:
                receive = given(body, receive)
        if refusal is not None:
            await refusal(scope, receive, send)
        elif visitor in KNOWN:
            await self.app(scope, receive, send)
        else:
            await self._in_turn(scope, receive, send)

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Work on a stranger's request once those before it have their answers."""
        async with contextlib.AsyncExitStack() as turn:
            await turn.enter_async_context(self._strangers)

            async def answered(message: Message) -> None:
                await turn.aclose()  # to send takes as long as the other end likes
                await send(message)

            await self.app(scope, receive, answered)

    def _refusal(self, scope: Scope, visitor: str) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if "transfer-encoding" in headers and "content-length" in headers:
            refusal = _problem(400, "two-lengths")
            refusal.headers["Connection"] = "close"  # what follows may be body or a request
            return refusal
        if not is_called(host, self._names):
            return _problem(421, "unknown-host")
        if not is_own(headers, reading=scope["method"] in SAFE):
            return _problem(403, "foreign-origin")
        return None if scope["method"] in SAFE else self._refused_change(headers, visitor)

    def _refused_change(self, headers: Headers, visitor: str) -> JSONResponse | None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > BODY_LIMIT:
            return _problem(413, "too-large")
        if not headers.get("content-type", "").startswith("application/json"):
            return _problem(415, "not-json")
        if not self._allowance.spend(visitor):
            refusal = _problem(429, "too-many")
            refusal.headers["Retry-After"] = "2"
            return refusal
        return None


async def _body(receive: Receive) -> bytes | JSONResponse | None:
    """Return the body, or the refusal of one too large or too slow; `None` if nobody waits."""
    try:
        return await whole_body(receive, BODY_LIMIT, BODY_SECONDS)
    except OverflowError:
        return _problem(413, "too-large")
    except TimeoutError:
        return _problem(408, "too-slow")


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return with_headers


def _problem(status: int, code: str) -> JSONResponse:
    return JSONResponse({"error": code, "message": _MESSAGES[code]}, status_code=status)
