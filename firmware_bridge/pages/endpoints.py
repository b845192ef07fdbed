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
    distance,
    game_analysis,
    game_review,
    maintenance,
    past_games,
    phone_seats,
    puzzles,
)
from firmware_bridge.pages.actions import (
    context_of,
    has_seat,
    is_host,
    is_referee,
    sees_all,
    side_of,
)
from firmware_bridge.pages.requests import (
    Action,
    Entry,
    HandOver,
    NewGame,
    Nothing,
    Opponent,
    Saving,
    TableAction,
    read,
)
from firmware_bridge.pages.stream import stream
from firmware_bridge.service.view_feed import Reader

Handler = Callable[..., Awaitable[Response]]

SEATS, REFEREES = ("seat-white", "seat-black"), ("referee",)


@dataclass(frozen=True, slots=True)
class Who:
    """Who may use an address.

    Attributes:
        keys: the cookies of which one is needed, as programs are told; none where all may.
        admit: refuses everybody else, and returns whose view is shown.
    """

    keys: tuple[str, ...]
    admit: Callable[[Request], Reader]


def _everyone(_: Request) -> Reader:
    return "public"


def _player(request: Request) -> Reader:
    side = side_of(request)
    if not has_seat(request, side):
        raise HTTPException(403, "no-seat")
    return side


def _referee(request: Request) -> Reader:
    if not sees_all(request):
        raise HTTPException(403, "no-referee")
    return "referee"


def _host(request: Request) -> Reader:
    if not is_host(request):
        raise HTTPException(403, "no-referee")
    return "public"


EVERYONE, PLAYER = Who((), _everyone), Who(SEATS, _player)
REFEREE, HOST = Who(REFEREES, _referee), Who(REFEREES, _host)
LEAVER = Who((*SEATS, *REFEREES), lambda asks: "public" if is_referee(asks) else _player(asks))
FRIEND = Who(REFEREES, lambda asks: (_referee if context_of(asks).kiosk else _host)(asks))
"""Who brings friends far away to the board: in a kiosk the referee alone."""


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
        handler: what answers whoever is admitted, and is given what was sent.
        body: what is sent; `None` where something is read.
        who: who may ask; what needs the PIN asks for it itself.
        kinds: the media types of what is read.
        query: what may stand behind the address.
        done: the status of success.
    """

    path: str
    handler: Handler
    body: type[BaseModel] | None = None
    who: Who = EVERYONE
    kinds: tuple[str, ...] = ("application/json",)
    query: tuple[str, ...] = ()
    done: int = 202

    @property
    def route(self) -> Route:
        """Return where Starlette finds it."""

        async def answer(request: Request) -> Response:
            self.who.admit(request)
            sent = [await read(request, self.body)] if self.body else []
            return await self.handler(request, *sent)

        return Route(f"/api/v1{self.path}", answer, methods=["POST" if self.body else "GET"])


async def _export(request: Request) -> Response:
    """Give the game on the table out, secrets included."""
    controller = context_of(request).controller
    kind = request.path_params["kind"]
    return await past_games.exported(controller.whole_game, controller, controller.game_id, kind)


def _sight(path: str, who: Who, what: str) -> Iterator[Endpoint]:
    """Yield where one reader's scene is found, once and at every change."""

    async def state(request: Request) -> Response:
        context = context_of(request)
        text = context.scene_text(who.admit(request), context.language(request))
        return Response(text, media_type="application/json")

    async def events(request: Request) -> Response:
        def still() -> bool:
            """A new game, and another phone in the seat, make its key void."""
            with suppress(HTTPException):
                return bool(who.admit(request))
            return False

        return stream(request, context_of(request), who.admit(request), still)

    state.__doc__, events.__doc__ = what, f"{what} at every change, and beats"
    yield Endpoint(f"{path}/state", state, None, who, query=("language",))
    query = ("language", "after")
    yield Endpoint(f"{path}/events", events, None, who, ("text/event-stream",), query)


_SEAT = "/seat/{side:side}"
ENDPOINTS = (
    *_sight("", EVERYONE, "The public scene"),
    Endpoint("/kiosk", maintenance.kiosk_state),
    Endpoint("/kiosk/wake", maintenance.wake, Nothing, HOST),
    Endpoint("/kiosk/leave", maintenance.leave_kiosk, Entry),
    Endpoint("/table", actions.may_touch, None, HOST),
    Endpoint("/table/actions", actions.at_table, TableAction, HOST),
    Endpoint("/game", actions.begin, NewGame, HOST),
    Endpoint("/game/rematch", actions.rematch, Nothing, HOST),
    Endpoint("/game/computer", actions.play_computer, Opponent, HOST),
    Endpoint("/game/puzzle", puzzles.begin, puzzles.Chosen, HOST),
    Endpoint("/game/check", actions.check, NewGame, HOST, done=200),
    Endpoint("/games", past_games.listed, query=("player", "game", "date")),
    Endpoint(
        "/games/{game_id}.{kind:export}", past_games.export, kinds=(*past_games.FORMS.values(),)
    ),
    Endpoint("/games/{game_id}/delete", past_games.delete, Entry),
    Endpoint("/games/{game_id}/analysis", game_analysis.look, game_analysis.Looked),
    Endpoint("/games/{game_id}/analysis/state", game_analysis.state, query=("language",)),
    Endpoint("/games/{game_id}/review", game_review.ask, Nothing),
    Endpoint("/games/{game_id}/review/state", game_review.state, query=("language",)),
    Endpoint("/games/{game_id}/take-up", past_games.take_up, Nothing, HOST),
    Endpoint(_SEAT, phone_seats.sit_down, Entry),
    Endpoint(f"{_SEAT}/hand-over", phone_seats.hand_over, HandOver, PLAYER),
    Endpoint(f"{_SEAT}/leave", phone_seats.leave, Nothing, LEAVER),
    *_sight(_SEAT, PLAYER, "The scene as this player may see it"),
    Endpoint(f"{_SEAT}/actions", actions.play, Action, PLAYER),
    Endpoint(f"{_SEAT}/rematch", actions.rematch, Nothing, PLAYER),
    Endpoint(f"{_SEAT}/computer", actions.play_computer, Opponent, PLAYER),
    Endpoint("/distance", distance.state, None, FRIEND, query=("language",)),
    Endpoint("/distance/invite", distance.invite, Nothing, FRIEND),
    Endpoint("/distance/join", distance.join, distance.Words, FRIEND),
    Endpoint("/distance/forget", distance.forget, distance.Parting, FRIEND),
    Endpoint("/distance/propose", distance.propose, distance.Wanted, FRIEND),
    Endpoint("/distance/answer", distance.answer, distance.Reply, FRIEND),
    Endpoint("/update/install", maintenance.install, Entry),
    Endpoint("/board/work", maintenance.work, maintenance.WorkWanted),
    Endpoint("/update/now", maintenance.now, Entry),
    Endpoint("/update/back", maintenance.back, Entry),
    Endpoint("/save", maintenance.everything, Saving, kinds=("application/zip",), done=200),
    Endpoint("/referee", actions.enter_as_referee, Entry),
    Endpoint("/referee/leave", actions.leave_as_referee, Nothing, REFEREE),
    *_sight("/referee", REFEREE, "Everything"),
    Endpoint("/referee/actions", actions.rule, Action, REFEREE),
    Endpoint(
        "/referee/export.{kind:export}", _export, None, REFEREE, (*past_games.FORMS.values(),)
    ),
)
