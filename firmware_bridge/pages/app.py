"""The web application: which address leads where."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from firmware_bridge.config import MetricsConfig
from firmware_bridge.diagnostics.metrics import CONTENT_TYPE
from firmware_bridge.journal import JournalDamaged, StorageFailed
from firmware_bridge.pages import (
    actions,
    balance,
    distance,
    known,
    learn,
    maintenance,
    puzzles,
)
from firmware_bridge.pages import forms as sheets
from firmware_bridge.pages import past_games as games
from firmware_bridge.pages.actions import context_of, say_to
from firmware_bridge.pages.assets import fixtures
from firmware_bridge.pages.clients import asks_from, network_of
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.endpoints import ENDPOINTS
from firmware_bridge.pages.keys import same
from firmware_bridge.pages.middleware import Guard
from firmware_bridge.pages.openapi import describe
from firmware_bridge.pages.texts import say_all
from firmware_bridge.recordings.export import NotYetOpen

_LOG = logging.getLogger(__name__)


def create_app(context: AppContext) -> ASGIApp:
    """Return the pages, behind their guard."""
    app = Starlette(
        routes=[*_PAGES, *_FOR_PROGRAMS, *fixtures()],
        exception_handlers={
            HTTPException: sheets.refusal,
            **dict.fromkeys((JournalDamaged, StorageFailed, NotYetOpen), _not_told),
        },
    )
    app.state.context = context

    return Guard(app, names=context.config.pages.names, visitor=context.visitor)


async def _not_told(request: Request, error: Exception) -> Response:
    """Tell what is the matter with the games that were kept; the one on the table goes on."""
    if isinstance(error, NotYetOpen):
        return await sheets.refusal(request, HTTPException(409, str(error)))
    _LOG.error("%s", error)
    failed = isinstance(error, StorageFailed)  # nothing can be read or kept for now
    told = HTTPException(503, "storage-failed") if failed else HTTPException(500, str(error))
    return await sheets.refusal(request, told)


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
    say = say_to(request)
    trouble = say_all(context.controller.link, say)
    if context.controller.view().phase == "storage-failed":
        trouble = say("refusal-storage-failed")
    return PlainTextResponse(f"{trouble or 'ok'}\n", status_code=503 if trouble else 200)


async def _description(_: Request) -> Response:
    return JSONResponse(describe())


_PAGES = (
    Route("/", sheets.display),
    Route("/play/{side:side}", sheets.play),
    Route("/referee", sheets.referee),
    Route("/setup", sheets.set_up),
    Route("/learn", learn.index),
    Route("/learn/balance", balance.index),
    Route("/learn/{game}", learn.first),
    Route("/learn/{game}/puzzles", puzzles.index),
    Route("/learn/{game}/classics/{number:int}", learn.classic),
    Route("/learn/{game}/{number:int}", learn.screen),
    Route("/kiosk", sheets.kiosk),
    Route("/board", maintenance.board),
    Route("/update", maintenance.versions),
    Route("/save", maintenance.saving),
    Route("/distance", distance.page),
    Route("/games", games.index),
    Route("/games/{game_id}", games.replay),
    Route("/games/{game_id}/known", known.known),
    Route("/games/{game_id}/code.svg", games.code),
)
"""Where people look."""

_FOR_PROGRAMS = (
    *(endpoint.route for endpoint in ENDPOINTS),
    Route("/api/v1/learn/{game}/{number:int}", learn.attempt, methods=["POST"]),
    Route("/metrics", _metrics),
    Route("/healthz", _alive),
    Route("/readyz", _ready),
    Route("/api/v1/openapi.json", _description),
)
"""Where programs ask, the pages' own scripts among them."""
