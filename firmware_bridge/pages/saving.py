"""The page that gives everything of this board out as one file, for whoever knows the PIN."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from firmware_bridge.distance.friends import FriendsUnreadable
from firmware_bridge.journal import StorageFailed
from firmware_bridge.pages.actions import context_of, judge_pin
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.requests import Saving
from firmware_bridge.saved.archive import file_name, save

_OPEN = {"waiting", "over"}
"""Phases in which a game hides nothing that its players must remember."""


async def page(request: Request) -> Response:
    """Return the page that asks for the PIN, and whether keys are wanted."""
    return sheet(request, "saved.html", entry="save")


async def everything(request: Request, wanted: Saving) -> Response:
    """Everything of this board as one file, for whoever knows the PIN."""
    context = context_of(request)
    judge_pin(request, "save", wanted.key)
    controller = context.controller
    hides = controller.agreement.terms().secret
    if hides and controller.view().phase not in _OPEN:
        raise HTTPException(409, "save-secret")
    folder = TemporaryDirectory()
    file = Path(folder.name) / file_name()
    try:
        await asyncio.to_thread(save, context.config, file, keys=wanted.keys)
    except (OSError, StorageFailed, FriendsUnreadable) as error:
        folder.cleanup()
        raise HTTPException(503, str(error)) from error
    return FileResponse(file, filename=file.name, background=BackgroundTask(folder.cleanup))
