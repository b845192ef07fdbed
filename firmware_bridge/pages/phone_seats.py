"""The seats at phones: a code is good once, and whoever holds a seat decides who has it next.

A phone that has not heard yet that it got the seat gets it again.

Who shows a code that has been used asks for the seat: everyone is told, and the phone that holds
the seat agrees or keeps it. The one that asks goes on asking until then.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.messages import Seated
from firmware_bridge.pages.actions import (
    context_of,
    done,
    has_seat,
    problem,
    side_of,
    with_cookie,
)
from firmware_bridge.pages.clients import asks_from
from firmware_bridge.pages.keys import same
from firmware_bridge.pages.requests import Entry, HandOver, Nothing
from firmware_bridge.views import Announcement
from rules.interface import Side


async def sit_down(request: Request, entry: Entry) -> Response:
    """Give a seat to whoever shows its code; let who shows a used one ask for it."""
    context, side = context_of(request), side_of(request)
    async with context.waiting.lock:
        seat, keys, game = context.controller.seats[side], context.keys, context.controller.game_id
        # Unlike a PIN, a code cannot be guessed, so the right one need not be counted as a try.
        free = not seat.taken and side not in context.controller.agreement.elsewhere
        if free and same(entry.key, keys.seat(game, side, seat.claims)):
            return await _take(request, side)
        if not seat.taken or not keys.was_seat(entry.key, game, side, seat.claims):
            _count_try(request)
            raise HTTPException(403, "wrong-key")
        if has_seat(request, side):
            return done()
        again = context.waiting.waits_for(side, asks_from(request.scope))
        if again and same(entry.key, keys.seat(game, side, seat.claims - 1)):
            return _seated(request, side)
        return await _ask(request, side)


async def hand_over(request: Request, said: HandOver) -> Response:
    """Let the phone that holds a seat agree that the one which asks gets it, or keep it."""
    context, side = context_of(request), side_of(request)
    asking = context.waiting.for_seat(side)
    if asking is None or asking.agreed is not None:
        raise HTTPException(409, "nobody-asks")
    asking.agreed = said.agree
    if not said.agree:
        context.controller.notices.post(Announcement("seat-kept", {"side": f"side-{side}"}))
    return done()


async def leave(request: Request, _: Nothing) -> Response:
    """Let a player leave his seat, or the referee free it: a new code opens it again."""
    context, side = context_of(request), side_of(request)
    async with context.waiting.lock:
        if context.controller.seats[side].taken:
            await context.controller.submit(Seated(context.controller.now(), side, taken=False))
    response = done()
    response.delete_cookie(f"seat-{side}", httponly=True, samesite="strict")
    return response


async def _take(request: Request, side: Side) -> Response:
    """Give the seat; a browser has one, so that it leaves the other."""
    context = context_of(request)
    controller, held = context.controller, context.seat_of(request.cookies)
    if held and held != side:
        await controller.submit(Seated(controller.now(), held, taken=False))
    claims = controller.seats[side].claims + 1
    await controller.submit(Seated(controller.now(), side))
    if controller.seats[side].claims != claims:
        raise HTTPException(503, "storage-failed")
    context.waiting.give(side, asks_from(request.scope))
    return _seated(request, side)


def _seated(request: Request, side: Side) -> Response:
    """Return the answer that lets a phone hold the seat that it got."""
    context = context_of(request)
    controller, claims = context.controller, context.controller.seats[side].claims
    return with_cookie(done(), f"seat-{side}", context.keys.phone(controller.game_id, side, claims))


async def _ask(request: Request, side: Side) -> Response:
    context, cookie = context_of(request), f"asks-{side}"
    asking = context.waiting.for_seat(side)
    if asking is None:
        _count_try(request)
        asking = context.waiting.begin(side)
    elif not same(request.cookies.get(cookie, ""), asking.token):
        cookie = ""  # somebody else asks already
    if asking.agreed and cookie:
        context.waiting.end(side)
        return await _take(request, side)
    kept = asking.agreed is False
    error = HTTPException(403, "seat-kept") if kept else HTTPException(409, "seat-asked")
    refusal = problem(request, error)
    return with_cookie(refusal, cookie, asking.token, max_age=None) if cookie else refusal


def _count_try(request: Request) -> None:
    context = context_of(request)
    if not context.keys.may_try(context.visitor(request.scope)):
        raise HTTPException(429, "too-many", headers={"Retry-After": "30"})
