"""What a computer thinks of a position of a game that is over, in words and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.opponents.protocol import SURE, WON, Judgement
from firmware_bridge.pages.actions import Unable, context_of, done, say_to
from firmware_bridge.pages.game_review import known_in_words
from firmware_bridge.pages.past_games import frame, open_game
from firmware_bridge.pages.requests import Body
from firmware_bridge.pages.texts import Say
from firmware_bridge.pages.view_model import ViewModel, movements
from firmware_bridge.service.analyst import Spot, Thought
from firmware_bridge.service.review import asked_at, expected
from firmware_bridge.views import Announcement
from firmware_bridge.views.advised import moves_of
from rules.interface import IllegalTurn, Position, Turn

_SHOWN = 6
"""Turns of a line that are told."""


class Looked(Body):
    """The position that is looked at: so many turns into the game, and turns tried from there."""

    number: Annotated[int, Field(ge=0, le=100_000)]
    branch: Annotated[list[Annotated[str, Field(max_length=400)]], Field(max_length=60)]


async def look(request: Request, looked: Looked) -> Response:
    """Have a position of a game thought about, with what the side to act could know of it."""
    context, game_id = context_of(request), request.path_params["game_id"]
    recorded = await open_game(request, game_id)
    analyst = context.controller.analyst
    if not analyst.allowed:
        raise Unable("game-under-way", Announcement("page-analysis-forbidden"))
    number = min(looked.number, len(recorded.state.played))
    try:
        question = asked_at(recorded, number, looked.branch)
    except IllegalTurn:
        raise Unable("illegal", Announcement("page-analysis-illegal")) from None
    analyst.look(Spot(game_id, number, tuple(looked.branch)), recorded.agreement, question)
    return done()


async def state(request: Request) -> Response:
    """Tell what is thought of the position that was asked for last, so far."""
    context, game_id = context_of(request), request.path_params["game_id"]
    recorded = await open_game(request, game_id)
    say = say_to(request, recorded.agreement.game)
    found = context.controller.analyst.current(game_id)
    if found is None or not context.controller.analyst.allowed:
        return JSONResponse({"goes_on": False, "message": say("page-analysis-forbidden")})
    spot, thought = found
    where = {"number": spot.number, "branch": list(spot.branch)}
    return JSONResponse({**where, **told(thought, say)})


def told(thought: Thought, say: Say) -> ViewModel:
    """Return what is thought so far, in words and arrows."""
    position, judged = thought.question.position, thought.judgements
    best = judged[0] if judged else None
    shown = frame(position, {}, "", None, say)
    if best is None:
        return {"goes_on": thought.goes_on, "message": _message(thought, say), "frame": shown}
    chance = expected(best.score)
    white = chance if position.side == "white" else 1 - chance
    return {
        "goes_on": thought.goes_on,
        "message": say("page-analysis-depth", depth=str(best.depth), nodes=f"{best.nodes:,}"),
        "chance": round(100 * white),
        "told": say("page-analysis-chance", chance=f"{100 * white:.0f}"),
        "lines": [_line(position, one, say) for one in judged],
        "known": known_in_words(thought.known, say) if thought.known else [],
        "frame": {**shown, "advised": _arrows(position, judged)},
    }


def _message(thought: Thought, say: Say) -> str:
    if thought.failed:
        return say("page-analysis-failed")
    return say("page-analysis-begins" if thought.goes_on else "page-analysis-over")


def _line(position: Position, judgement: Judgement, say: Say) -> ViewModel:
    made = _made(position, judgement.line[:_SHOWN])
    words = " ".join(say.lettered(before.written(turn)) for before, turn in made)
    return {
        "score": _score(judgement.score, position),
        "text": words,
        "turns": [str(turn) for _, turn in made],
    }


def _made(position: Position, line: Sequence[str]) -> list[tuple[Position, Turn]]:
    """Return the turns of a line that can be made; what was expected in another world cannot."""
    made: list[tuple[Position, Turn]] = []
    for text in line:
        try:
            turn = position.parse_turn(text)
        except IllegalTurn:
            break
        made.append((position, turn))
        position = position.play(turn)
        if position.outcome is not None:
            break
    return made


def _score(score: int, position: Position) -> str:
    """Return a score as chess players write it: for White, in pawns, wins in turns."""
    white = score if position.side == "white" else -score
    if abs(score) > SURE:
        return f"{'-' if white < 0 else ''}#{(WON + 1 - abs(score)) // 2}"
    return f"{white / 100:+.1f}"


def _arrows(position: Position, judged: Sequence[Judgement]) -> list[ViewModel]:
    arrows: list[ViewModel] = []
    for one in judged:
        for before, turn in _made(position, one.line[:1]):
            arrows += [arrow for arrow in movements(moves_of(before, turn)) if arrow not in arrows]
    return arrows
