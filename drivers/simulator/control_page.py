"""The simulated board's page and its control over HTTP, for whoever may touch the table."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

from jinja2 import Environment, StrictUndefined
from pydantic import ValidationError
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from drivers.description import BoardDescription
from drivers.port import DriverError
from drivers.signals import SIGNALS
from drivers.simulator.guard import LOOPBACK, Guard
from drivers.simulator.orders import Arrange, Faults, Hands, Plug, Reset
from drivers.simulator.relay import ENTRY, Relay, is_at_machine
from drivers.simulator.station import Station
from drivers.simulator.wording import PAGE, Language, Wording

_LOOKS = "/page/"
"""Drawings, styles and scripts: the same on every machine."""


class Door:
    """ASGI middleware that lets in who may touch the table: at this machine, or by the PIN.

    To touch pieces is to sit there, and their names tell what lies below them. In a network the
    page holds nothing but the question for the referee's PIN, which the display judges. Without a
    relay to it nobody else comes in.
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


class _Control:
    """The HTTP requests, each turned into one deed of the station."""

    def __init__(self, station: Station, wording: Wording, relay: Relay | None) -> None:
        self._station = station
        self._wording = wording
        self._relay = relay
        self._index, self._entry = (
            Environment(autoescape=True, undefined=StrictUndefined).from_string(
                (PAGE.parent / f"{name}.html").read_text(encoding="utf-8")
            )
            for name in ("index", "entry")
        )

    def _language(self, request: Request) -> Language:
        return self._wording.language(
            request.query_params.get("language"), request.headers.get("accept-language", "")
        )

    def refusal(self, request: Request) -> Response:
        """Return the page that asks for the PIN; to a program, an error."""
        language = self._language(request)
        if request.url.path != "/":
            return _refusal(language.texts["entry" if self._relay else "not-here"], 403)
        page = self._entry.render(
            language=language, say=language.texts, asks=self._relay is not None, entry=ENTRY
        )
        return HTMLResponse(page, 403)

    async def index(self, request: Request) -> Response:
        wording, language = self._wording, self._language(request)
        page = self._index.render(
            language=language,
            say=language.texts,
            languages=[other for other in wording.languages if other.offered],
            display=_seen_from(request, wording.display),
            what=self._what(language),
            about=self._about(),
            scene=await self._relay.scene(language.code) if self._relay else None,
        )
        return HTMLResponse(page)

    def _what(self, language: Language) -> str:
        """Return what kind of board this is."""
        board, say = self._station.board.description, language.texts
        return say["what"].format(
            files=board.grid.files,
            ranks=board.grid.ranks,
            tier=say[f"tier-{board.tier}"],
            lights=say["lights-colour" if _coloured(board) else "lights-single"],
        )

    async def about(self, _request: Request) -> Response:
        return JSONResponse(self._about())

    def _about(self) -> dict[str, object]:
        """Return what never changes of this board."""
        description, pieces = self._station.board.description, self._station.pieces
        return {
            "title": description.title or description.name,
            "tier": description.tier,
            "files": description.grid.files,
            "ranks": description.grid.ranks,
            "squares": description.squares,
            "reserves": description.reserves,
            "buttons": description.button_names,
            "colour": _coloured(description),
            "pieces": {
                piece.name: {"set": piece.set, "shape": piece.shape} for piece in pieces.pieces
            },
            "arrangements": sorted(pieces.arrangements),
            "signals": {
                signal.id: {"colour": signal.colour, "pattern": signal.pattern}
                for signal in SIGNALS.values()
            },
        }

    async def state(self, _request: Request) -> Response:
        return JSONResponse(self._station.state())

    async def events(self, request: Request) -> Response:
        async def stream() -> AsyncIterator[dict[str, str]]:
            async for state in self._station.states():
                if not await may_touch(request, self._relay):
                    return
                yield {"event": "state", "data": json.dumps(state)}

        return EventSourceResponse(stream())

    async def hands(self, request: Request) -> Response:
        order = Hands.model_validate_json(await request.body())
        await self._station.play(order.steps)
        done = {"done": len(order.steps)}
        return JSONResponse(done, headers={"Revision": str(self._station.revision)})

    async def arrange(self, request: Request) -> Response:
        order = Arrange.model_validate_json(await request.body())
        if order.name not in self._station.pieces.arrangements:
            return _refusal(f'There is no arrangement "{order.name}".', 404)
        self._station.arrange(self._station.pieces.arrangements[order.name])
        return JSONResponse(self._station.state())

    async def faults(self, request: Request) -> Response:
        self._station.set_faults(Faults.model_validate_json(await request.body()))
        return JSONResponse(self._station.state())

    async def cable(self, request: Request) -> Response:
        order = Plug.model_validate_json(await request.body())
        self._station.set_plugged(plugged=order.plugged)
        return JSONResponse(self._station.state())

    async def reset(self, request: Request) -> Response:
        Reset.model_validate_json(await request.body() or b"{}")
        self._station.reset()
        return JSONResponse(self._station.state())


def _coloured(board: BoardDescription) -> bool:
    return board.leds is not None and board.leds.colours == "rgb"


def _seen_from(request: Request, display: str) -> str:
    """Return the display's address for whoever asks: this machine's own leads others nowhere."""
    at, host = urlsplit(display), request.url.hostname or ""
    bracketed = f"[{host}]" if ":" in host else host
    own = at.hostname in LOOPBACK
    return at._replace(netloc=f"{bracketed}:{at.port}").geturl() if own else display


def _refusal(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status)


async def _bad_request(_request: Request, error: Exception) -> Response:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        return _refusal(f"{where}: {first['msg']}" if where else first["msg"], 422)
    return _refusal(str(error), 409)


def make_app(station: Station, wording: Wording | None = None) -> Starlette:
    """Return the application that serves a running station."""
    wording = wording or Wording()
    relay = Relay(wording.display, lambda: station.closing) if wording.display else None
    control = _Control(station, wording, relay)
    return Starlette(
        routes=[
            Route("/", control.index),
            Route("/about", control.about),
            Route("/state", control.state),
            Route("/events", control.events),
            Route("/hands", control.hands, methods=["POST"]),
            Route("/arrange", control.arrange, methods=["POST"]),
            Route("/faults", control.faults, methods=["POST"]),
            Route("/cable", control.cable, methods=["POST"]),
            Route("/reset", control.reset, methods=["POST"]),
            Mount("/page", StaticFiles(directory=PAGE)),
            *([relay.routes()] if relay else []),
        ],
        middleware=[
            Middleware(Guard),
            Middleware(Door, relay=relay, refusal=control.refusal),
        ],
        exception_handlers={ValidationError: _bad_request, DriverError: _bad_request},
    )
