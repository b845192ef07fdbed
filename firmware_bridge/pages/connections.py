"""Who may be connected, and for how long, so that no stranger's connections take another's place.

uvicorn knows one limit for all connections and none for how long a request may take to come, so
both are kept here: its protocol tells when a connection comes and goes, and `Doors` when it asks.

- Each visitor has so many places. Whoever needs one more gives up the connection of his own that
  has waited longest without asking.
- All strangers together have so many. Then the one with the most connections gives up one.
- This machine, the seats and the referee have places that no stranger can take.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_bridge.pages.clients import KNOWN, MACHINE, network_of

CONNECTIONS = {MACHINE: 128, "referee": 24, "seat-white": 24, "seat-black": 24}
EACH_STRANGER, ALL_STRANGERS = 64, 300
"""Connections of one network, and of all networks together."""
STREAMS = {MACHINE: 100, "referee": 16, "seat-white": 16, "seat-black": 16}
STREAMS_EACH_STRANGER, STREAMS_ALL_STRANGERS = 48, 150
"""Pages that one network keeps connected, and all networks together. Fewer than connections, so
that there is always one that can be given up."""
SILENCE = 10.0
"""Seconds in which a request must come, or an answer be taken."""


class Visit:
    """One connection.

    Attributes:
        visitor: whose it is, as far as is known.
        number: rises with every connection.
        asking: how many of its requests are being worked on.
        stays: whether a page listens over it, for as long as it likes.
    """

    def __init__(self, visitor: str, number: int, transport: asyncio.Transport) -> None:
        self.visitor = visitor
        self.number = number
        self.asking = 0
        self.stays = False
        self._takes = True
        self._transport = transport
        self._deadline: asyncio.TimerHandle | None = None
        self._expect()

    def begin(self) -> None:
        """A request has come."""
        self.asking += 1
        self._expect()

    def answered(self) -> None:
        """A request has had its answer."""
        self.asking -= 1
        self.stays = False
        self._expect()

    def takes(self, *, answers: bool) -> None:
        """The other end takes what it is sent, or does not."""
        self._takes = answers
        self._expect()

    def _expect(self) -> None:
        """End the connection unless the other end does in time what it is waited for."""
        self.forget()
        if not (self.asking and self._takes):
            self._deadline = asyncio.get_running_loop().call_later(SILENCE, self.end)

    def end(self) -> None:
        """End the connection now."""
        self.forget()
        self._transport.abort()

    def forget(self) -> None:
        """Expect nothing any more."""
        if self._deadline:
            self._deadline.cancel()


class Places:
    """All connections of one server."""

    def __init__(self) -> None:
        self._visits: dict[object, Visit] = {}
        self._numbers = itertools.count()

    def come(self, transport: asyncio.Transport) -> Visit:
        """Give a new connection its place."""
        peer = _peer(transport)
        network = network_of(str(peer[0]))
        # Whoever comes from this machine itself is taken for the machine until he asks.
        visitor = MACHINE if network in ("127.0.0.1", "::1") else network
        visit = Visit(visitor, next(self._numbers), transport)
        self._make_room(visitor)
        self._visits[peer] = visit
        return visit

    def go(self, transport: asyncio.Transport) -> None:
        """Forget a connection that has ended."""
        if visit := self._visits.pop(_peer(transport), None):
            visit.forget()

    def of(self, scope: Scope) -> Visit | None:
        """Return the connection over which a request came."""
        return self._visits.get(tuple(scope.get("client") or ()))

    def know(self, visit: Visit, visitor: str) -> None:
        """It has turned out whose connection this is."""
        if visit.visitor != visitor:
            self._make_room(visitor)
            visit.visitor = visitor

    def may_stay(self, visit: Visit) -> bool:
        """Whether a page may listen over this connection for as long as it likes."""
        staying = [other for other in self._visits.values() if other.stays]
        own = sum(other.visitor == visit.visitor for other in staying)
        if visit.visitor in KNOWN:
            visit.stays = own < STREAMS[visit.visitor]
        else:
            all_ = sum(other.visitor not in KNOWN for other in staying)
            visit.stays = own < STREAMS_EACH_STRANGER and all_ < STREAMS_ALL_STRANGERS
        return visit.stays

    def _make_room(self, visitor: str) -> None:
        visits = self._visits.values()
        own = [visit for visit in visits if visit.visitor == visitor]
        if len(own) >= CONNECTIONS.get(visitor, EACH_STRANGER):
            self._give_up(own)
        elif visitor not in KNOWN:
            strangers = [visit for visit in visits if visit.visitor not in KNOWN]
            if len(strangers) >= ALL_STRANGERS:
                self._give_up(_of_the_greediest(strangers))

    def _give_up(self, visits: Iterable[Visit]) -> None:
        waits_longest = min(
            (visit for visit in visits if not visit.stays),
            key=lambda visit: (visit.asking > 0, visit.number),
        )
        self._visits = {p: v for p, v in self._visits.items() if v is not waits_longest}
        waits_longest.end()


class Doors:
    """ASGI middleware that tells places when a request comes, and requests their place."""

    def __init__(self, app: ASGIApp, places: Places) -> None:
        self._app = app
        self._places = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on the request."""
        visit = self._places.of(scope)
        if visit is None:
            await self._app(scope, receive, send)
            return
        scope["place"] = self._places, visit
        visit.begin()
        try:
            await self._app(scope, receive, send)
        finally:
            visit.answered()


class _Connection(H11Protocol):
    """A connection that has a place."""

    def __init__(self, places: Places, **given: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(**given)
        self._places = places

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._visit = self._places.come(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._places.go(self.transport)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._visit.takes(answers=False)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._visit.takes(answers=True)


def protocol(places: Places) -> Callable[..., asyncio.Protocol]:
    """Return what makes uvicorn's connections, with a place for each."""
    return functools.partial(_Connection, places)


def known_as(scope: Scope, visitor: str) -> None:
    """Let the connection of a request be this visitor's."""
    if place := scope.get("place"):
        places, visit = place
        places.know(visit, visitor)


def stay(scope: Scope) -> None:
    """Let a page listen for as long as it likes.

    Raises:
        HTTPException: too many of this visitor's listen already.
    """
    if place := scope.get("place"):
        places, visit = place
        if not places.may_stay(visit):
            raise HTTPException(503, "too-many-pages")


def _peer(transport: asyncio.Transport) -> tuple[object, ...]:
    """Return the other end's address and port, as uvicorn tells them with each request."""
    return tuple((transport.get_extra_info("peername") or ("", 0))[:2])


def _of_the_greediest(visits: Iterable[Visit]) -> list[Visit]:
    """Return those of the visitor who has the most that can be given up."""
    by_visitor: dict[str, list[Visit]] = {}
    for visit in visits:
        if not visit.stays:
            by_visitor.setdefault(visit.visitor, []).append(visit)
    return max(by_visitor.values(), key=len)
