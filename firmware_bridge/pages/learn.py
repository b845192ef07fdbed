"""Learning a game: a few short screens, each with a board to try it on, and what others published.

Everything shown here begins from the position of the screen: nothing of a game under way is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

import rules
from firmware_bridge import puzzles
from firmware_bridge.games import metadata
from firmware_bridge.games.data_file import Classic, LearnScreen
from firmware_bridge.games.shelf import usable
from firmware_bridge.pages.actions import context_of, is_host, say_to
from firmware_bridge.pages.forms import board_page, card, sheet
from firmware_bridge.pages.past_games import frame, turn_frame
from firmware_bridge.pages.requests import Body, read
from firmware_bridge.pages.texts import Say, told_in
from firmware_bridge.pages.view_model import ViewModel, movements, show_pieces
from firmware_bridge.referee.remarks import told_deed
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.demonstration import lights_of, lights_of_marks
from firmware_bridge.views import Announcement, Move
from rules.interface import Game, Position, Turn

_Step = Annotated[str, Field(pattern=r"^([a-h][1-9]){1,2}$")]
"""What hands do at once: `e2e4` carries a piece; `e2` turns one over, touches it or brings it."""


class Try(Body):
    """One step, and those made before it; or what the screen asks for."""

    move: _Step | None = None
    made: list[_Step] = Field(default_factory=list, max_length=8)


async def index(request: Request) -> Response:
    """Return the games to choose from."""
    games = [
        {**card(game, say_to(request, game)), "classics": bool(metadata.of(game).classics)}
        for game in usable()
    ]
    return sheet(request, "learn_index.html", games=games)


async def first(request: Request) -> Response:
    """Lead on to a game's first screen."""
    game, _ = _screen(request, 1)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/learn/{game}/1{query}")


async def screen(request: Request) -> Response:
    """Return one screen."""
    number = request.path_params["number"]
    game, told = _screen(request, number)
    language = context_of(request).language(request)
    say = say_to(request, game)
    position = _position(game, told)
    task = _task(position, told)
    ways = {"arrow" if step[2:] else "ring" for step in task} if told.title else {"offence"}
    return sheet(
        request,
        "learn.html",
        shown_game=game,
        game=game,
        name=say("name"),
        title=told_in(told.title, language) if told.title else say("page-learn-why"),
        text=told_in(told.text, language) if told.text else say(f"why-{told.explains[0]}"),
        number=number,
        count=len(metadata.of(game).learn),
        shows=bool(task),
        task="page-learn-" + "-".join(["task", *sorted(ways)]),
        lesson=_on_the_board(request, game, number),
        after=board_page(request) or "/",
        scene=_scene(position, told, left=task),
    )


async def attempt(request: Request) -> Response:
    """Try a movement on the screen's board: what it leads to, or why it is not legal."""
    game, told = _screen(request, request.path_params["number"])
    tried = await read(request, Try)
    say = say_to(request, game)
    position = _position(game, told)
    task = _task(position, told)
    made = {*tried.made, *([tried.move] if tried.move else [])}
    if tried.move and made < task:
        text = say("page-learn-go-on")
        scene = _scene(position, told, made=made, left=task - made)
        return JSONResponse({"legal": True, "done": False, "text": text, "scene": scene})
    done = not tried.move or made == task
    well = say("page-learn-well") if made == task else ""  # who was shown it has done nothing
    try:
        turn = (
            position.parse_turn(told.turn or told.offence)
            if done
            else _turn(position, tried.move or "")
        )
        after = position.play(turn)
    except rules.IllegalTurn as error:
        text = say("illegal", reason=f"why-{error.reason}")
        scene = _scene(position, told, left=task)
        text = f"{well} {text}".lstrip()
        return JSONResponse({"legal": False, "done": done, "text": text, "scene": scene})
    made_so = say.aloud(Announcement("plays-unseen", {"deed": told_deed(position, turn)}))
    text = f"{well or say('page-learn-legal')} {made_so}"
    scene = {**_scene(after, told), "lights": lights_of(position, turn, after)}
    return JSONResponse({"legal": True, "done": done, "text": text, "scene": scene})


async def classic(request: Request) -> Response:
    """Return one of the games and compositions that were published."""
    game, number = request.path_params["game"], request.path_params["number"]
    classics = metadata.of(game).classics if game in usable() else ()
    if not 0 < number <= len(classics):
        raise HTTPException(404, "There is no such game.")
    language = context_of(request).language(request)
    say, told = say_to(request, game), classics[number - 1]
    return sheet(
        request,
        "classic.html",
        shown_game=game,
        game=game,
        name=say("name"),
        title=told_in(told.title, language),
        by=told.by,
        source=told.source,
        others=[told_in(one.title, language) for one in classics],
        number=number,
        frames=list(_classic_frames(rules.load(game), told, say)),
    )


def _classic_frames(game: Game, classic: Classic, say: Say) -> Iterator[ViewModel]:
    yield frame(classic.position_in(game), {}, "", None, say)
    for before, turn in classic.made(game):
        yield turn_frame(before, turn, before.play(turn), say)


def _on_the_board(request: Request, game: str, number: int) -> str:
    """Return the id of the lesson that the board can have instead; empty where it cannot."""
    description = context_of(request).controller.description
    if not is_host(request) or obstacles(description, rules.load(game)):
        return ""
    return next((one.id for one in puzzles.lessons(game) if one.lesson == number), "")


def _task(position: Position, told: LearnScreen) -> set[str]:
    """Return the steps of what a screen asks for, which may be against the rules."""
    if not told.turn:
        return {told.offence} if told.offence else set()
    deed = position.deed(position.parse_turn(told.turn))
    handled = {*deed.cleared, *(square for square, _ in (*deed.placed, *deed.flips))}
    handled |= {deed.touch} if deed.touch else set()
    return {source + target for source, target in deed.moves} | handled


def _screen(request: Request, number: int) -> tuple[str, LearnScreen]:
    game = request.path_params["game"]
    if game not in usable() or not 1 <= number <= len(metadata.screens(game)):
        raise HTTPException(404)
    return game, metadata.screens(game)[number - 1]


def _position(game: str, told: LearnScreen) -> Position:
    loaded = rules.load(game)
    return told.position_in(loaded)


def _turn(position: Position, move: str) -> Turn:
    """Return the plainest legal turn that carries a piece so; raise with the reason if none."""
    carried = (move[:2], move[2:])
    fitting = [turn for turn in position.turns() if carried in position.deed(turn).moves]
    if fitting:
        return min(fitting, key=lambda turn: (not turn.plain, len(str(turn)), str(turn)))
    return position.parse_turn(move)


def _scene(
    position: Position,
    told: LearnScreen,
    *,
    made: Iterable[str] = (),
    left: Iterable[str] = (),
) -> dict[str, Any]:
    """Return a position with some steps made, and what is still to be done pointed at."""
    shown = dict(position.shown)
    carried = {one[2:]: shown.pop(one[:2]) for one in made if one[2:]}
    handled = {one for one in made if not one[2:]}
    if handled:
        after = position.play(position.parse_turn(told.turn)).shown
        carried |= {square: after[square] for square in handled & after.keys()}
        shown = {square: piece for square, piece in shown.items() if square not in handled}
    return {
        **show_pieces(position.game, shown | carried),
        "lights": lights_of_marks(position),
        "advised": movements(Move(one[:2], one[-2:]) for one in sorted(left)),
    }
