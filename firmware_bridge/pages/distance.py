"""The page of friends far away: inviting, joining, proposing a game, accepting one."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, Any

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import rules
from drivers.description import BoardDescription
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.friends import FriendsUnreadable
from firmware_bridge.distance.invitation import NotWords
from firmware_bridge.distance.sentences import Sentence
from firmware_bridge.games.shelf import usable
from firmware_bridge.pages.actions import Unable, agreed_in, context_of, done, say_to
from firmware_bridge.pages.agreed import in_words, unusual
from firmware_bridge.pages.forms import USUAL, options, sheet
from firmware_bridge.pages.requests import Body, NewGame, Nothing
from firmware_bridge.pages.texts import Say, speaking
from firmware_bridge.pages.view_model import code
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.friends_desk import FriendsDesk
from firmware_bridge.service.proposals import CannotBe, Proposal
from firmware_bridge.views import Announcement
from firmware_bridge.words import catalogue

DAYS = "1d a turn", "3d a turn", "7d a turn"
"""What friends who play over days agree on."""


class Words(Body):
    """The words that a friend's board shows."""

    words: Annotated[str, Field(max_length=100)]


class Wanted(NewGame):
    """A game that is proposed to a friend: with whom, and which side is ours."""

    friend: Annotated[str, Field(max_length=60)]
    side: rules.Side


class Parting(Body):
    """A friend with whom the friendship is to end."""

    friend: Annotated[str, Field(max_length=60)]


class Reply(Body):
    """What is said to a proposal: yes or no; no to one of our own withdraws it."""

    line: Annotated[str, Field(max_length=32)]
    accepts: bool


async def page(request: Request) -> Response:
    """Return the page of friends far away."""
    context, say = context_of(request), say_to(request)
    friends, language = context.friends, context.language(request)
    return sheet(
        request,
        "distance.html",
        set=bool(friends and not friends.missing),
        current=context.controller.agreement.game,
        games=_games(context.controller.description, language),
        times={time: in_words(time, say) for time in (*USUAL["time"], *DAYS)},
    )


async def state(request: Request) -> Response:
    """Friends, invitations and proposals."""
    desk, context, say = _desk(request), context_of(request), say_to(request)
    language = context.language(request)
    words = f"page-distance-{desk.pairing}" if desk.pairing else ""
    spent, what = desk.spent, desk.told
    if desk.pairing == "failed" and spent:
        what = say(spent.key, **spent.words)
    return JSONResponse(
        {
            "line": context.controller.kept.agreement.line,
            "friends": sorted(desk.games.lines),
            "words": desk.words,
            "code": code(desk.words, scale=4, light="#fff") if desk.words else "",
            "pairing": desk.pairing,
            "told": say(words, what=what) if words else "",
            "proposals": [
                _told(one, say, language, arrived=desk.games.has_arrived(one))
                for one in desk.games.proposals()
            ],
        }
    )


async def invite(request: Request, _: Nothing) -> Response:
    """Show four words for a friend to enter at another board."""
    _desk(request).invite()
    return done()


async def join(request: Request, words: Words) -> Response:
    """Enter the words that a friend's board shows."""
    try:
        _desk(request).join(words.words)
    except NotWords as why:
        raise _unable(why) from None
    return done()


async def forget(request: Request, parting: Parting) -> Response:
    """End a friendship: its keys are deleted, and what comes is not read."""
    try:
        parted = await _desk(request).forget(parting.friend)
    except (FriendsUnreadable, OSError):
        raise HTTPException(503, "storage-failed") from None
    if not parted:
        raise _unable(CannotBe("distance-no-friend", name=parting.friend))
    return done()


async def propose(request: Request, wanted: Wanted) -> Response:
    """Propose a game to a friend; it begins when he accepts."""
    games, agreed = _desk(request).games, agreed_in(request, wanted)
    return await _written(games.propose(wanted.friend, wanted.side, agreed))


async def answer(request: Request, reply: Reply) -> Response:
    """Accept a friend's proposal, so that the game begins, or decline it; or withdraw one's own."""
    return await _written(_desk(request).games.answer(reply.line, accepts=reply.accepts))


def _games(board: BoardDescription, language: str) -> list[dict[str, Any]]:
    """Return the games that this board can play with somebody far away."""
    found = (rules.load(name) for name in usable())
    return [
        {
            "id": game.id,
            "name": catalogue(language, game.id).text("name"),
            "options": options(game, language),
        }
        for game in found
        if not obstacles(board, game)
    ]


def _desk(request: Request) -> FriendsDesk:
    """Return who exchanges letters with friends.

    Raises:
        HTTPException: no broker is named that would carry them, or the extra is missing.
    """
    desk = context_of(request).friends
    if desk is None:
        raise HTTPException(409, "no-distance")
    if desk.missing:
        raise HTTPException(409, "no-distance-extra")
    return desk


async def _written(writing: Awaitable[object]) -> Response:
    """Have a letter written, or tell why it cannot be."""
    try:
        await writing
    except Refused:
        raise HTTPException(409, "distance-letter") from None
    except CannotBe as why:
        raise _unable(why) from None
    return done()


def _unable(why: Sentence) -> Unable:
    return Unable("distance", Announcement(why.key, why.words))


def _told(proposal: Proposal, say: Say, language: str, *, arrived: bool) -> dict[str, object]:
    """Return a proposal as a sentence, and what may be said to it."""
    agreed = proposal.agreement
    own = speaking(language, agreed.game)
    game = agreed.terms().game
    words = {
        "name": proposal.friend,
        "game": " · ".join((own("name"), *unusual(game.chosen, own))),
        "side": f"side-{proposal.side}",
        "time": in_words(str(agreed.terms().control), say),
    }
    text = say("page-distance-ours" if proposal.ours else "page-distance-theirs", **words)
    waits = "" if arrived else " " + say("page-distance-waits", name=proposal.friend)
    return {"line": proposal.line, "ours": proposal.ours, "text": text + waits}
