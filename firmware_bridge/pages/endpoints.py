"""The HTTP interface for programs, the pages' own scripts among them: what is found where.

Whatever stands here is served (`app.py`) and described (`openapi.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from pydantic import BaseModel
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_bridge.pages import (
    actions,
    attract,
    board,
    distance,
    game_analysis,
    game_review,
    past_games,
    phone_seats,
    puzzles,
    saving,
    updates,
)
from firmware_bridge.pages.actions import context_of, require_referee, require_seat, side_of
from firmware_bridge.pages.requests import (
    Action,
    Entry,
    HandOver,
    NewGame,
    Nothing,
    Opponent,
    Saving,
    TableAction,
)
from firmware_bridge.pages.stream import stream
from firmware_bridge.service.view_feed import Reader

Handler = Callable[[Request], Awaitable[Response]]

SEATS, REFEREE = ("seat-white", "seat-black"), ("referee",)


class OneOf(StringConvertor):
    """Lets addresses name one of these, and nothing else in its place."""

    def __init__(self, *values: str) -> None:
        self.values = values
        self.regex = "|".join(values)  # type: ignore[misc] # Starlette reads it from the instance


register_url_convertor("side", OneOf("white", "black"))
register_url_convertor("export", OneOf(*past_games.FORMS))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address; what its handler says of itself is what programs are told.

    Attributes:
        path: the address below `/api/v1`, with Starlette's gaps.
        handler: what answers.
        body: what is sent; `None` where something is read.
        keys: the cookies of which one is needed; none where everyone may ask.
        kinds: the media types of what is read.
        query: what may stand behind the address.
        done: the status of success.
    """

    path: str
    handler: Handler
    body: type[BaseModel] | None = None
    keys: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("application/json",)
    query: tuple[str, ...] = ()
    done: int = 202

    @property
    def route(self) -> Route:
        """Return where Starlette finds it."""
        return Route(f"/api/v1{self.path}", self.handler, methods=["POST" if self.body else "GET"])


def _everyone(_: Request) -> Reader:
    return "public"


def _player(request: Request) -> Reader:
    require_seat(request, side := side_of(request))
    return side


def _referee(request: Request) -> Reader:
    require_referee(request)
    return "referee"


async def _export(request: Request) -> Response:
    """Give the game on the table out, secrets included."""
    require_referee(request)
    controller = context_of(request).controller
    kind = request.path_params["kind"]
    return await past_games.exported(controller.whole_game, controller, controller.game_id, kind)


def _sight(
    path: str, reader_of: Callable[[Request], Reader], what: str, keys: tuple[str, ...] = ()
) -> Iterator[Endpoint]:
    """Yield where one reader's scene is found, once and at every change."""

    async def state(request: Request) -> Response:
        context = context_of(request)
        text = context.scene_text(reader_of(request), context.language(request))
        return Response(text, media_type="application/json")

    async def events(request: Request) -> Response:
        def still() -> bool:
            """A new game, and another phone in the seat, make its key void."""
            with suppress(HTTPException):
                return bool(reader_of(request))
            return False

        return stream(request, context_of(request), reader_of(request), still)

    state.__doc__, events.__doc__ = what, f"{what} at every change, and beats"
    yield Endpoint(f"{path}/state", state, None, keys, query=("language",))
    query = ("language", "after")
    yield Endpoint(f"{path}/events", events, None, keys, ("text/event-stream",), query)


_SEAT = "/seat/{side:side}"
ENDPOINTS = (
    *_sight("", _everyone, "The public scene"),
    Endpoint("/kiosk", attract.state),
    Endpoint("/kiosk/wake", attract.wake, Nothing),
    Endpoint("/kiosk/leave", attract.leave, Entry),
    Endpoint("/table", actions.may_touch, None, REFEREE),
    Endpoint("/table/actions", actions.at_table, TableAction, REFEREE),
    Endpoint("/game", actions.begin, NewGame, REFEREE),
    Endpoint("/game/rematch", actions.rematch, Nothing, REFEREE),
    Endpoint("/game/computer", actions.play_computer, Opponent, REFEREE),
    Endpoint("/game/puzzle", puzzles.begin, puzzles.Chosen, REFEREE),
    Endpoint("/game/check", actions.check, NewGame, REFEREE, done=200),
    Endpoint("/games", past_games.listed, query=("player", "game", "date")),
    Endpoint(
        "/games/{game_id}.{kind:export}", past_games.export, kinds=(*past_games.FORMS.values(),)
    ),
    Endpoint("/games/{game_id}/delete", past_games.delete, Entry),
    Endpoint("/games/{game_id}/analysis", game_analysis.look, game_analysis.Looked),
    Endpoint("/games/{game_id}/analysis/state", game_analysis.state, query=("language",)),
    Endpoint("/games/{game_id}/review", game_review.ask, Nothing),
    Endpoint("/games/{game_id}/review/state", game_review.state, query=("language",)),
    Endpoint("/games/{game_id}/take-up", past_games.take_up, Nothing, REFEREE),
    Endpoint(_SEAT, phone_seats.sit_down, Entry),
    Endpoint(f"{_SEAT}/hand-over", phone_seats.hand_over, HandOver, SEATS),
    Endpoint(f"{_SEAT}/leave", phone_seats.leave, Nothing, (*SEATS, *REFEREE)),
    *_sight(_SEAT, _player, "The scene as this player may see it", SEATS),
    Endpoint(f"{_SEAT}/actions", actions.play, Action, SEATS),
    Endpoint(f"{_SEAT}/rematch", actions.rematch_from_seat, Nothing, SEATS),
    Endpoint(f"{_SEAT}/computer", actions.play_computer_from_seat, Opponent, SEATS),
    Endpoint("/distance", distance.state, None, REFEREE, query=("language",)),
    Endpoint("/distance/invite", distance.invite, Nothing, REFEREE),
    Endpoint("/distance/join", distance.join, distance.Words, REFEREE),
    Endpoint("/distance/forget", distance.forget, distance.Parting, REFEREE),
    Endpoint("/distance/propose", distance.propose, distance.Wanted, REFEREE),
    Endpoint("/distance/answer", distance.answer, distance.Reply, REFEREE),
    Endpoint("/update/install", updates.install, Entry),
    Endpoint("/board/work", board.begin, board.WorkWanted),
    Endpoint("/update/now", updates.now, Entry),
    Endpoint("/update/back", updates.back, Entry),
    Endpoint("/save", saving.everything, Saving, (), ("application/zip",), done=200),
    Endpoint("/referee", actions.enter_as_referee, Entry),
    Endpoint("/referee/leave", actions.leave_as_referee, Nothing, REFEREE),
    *_sight("/referee", _referee, "Everything", REFEREE),
    Endpoint("/referee/actions", actions.rule, Action, REFEREE),
    Endpoint(
        "/referee/export.{kind:export}", _export, None, REFEREE, (*past_games.FORMS.values(),)
    ),
)
