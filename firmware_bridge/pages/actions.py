"""What people do on the pages: sit down, press, answer, offer, resign, rule, begin.

Every handler takes JSON, checks it strictly, and hands one input to the controller.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.config.players import computers
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Call, Declare
from firmware_bridge.pages.clients import MACHINE, asks_from
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.offered import answered_at_board
from firmware_bridge.pages.requests import (
    ADJOURN,
    ANSWERS,
    DRAW,
    HINT,
    PAUSE,
    RESIGN,
    RESUME,
    TAKE_BACK,
    Action,
    Entry,
    NewGame,
    Nothing,
    Opponent,
    TableAction,
)
from firmware_bridge.pages.texts import Say, speaking
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.referee.penalties import kinds
from firmware_bridge.service.challenge import exchange, exchangeable, may_join, sit_down
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.views import Announcement
from firmware_bridge.words import MissingWords
from rules.interface import Game, Side
from rules.values import opponent

_LOG = logging.getLogger(__name__)
_YEAR = 365 * 24 * 3600  # seconds: a phone keeps its seat's cookie between club evenings
NOT_TAKEN = {"refused-answer", "answer-refused"}
"""What is announced when an answer is not what the board shows."""


async def enter_as_referee(request: Request, entry: Entry) -> Response:
    """Let in whoever knows the PIN, until the browser is closed; the log names every try."""
    judge_pin(request, "referee", entry.key)
    return with_cookie(done(), "referee", context_of(request).keys.referee(), max_age=None)


async def leave_as_referee(request: Request, _: Nothing) -> Response:
    """Let the referee's page be closed to this browser."""
    context_of(request).keys.forget_referee(request.cookies)
    response = done()
    response.delete_cookie("referee", httponly=True, samesite="strict")
    return response


def judge_pin(request: Request, purpose: str, pin: str) -> None:
    """Refuse a wrong PIN, and whoever tries too often; the log names every try."""
    context, address = context_of(request), _address(request)
    status = context.keys.judge_pin(context.visitor(request.scope), pin)
    if status == 429:
        context.controller.metrics.refused.labels("pin").inc()
        if context.refusals.is_news(f"{purpose} {address}"):
            _LOG.warning("%s: too many tries from %s", purpose, address)
        raise HTTPException(429, "too-many", headers={"Retry-After": "30"})
    if status == 403:
        _LOG.warning("%s: wrong PIN from %s", purpose, address)
        raise HTTPException(403, "wrong-key")
    _LOG.warning("%s: entered from %s", purpose, address)


async def play(request: Request, action: Action) -> Response:
    """Do what a player may do from his seat."""
    if action.call is not None and CALLS[_known(action.call)].by == "arbiter":
        raise HTTPException(403, "referee-only")
    return await _do(request, action, side_of(request))


async def rule(request: Request, action: Action) -> Response:
    """Do what the referee may do: everything, for either side."""
    if action.call is not None:
        _LOG.warning("referee: %s from %s", _known(action.call), _address(request))
    return await _do(request, action, action.side)


async def _do(request: Request, action: TableAction, side: Side | None) -> Response:
    """Hand it to the controller; if it cannot be done now, tell why, and nobody else."""
    context = context_of(request)
    item = _input(action, side, context.controller.now(), context.controller.agreement.game)
    hold_kept(request)
    refusal = context.controller.objection(item)
    if refusal is not None:
        raise Unable(refusal, Announcement(refusal), _trouble(context, refusal, item))
    for said in await context.controller.submit(item):
        if isinstance(item, Answer) and said.key in NOT_TAKEN:
            raise Unable(said.key, Announcement(said.key, said.words))
    return taken(request)


def _trouble(context: AppContext, refusal: str, item: Call | Answer | Declare) -> str:
    """Return what exactly is wrong with what was sent, where there is more to say."""
    if not isinstance(item, Call):
        return ""
    if refusal == "refused-position":
        return _position_trouble(context.controller.agreement.terms().game, item.data["position"])
    if refusal == "refused-details":
        return f"{item.what}: {', '.join(f'data.{name}' for name in CALLS[item.what].data)}"
    return ""


def _position_trouble(game: Game, text: str) -> str:
    try:
        game.parse(text)
    except rules.InvalidPosition as error:
        said = str(error)
        return f"{said[:1].upper()}{said[1:].rstrip('.')}."
    return ""


async def may_touch(_: Request) -> Response:
    """Answer 200 to whoever may touch the table: somebody at the machine, or the referee."""
    return JSONResponse({})


async def at_table(request: Request, action: TableAction) -> Response:
    """Answer what is asked of all, or declare, at the screen beside the board."""
    controller = context_of(request).controller
    view = controller.view()
    if action.answer is not None and action.answer not in {one.text for one in view.question}:
        raise HTTPException(409, "not-asked")
    if action.call is None:
        return await _do(request, action, view.to_act)
    calls = {
        HINT: (True, view.to_act),
        TAKE_BACK: (view.against_computer, view.to_act),
        RESIGN: (view.begun, view.leaver),  # of a game that is over it can come too late
        **dict.fromkeys((PAUSE, RESUME), (view.begun, None)),
        **dict.fromkeys((ADJOURN, DRAW), (view.away is not None, view.leaver)),
        **dict.fromkeys(ANSWERS, (answered_at_board(view), view.offered)),
    }
    if action.call not in calls:
        raise HTTPException(400, f"call: beside the board it takes {', '.join(calls)}")
    may, side = calls[action.call]
    if not may:
        raise HTTPException(409, "not-asked")
    return await _do(request, action, side)


async def begin(request: Request, wanted: NewGame) -> Response:
    """Begin another game, if this board can carry it."""
    await context_of(request).controller.begin(agreed_in(request, wanted))
    return taken(request)


async def rematch(request: Request, _: Nothing) -> Response:
    """Begin another game of the same players with the colours exchanged."""
    hold_kept(request)
    controller = context_of(request).controller
    if controller.view().phase != "over":
        raise HTTPException(409, "not-over")
    friends = context_of(request).friends
    if controller.agreement.away is not None:
        if friends is not None:
            await friends.games.propose_rematch()
        return taken(request)
    await controller.begin(await controller.rematch())
    return taken(request)


async def play_computer(request: Request, wanted: Opponent) -> Response:
    """Let a computer take the empty seat, or another opponent the seat of the one there is."""
    hold_kept(request)
    mine = side_of(request) if "side" in request.path_params else None
    level = wanted.level
    controller = context_of(request).controller
    view = controller.view()
    if level is not None:
        exchanged = exchangeable(view, mine)
        if exchanged is None:
            raise HTTPException(409, "not-alone")
        await exchange(controller, exchanged, level)
        return taken(request)
    side = opponent(mine) if mine else "black"
    occupied = side in view.seated or (view.phase == "playing" and side != view.to_act)
    if occupied or not may_join(view, controller.description):
        raise HTTPException(409, "not-alone")
    await sit_down(controller, side)
    return taken(request)


async def check(request: Request, wanted: NewGame) -> Response:
    """Tell whether a game could begin so, without beginning it, and how it is understood."""
    settings = agreed_in(request, wanted).settings
    return JSONResponse({"time": settings.time, "penalty": settings.penalty})


def agreed_in(request: Request, wanted: NewGame) -> Agreement:
    """Return what was agreed before a game; refuse what cannot be played here."""
    try:
        agreed = wanted.agreement(context_of(request).config.language)
    except (rules.UnknownGame, BadSetting) as error:
        wrong = _typed_wrongly(wanted, say_to(request))
        message = " ".join(wrong.values()) or str(error)
        raise Unable("bad-agreement", message, status=400, fields=[*wrong]) from None
    hold_carried(request, agreed)
    return agreed


def hold_carried(request: Request, agreed: Agreement) -> None:
    """Refuse a game that this board cannot carry."""
    if why_not := obstacles(context_of(request).controller.description, agreed.terms().game):
        raise Unable("board-cannot", *why_not)


def _typed_wrongly(wanted: NewGame, say: Say) -> dict[str, str]:
    """Return what is wrong with what the set-up page lets people type, by the name of the field.

    Of time and penalty it is told in the reader's language.
    """
    wrong = {}
    for name in ("time", "penalty"):
        value = wanted.settings.get(name)
        if value is None:
            continue
        try:
            GameSettings.of({name: value})
        except BadSetting:
            forms = ", ".join(say(f"penalty-form-{kind.kind}") for kind in kinds())
            gaps = {"forms": forms} if name == "penalty" else {}
            wrong[name] = say(f"bad-setting-{name}", value=str(value), **gaps)
    for side, player in wanted.players.items():
        try:
            computers({side: player})
        except BadSetting as error:
            wrong[side] = str(error)
    return wrong


def context_of(request: Request) -> AppContext:
    """Return the context that this server works for."""
    context: AppContext = request.app.state.context
    return context


def say_to(request: Request, game: str | None = None) -> Say:
    """Return what speaks the reader's language, in the words of a game, or of that on the table."""
    context = context_of(request)
    return speaking(context.language(request), game or context.controller.agreement.game)


def side_of(request: Request) -> Side:
    """Return the side that the address names."""
    return "white" if request.path_params["side"] == "white" else "black"


def has_seat(request: Request, side: Side) -> bool:
    """Whether this browser holds this seat."""
    return context_of(request).seat_of(request.cookies) == side


def sees_all(request: Request) -> bool:
    """Whether this is the referee; if so, the journal of the game keeps a trace of it."""
    context = context_of(request)
    known = is_referee(request)
    if known:
        context.controller.referee_opened(_address(request))
    return known


def is_host(request: Request) -> bool:
    """Whether this is the referee, or somebody at the machine itself and not behind a proxy."""
    return is_referee(request) or is_at_machine(request)


def is_referee(request: Request) -> bool:
    """Whether this is the referee."""
    return context_of(request).keys.is_referee(request.cookies)


def is_at_machine(request: Request) -> bool:
    """Whether somebody at the machine itself asks, and not behind a proxy."""
    return asks_from(request.scope) == MACHINE


def _known(call: str) -> str:
    if call not in CALLS:
        raise HTTPException(400, f"call: there is no {call!r}; there are {', '.join(CALLS)}")
    return call


def _input(action: TableAction, side: Side | None, t: float, game: str) -> Call | Answer | Declare:
    if action.answer is not None:
        return Answer(t, action.answer, side)
    if action.declare is not None:
        return Declare(t, _declarable(action.declare, game), side)
    call = _known(action.call or "")
    data = action.data if isinstance(action, Action) else {}
    wanted = set(CALLS[call].data)
    if set(data) - wanted:
        raise HTTPException(400, f"data: {call} takes {', '.join(sorted(wanted)) or 'nothing'}")
    return Call(t, call, side, data)


def _declarable(what: str, game: str) -> str:
    known = metadata.of(game).declarations
    if what not in known:
        takes = f"it takes {', '.join(known)}" if known else "in this game nothing is declared"
        raise HTTPException(400, f"declare: {game} knows no {what!r}; {takes}")
    return what


def done() -> Response:
    """Answer that it has taken effect."""
    return JSONResponse({"done": True}, status_code=202)


def taken(request: Request) -> Response:
    """Answer that it has taken effect on the table, unless nothing can be kept there."""
    hold_kept(request)
    return done()


def hold_kept(request: Request) -> None:
    """Refuse what would have to be kept while that cannot be."""
    if context_of(request).controller.view().phase == "storage-failed":
        raise HTTPException(503, "storage-failed")


class Unable(HTTPException):
    """Something cannot be done, for reasons that are not always the same.

    Args:
        error: what is wrong, for programs.
        why: the same for people, sentence after sentence; a text is told as it is.
        status: of the answer.
        fields: the names of the fields that were filled in wrongly.
    """

    def __init__(
        self,
        error: str,
        *why: Announcement | str,
        status: int = 409,
        fields: Sequence[str] = (),
    ) -> None:
        super().__init__(status, error)
        self.why, self.fields = why, fields


def problem(request: Request, error: HTTPException) -> Response:
    """Answer a refusal in the reader's language: what is wrong, and what to do about it."""
    say = say_to(request)
    body: dict[str, object] = {"error": error.detail}
    if isinstance(error, Unable):
        told = (one if isinstance(one, str) else say(one.key, **one.words) for one in error.why)
        body |= {"message": " ".join(filter(None, told))}
        body |= {"fields": error.fields} if error.fields else {}
    else:
        with contextlib.suppress(MissingWords):  # of a sentence, which says it all
            body["message"] = say(f"refusal-{error.detail}")
    return JSONResponse(body, status_code=error.status_code, headers=error.headers)


def with_cookie(
    response: Response, name: str, value: str, *, max_age: int | None = _YEAR
) -> Response:
    """Give a key to whoever asks; return the response."""
    response.set_cookie(name, value, max_age=max_age, httponly=True, samesite="strict")
    return response


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
