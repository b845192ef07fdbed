"""The web application: which address leads where."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from firmware_bridge.diagnostics.metrics import CONTENT_TYPE
from firmware_bridge.journal import JournalDamaged, StorageFailed
from firmware_bridge.pages import actions, attract, learn, seats
from firmware_bridge.pages import archive as games
from firmware_bridge.pages import forms as sheets
from firmware_bridge.pages.actions import (
    context_of,
    has_seat,
    require_referee,
    require_seat,
    sees_all,
    side_of,
)
from firmware_bridge.pages.assets import fixtures
from firmware_bridge.pages.clients import asks_from, network_of
from firmware_bridge.pages.keys import same
from firmware_bridge.pages.middleware import Guard
from firmware_bridge.pages.openapi import describe
from firmware_bridge.pages.stream import stream

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Scope

    from firmware_bridge.config import MetricsConfig
    from firmware_bridge.pages.context import AppContext
    from firmware_bridge.service.view_feed import Reader

_LOG = logging.getLogger(__name__)

SEAT = "/api/v1/seat/{side:side}"


class _SideConvertor(Convertor[str]):
    """Lets addresses name a side, and nothing else in its place."""

    regex = "white|black"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class _ExportConvertor(_SideConvertor):
    """Lets addresses name a form in which a game is given out."""

    regex = "|".join(games.FORMS)


register_url_convertor("side", _SideConvertor())
register_url_convertor("export", _ExportConvertor())


def create_app(context: AppContext) -> ASGIApp:
    """Return the pages, behind their guard."""
    app = Starlette(
        routes=[*_PAGES, *_INTERFACE, *fixtures()],
        exception_handlers={
            HTTPException: sheets.refusal,
            JournalDamaged: _unreadable,
            StorageFailed: _unreadable,
        },
    )
    app.state.context = context

    def visitor(scope: Scope) -> str:
        return context.visitor(scope)

    return Guard(app, names=context.config.pages.names, visitor=visitor)


async def _unreadable(request: Request, error: Exception) -> Response:
    """Tell what is the matter with the games that were kept; the one on the table goes on."""
    _LOG.error("%s", error)
    return await sheets.refusal(request, HTTPException(500, str(error)))


async def _alive(_: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _metrics(request: Request) -> Response:
    context = context_of(request)
    if not (actions.is_at_machine(request) or _collects_metrics(request, context.config.metrics)):
        raise HTTPException(403, "only-here")
    return Response(context.controller.metrics.text(), media_type=CONTENT_TYPE)


def _collects_metrics(request: Request, config: MetricsConfig) -> bool:
    """Whether this is one of the addresses that may read the metrics, with the token."""
    if network_of(config.address) != asks_from(request.scope) or not config.token:
        return False
    return same(request.headers.get("authorization", ""), f"Bearer {config.token}")


async def _ready(request: Request) -> Response:
    context = context_of(request)
    trouble = context.controller.link
    if context.controller.view().phase == "storage-failed":
        trouble = context.say(context.language(request))("refusal-storage-failed")
    return PlainTextResponse(f"{trouble or 'ok'}\n", status_code=503 if trouble else 200)


async def _public_state(request: Request) -> Response:
    return _state(request, "public")


async def _public_events(request: Request) -> Response:
    return stream(request, context_of(request), "public", lambda: True)


async def _seat_state(request: Request) -> Response:
    side = side_of(request)
    require_seat(request, side)
    return _state(request, side)


async def _seat_events(request: Request) -> Response:
    context, side = context_of(request), side_of(request)
    require_seat(request, side)
    # A new game, and another phone in the seat, make its key void and with it this stream.
    return stream(request, context, side, lambda: has_seat(request, side))


async def _referee_state(request: Request) -> Response:
    require_referee(request)
    return _state(request, "referee")


async def _referee_events(request: Request) -> Response:
    require_referee(request)
    return stream(request, context_of(request), "referee", lambda: sees_all(request))


async def _export(request: Request) -> Response:
    require_referee(request)
    controller = context_of(request).controller
    return games.exported(
        controller.table, controller, controller.game_id, request.path_params["kind"]
    )


async def _description(_: Request) -> Response:
    return JSONResponse(describe())


def _state(request: Request, reader: Reader) -> Response:
    context = context_of(request)
    text = context.scene_text(reader, context.language(request))
    return Response(text, media_type="application/json")


_PAGES = (
    Route("/", sheets.display),
    Route("/play/{side:side}", sheets.play),
    Route("/referee", sheets.referee),
    Route("/setup", sheets.set_up),
    Route("/learn", learn.index),
    Route("/learn/{game}", learn.first),
    Route("/learn/{game}/{number:int}", learn.screen),
    Route("/kiosk", sheets.kiosk),
    Route("/games", games.index),
    Route("/games/{game_id}", games.replay),
)
"""Where people look."""

_INTERFACE = (
    Route("/api/v1/learn/{game}/{number:int}", learn.attempt, methods=["POST"]),
    Route("/api/v1/kiosk", attract.state),
    Route("/api/v1/kiosk/wake", attract.wake, methods=["POST"]),
    Route("/api/v1/kiosk/leave", attract.leave, methods=["POST"]),
    Route("/metrics", _metrics),
    Route("/healthz", _alive),
    Route("/readyz", _ready),
    Route("/api/v1/state", _public_state),
    Route("/api/v1/events", _public_events),
    Route("/api/v1/table/actions", actions.at_table, methods=["POST"]),
    Route("/api/v1/game", actions.begin, methods=["POST"]),
    Route("/api/v1/game/rematch", actions.rematch, methods=["POST"]),
    Route("/api/v1/game/check", actions.check, methods=["POST"]),
    Route(SEAT, seats.sit_down, methods=["POST"]),
    Route(f"{SEAT}/hand-over", seats.hand_over, methods=["POST"]),
    Route(f"{SEAT}/leave", seats.leave, methods=["POST"]),
    Route(f"{SEAT}/state", _seat_state),
    Route(f"{SEAT}/events", _seat_events),
    Route(f"{SEAT}/actions", actions.play, methods=["POST"]),
    Route(f"{SEAT}/rematch", actions.rematch_from_seat, methods=["POST"]),
    Route("/api/v1/referee", actions.enter_as_referee, methods=["POST"]),
    Route("/api/v1/referee/leave", actions.leave_as_referee, methods=["POST"]),
    Route("/api/v1/referee/state", _referee_state),
    Route("/api/v1/referee/events", _referee_events),
    Route("/api/v1/referee/actions", actions.rule, methods=["POST"]),
    Route("/api/v1/referee/export.{kind:export}", _export),
    Route("/api/v1/games", games.listed),
    Route("/api/v1/games/{game_id}.{kind:export}", games.export),
    Route("/api/v1/games/{game_id}/delete", games.delete, methods=["POST"]),
    Route("/api/v1/games/{game_id}/take-up", games.take_up, methods=["POST"]),
    Route("/api/v1/openapi.json", _description),
)
"""Where programs ask, the pages' own scripts among them."""
