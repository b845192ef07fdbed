"""Who may come to the simulated board: somebody at this machine, or whoever has said the PIN.

To touch pieces is to sit at the table, and their names tell what lies below them. In a network the
page holds nothing but the question for the referee's PIN, which the display judges.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from drivers.simulator.relay import ENTRY, Relay, is_at_machine

_LOOKS = "/page/"
"""Drawings, styles and scripts: the same on every machine."""


class Door:
    """ASGI middleware that lets in who may touch the table.

    Args:
        app: what is behind it.
        relay: leads to the display, which knows the PIN; without one nobody else comes in.
        refusal: the answer to all others.
    """

    def __init__(
        self, app: ASGIApp, relay: Relay | None, refusal: Callable[[Request], Response]
    ) -> None:
        self._app, self._relay, self._refusal = app, relay, refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] != "http" or await self._open(request := Request(scope)):
            await self._app(scope, receive, send)
        else:
            await self._refusal(request)(scope, receive, send)

    async def _open(self, request: Request) -> bool:
        path = request.url.path
        return path.startswith(_LOOKS) or path == ENTRY or await may_touch(request, self._relay)


async def may_touch(request: Request, relay: Relay | None) -> bool:
    """Whether whoever asks may touch the table."""
    if is_at_machine(request):
        return True
    return relay is not None and await relay.lets_touch(request)
