"""What a board needs besides games: to be built, saved and updated, and to leave kiosk mode.

Mostly for whoever knows the PIN.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.diagnostics.update_status import Wish, standing, wish
from firmware_bridge.distance.friends import FriendsUnreadable
from firmware_bridge.journal import StorageFailed
from firmware_bridge.pages.actions import context_of, done, judge_pin, say_to, with_cookie
from firmware_bridge.pages.forms import is_reached, sheet
from firmware_bridge.pages.requests import Entry, Nothing, Saving
from firmware_bridge.pages.texts import say_all
from firmware_bridge.saved.archive import file_name, save
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.works import Wanted, Work


class WorkWanted(Entry):
    """The referee's PIN, and what is to be done with the board."""

    work: Work


async def board(request: Request) -> Response:
    """Return the page that asks what is to be done, and says what is not set up or away."""
    context = context_of(request)
    return sheet(
        request,
        "board.html",
        works=context.works,
        entry="work",
        away=say_all(context.controller.link, say_to(request)),
        reached=is_reached(request),
        friends=context.friends,
    )


async def work(request: Request, wanted: WorkWanted) -> Response:
    """Let the service end for this; its address then shows the walk, and the games afterwards."""
    context = context_of(request)
    judge_pin(request, "board", wanted.key)
    controller = context.controller
    rest = {game.id for game in await controller.archive.adjourned()}
    goes_on = controller.view().begun and controller.game_id not in rest
    if goes_on or context.leave_for is None:
        raise HTTPException(409, "board-in-use")
    if wanted.work not in context.works:
        raise HTTPException(404, "not-found")
    going = Wanted(wanted.work, context.language(request))
    context.leave_for(going)
    return with_cookie(done(), "workshop", going.ticket, max_age=None)


async def saving(request: Request) -> Response:
    """Return the page that asks for the PIN, and whether keys are wanted."""
    return sheet(request, "saved.html", entry="save")


async def everything(request: Request, wanted: Saving) -> Response:
    """Everything of this board as one file, for whoever knows the PIN."""
    context = context_of(request)
    judge_pin(request, "save", wanted.key)
    if await _is_anything_hidden(context.controller):
        raise HTTPException(409, "save-secret")
    folder = TemporaryDirectory()
    file = Path(folder.name) / file_name()
    try:
        await asyncio.to_thread(save, context.config, file, keys=wanted.keys)
    except (OSError, StorageFailed, FriendsUnreadable) as error:
        folder.cleanup()
        raise HTTPException(503, str(error)) from error
    return FileResponse(file, filename=file.name, background=BackgroundTask(folder.cleanup))


async def _is_anything_hidden(controller: Controller) -> bool:
    """Return whether a game, on the table or laid aside, hides something that players must not see.

    What is hidden of a computer's pieces, or from somebody far away, is drawn before the set-up.
    """
    view = controller.view()
    begun = view.phase != "waiting" or view.commitments or view.away
    here = [controller.agreement] if begun and view.phase != "over" else []
    rest = [Agreement.from_data(game.agreement) for game in await controller.archive.adjourned()]
    return any(agreement.terms().secret for agreement in (*here, *rest))


async def versions(request: Request) -> Response:
    """Return the page of versions."""
    context = context_of(request)
    stands = standing(context.config.updates)
    language = context.language(request)

    def told(texts: Mapping[str, str]) -> str:
        return texts.get(language) or texts.get("en", "")

    return sheet(
        request,
        "update.html",
        running=version("firmware-bridge"),
        told=told(stands.told),
        fetched=told(stands.fetched),
        offered=told(stands.offered),
        notes=told(stands.notes),
        possible=stands.possible,
        wished=stands.wished,
        entry="update",
    )


async def install(request: Request, entry: Entry) -> Response:
    """Put in place what is offered, for whoever knows the PIN."""
    return await _wished(request, entry, "install")


async def now(request: Request, entry: Entry) -> Response:
    """Let an update that waits begin although a game goes on, for whoever knows the PIN."""
    return await _wished(request, entry, "now")


async def back(request: Request, entry: Entry) -> Response:
    """Let the version before run again, for whoever knows the PIN."""
    return await _wished(request, entry, "back")


async def _wished(request: Request, entry: Entry, what: Wish) -> Response:
    updates = context_of(request).config.updates
    judge_pin(request, "update", entry.key)
    if what not in standing(updates).possible:
        raise HTTPException(409, "no-update")
    try:
        wish(updates, what)
    except OSError as error:
        raise HTTPException(503, f"{error.strerror}: {updates.wishes}") from error
    return done()


async def kiosk_state(request: Request) -> Response:
    """Return whether this is a kiosk, and whether it was left: its full screen ends then."""
    context = context_of(request)
    return JSONResponse({"kiosk": context.kiosk, "left": context.kiosk_left})


async def wake(request: Request, _: Nothing) -> Response:
    """End the show: somebody touched the screen."""
    context_of(request).controller.wake()
    return done()


async def leave_kiosk(request: Request, entry: Entry) -> Response:
    """Leave kiosk mode until the service starts again, for whoever knows the PIN."""
    judge_pin(request, "kiosk", entry.key)
    if kiosk_manager := context_of(request).kiosk_manager:
        kiosk_manager.leave()
    return done()
