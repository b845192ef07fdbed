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

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drivers.simulator import guard
from firmware_bridge.pages.clients import KNOWN, asks_from
from firmware_bridge.pages.connections import known_as

BODY_LIMIT = 16 * 1024
"""Bytes; the largest thing anybody sends is a piece arrangement of about 1 kB."""
BURST, PER_SECOND = 30, 5.0
"""Changes that one visitor may ask for at once, and how fast the right to more comes back."""
VISITORS = 1000
"""Visitors who are remembered; the one unheard for longest is forgotten first."""
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
_UNKNOWN = (
    "These pages are not known by that name. Use the machine's address, or add the name to "
    "pages.names in the configuration."
)
_REFUSALS = {
    "unknown-host": (421, _UNKNOWN),
    "foreign-origin": (403, "Changes are taken from these pages alone, not from another site's."),
    "too-large": (413, f"That is too much: a request holds {BODY_LIMIT} bytes at most."),
    "two-lengths": (400, "The request tells its length in two ways. Send Content-Length alone."),
    "too-slow": (408, "The request did not come to its end. Send it again."),
    "not-json": (415, "Send JSON, with Content-Type: application/json."),
    "too-many": (429, "Too many changes at once. Wait two seconds and try again."),
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


class Guard(guard.Guard):
    """Lets through what should be, of each visitor as much as is his due.

    `visitor` says who asks, as far as limits go.
    """

    headers = HEADERS
    most = BODY_LIMIT
    refusals = _REFUSALS

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: Collection[str] = (),
        visitor: Callable[[Scope], str] = asks_from,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(app, names=names)
        self._visitor = visitor
        self._strangers = asyncio.Semaphore(STRANGERS_AT_ONCE)
        self._allowance = Allowance(BURST, PER_SECOND, clock)

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to what must not pass, whatever its body holds."""
        scope["visitor"] = self._visitor(scope)
        known_as(scope, scope["visitor"])
        if "transfer-encoding" in headers and "content-length" in headers:
            refusal = self.problem("two-lengths")
            refusal.headers["Connection"] = "close"  # what follows may be body or a request
            return refusal
        return super().refusal(scope, headers)

    def refused_change(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a change that must not pass."""
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > self.most:
            return self.problem("too-large")
        if not headers.get("content-type", "").startswith("application/json"):
            return self.problem("not-json")
        if not self._allowance.spend(scope["visitor"]):
            refusal = self.problem("too-many")
            refusal.headers["Retry-After"] = "2"
            return refusal
        return None

    def problem(self, code: str) -> Response:
        """Return a refusal, for programs and for people."""
        status, text = self.refusals[code]
        return JSONResponse({"error": code, "message": text}, status_code=status)

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Work on a stranger's request once those before it have their answers."""
        if scope["visitor"] in KNOWN:
            await self.app(scope, receive, send)
            return
        async with contextlib.AsyncExitStack() as turn:
            await turn.enter_async_context(self._strangers)

            async def answered(message: Message) -> None:
                await turn.aclose()  # to send takes as long as the other end likes
                await send(message)

            await self.app(scope, receive, answered)
