"""Games that are over: a list of them, each to be replayed turn by turn and given out.

What players had to remember is open here, so nothing is told of a game that is not over yet.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import Any

from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.games.shelf import usable
from firmware_bridge.journal import Summary
from firmware_bridge.messages.records import Record
from firmware_bridge.pages.actions import context_of, done, judge_pin, say_to, taken
from firmware_bridge.pages.forms import public_base, sheet
from firmware_bridge.pages.game_search import Search, days, here
from firmware_bridge.pages.history import told
from firmware_bridge.pages.requests import Entry, Nothing
from firmware_bridge.pages.texts import Say, speaking, texts
from firmware_bridge.pages.view_model import (
    ViewModel,
    code_of,
    named_players,
    open_pieces,
    result_told,
    unpromised,
)
from firmware_bridge.puzzles import LESSON
from firmware_bridge.recordings.export import (
    GameSoFar,
    RecordedGame,
    to_json,
    to_pgn,
    to_recording,
)
from firmware_bridge.referee import promised_dice
from firmware_bridge.referee.game_state import State
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.demonstration import lights_of
from firmware_bridge.service.game_archive import MOST
from firmware_bridge.views.course import lines
from rules.interface import Outcome, Position, Turn
from rules.values import SIDES

FORMS = {
    "json": "application/json",
    "pgn": "application/x-chess-pgn",
    "jsonl": "application/jsonl",
}
"""The forms in which a game is given out: with all there is to it, for people, as it was felt."""
NOW = "now"
"""Stands in an address for the game on the table, while it is practised."""
NEWEST = "newest"
"""Stands in an address for the game that ended last."""
_TOLD = {"attempt", "hinted", "ruled", "call", "kings", "flag", "ended", "taken-back"}
"""Records that tell the reader of a game more than its turns do."""
_TOLD_ANYWAY = {"press", "roll", "start", "hint"}
"""Calls that every turn or game needs, or that what comes of them tells."""


async def index(request: Request) -> Response:
    """Return the list as a page."""
    context = context_of(request)
    language = context.language(request)
    search = Search.of(request.query_params)
    every = await _games(request)
    found = search.among(every)
    return sheet(
        request,
        "games.html",
        search=search,
        days=days(every),
        practised=context.controller.analyst.practised is not None,
        count=len(found),
        games=[_entry(game, language) for game in found[:MOST]],
        records=search.records(found),
        known=[(game, texts(language, game).text("name")) for game in usable()],
    )


async def listed(request: Request) -> Response:
    """Return the games that are over as JSON, the newest first."""
    search = Search.of(request.query_params)
    games = search.among(await _games(request))[:MOST]
    return JSONResponse(
        [
            {"id": game.id, "begun": game.begun, **game.agreement, "outcome": game.last or None}
            for game in games
        ]
    )


async def _games(request: Request) -> list[Summary]:
    """Return all games that are over or were broken off; lessons on the board are none."""
    every = await context_of(request).controller.archive.every()
    return [game for game in every if LESSON not in str(game.agreement.get("puzzle"))]


async def replay(request: Request) -> Response:
    """Return a game to be gone through turn by turn."""
    game_id = request.path_params["game_id"]
    if game_id == NEWEST:
        return await at_newest(request)
    recorded = await open_game(request, game_id)
    say = say_to(request, recorded.agreement.game)
    return sheet(
        request,
        "replay.html",
        shown_game=recorded.agreement.game,
        id=game_id,
        over=game_id != NOW,
        name=say("name"),
        parts=say("name-parts"),
        players=named_players(recorded.agreement, say),
        hints={side: n for side in SIDES if (n := recorded.state.hints_given(side))},
        result=result_told(recorded.state.ending, say) if game_id != NOW else "",
        orthodox=recorded.state.position.game.traits.orthodox,
        felt=recorded.agreement.away is None
        and game_id in context_of(request).controller.recorders,
        frames=frames(recorded, say),
        computers=bool(recorded.agreement.computers),
        promised=_promised(recorded, say) if recorded.state.stage == "over" else [],
        signed=await context_of(request).controller.archive.signatures(recorded),
    )


async def code(request: Request) -> Response:
    """Return a picture that leads a phone which photographs it to a game that is over."""
    game_id = request.path_params["game_id"]
    await recorded_of(request, game_id)
    picture = BytesIO()
    address = f"{public_base(request)}/games/{game_id}"
    code_of(address).save(picture, kind="svg", scale=4, border=2, light="white")
    return Response(picture.getvalue(), media_type="image/svg+xml")


def _promised(recorded: GameSoFar, say: Say) -> list[ViewModel]:
    """Return what pieces hid at the start, and whether that is what was promised."""
    state = recorded.state
    if recorded.agreement.away:  # there both hosts were bound, and each has gone through the game
        lied, audited = state.audited, state.audited is not None
        told = say("distance-lied", why=lied) if lied else say("distance-audited")
        return [{"told": told}] if audited else []
    start = state.first
    promised = {r.data["side"]: r.data["sha256"] for r in recorded.records if r.kind == "committed"}
    tokens = recorded.agreement.terms().game.tokens
    return [
        *unpromised(tokens - state.commitments.keys(), say),
        *(
            {
                "told": say("page-opened", side=f"side-{side}"),
                "hash": promised[side],
                "check": made.command,
                "verdict": say(
                    "page-promised-right"
                    if made.digest == promised[side]
                    and made.pieces.items() <= start.placement.items()
                    and promised_dice.were_kept(state)
                    else "page-promised-wrong"
                ),
            }
            for side, made in state.commitments.items()
        ),
    ]


async def export(request: Request) -> Response:
    """Give a game out."""
    game_id, kind = request.path_params["game_id"], request.path_params["kind"]
    game = await recorded_of(request, game_id)
    return await exported(game, context_of(request).controller, game_id, kind)


async def delete(request: Request, entry: Entry) -> Response:
    """Forget a game that is over, for whoever knows the PIN."""
    context, game_id = context_of(request), request.path_params["game_id"]
    controller = context.controller
    judge_pin(request, f"delete {game_id}", entry.key)
    if game_id == controller.game_id:
        raise HTTPException(409, "on-the-table")
    try:
        line = await controller.archive.delete(game_id)
    except KeyError:
        raise HTTPException(404, "There is no such game.") from None
    if context.friends:
        context.friends.games.forget(line)
    controller.recorders.pop(game_id, None)
    controller.reviewer.forget(game_id)
    return done()


async def take_up(request: Request, _: Nothing) -> Response:
    """Go on with a game that was adjourned."""
    try:
        await context_of(request).controller.take_up(request.path_params["game_id"])
    except KeyError:
        raise HTTPException(404, "There is no such game that is adjourned.") from None
    return taken(request)


async def exported(game: GameSoFar, controller: Controller, game_id: str, kind: str) -> Response:
    """Answer with a game in one of the forms; refuse what players must still remember."""
    if kind == "json":
        told = to_json(game)
        if game.agreement.away:
            signed = await controller.archive.signatures(game)
            told["signatures"] = {one.side: one.to_data() for one in signed}
        text = json.dumps(told, ensure_ascii=False, sort_keys=True)
    elif kind == "pgn":
        text = to_pgn(game, date.fromisoformat(game_id[:8]).isoformat())
    elif recorder := controller.recorders.get(game_id):
        text = to_recording(game, recorder)
    else:
        raise HTTPException(404, "What the board felt is kept of the last two games alone.")
    return Response(text, media_type=FORMS[kind])


async def recorded_of(request: Request, game_id: str) -> RecordedGame:
    """Return a game that is over; refuse one that is not there, or not over."""
    try:
        return await context_of(request).controller.archive.recorded(game_id)
    except KeyError:
        raise HTTPException(404, "There is no such game.") from None


async def open_game(request: Request, game_id: str) -> GameSoFar:
    """Return a game that is over, or the one on the table that is practised and hides nothing."""
    table = context_of(request).controller.analyst.practised
    if game_id == NOW and table is not None:
        return table
    return await recorded_of(request, game_id)


async def at_newest(request: Request, page: str = "") -> Response:
    """Lead to a page of the game that ended last; to the list of games where none is over yet."""
    games = await context_of(request).controller.archive.finished()
    place = f"/{games[0].id}{page}" if games else ""
    return RedirectResponse(URL(path=f"/games{place}", query=request.url.query))


def _entry(game: Summary, language: str) -> dict[str, Any]:
    agreement = Agreement.from_data(game.agreement)
    say = speaking(language, agreement.game)
    ending = Outcome(game.last["winner"], game.last["reason"]) if game.last else None
    return {
        "id": game.id,
        "game": agreement.game,
        "begun": here(game.begun),
        "name": say("name"),
        "players": [
            (name, side in agreement.players)
            for side, name in named_players(agreement, say).items()
        ],
        "result": result_told(ending, say),
    }


def frames(recorded: GameSoFar, say: Say) -> list[ViewModel]:
    """Return what is to be seen before the first turn and after each, all pieces open."""
    state = recorded.state
    start = state.first
    steps = [frame(start, {}, "", None, say)]
    steps += [turn_frame(p.before, p.turn, after, say) for p, after in state.turns()]
    for number, text in _notes(state, recorded.records, say):
        steps[number]["notes"].append(text)
    return steps


def turn_frame(before: Position, turn: Turn, after: Position, say: Say) -> ViewModel:
    """Return what a turn led to, as it is to be seen."""
    lights = lights_of(before, turn, before.play(turn))
    return frame(after, lights, before.written(turn), before.side, say)


def frame(
    position: Position, lights: dict[str, str], written: str, side: str | None, say: Say
) -> ViewModel:
    """Return one position of a game that is over, with the turn that led there."""
    return {
        **open_pieces(position),
        "lights": lights,
        "turn": say.lettered(written),
        "side": side,
        "who": say(f"side-{side}") if side else "",
        "hands": [
            [say(f"side-{owner}"), say("page-in-hand", number=" ".join(one[1:] for one in hand))]
            for owner, hand in position.hands.items()
            if hand
        ],
        "notes": [],
    }


def _notes(state: State, records: tuple[Record, ...], say: Say) -> Iterator[tuple[int, str]]:
    """Yield what else happened, each with the number of the turn after which it did."""
    times = [played.t_ms for played in state.played]
    for line in lines(state, records):
        if line.kind in _TOLD and line.data.get("what") not in _TOLD_ANYWAY:
            yield bisect_right(times, line.t_ms), told(line, say)
