"""The page from which the board is built, loaded, set up and taught, for whoever knows the PIN."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.pages.actions import context_of, done, judge_pin
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.requests import Entry
from firmware_bridge.service.works import Wanted, Work


class WorkWanted(Entry):
    """The referee's PIN, and what is to be done with the board."""

    work: Work


async def page(request: Request) -> Response:
    """Return the page that asks what is to be done."""
    return sheet(request, "board.html", works=context_of(request).works, entry="work")


async def begin(request: Request, wanted: WorkWanted) -> Response:
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
    response = done()
    response.set_cookie("workshop", going.ticket, httponly=True, samesite="strict")
    return response
