"""Puzzles: a game's positions to choose from, and one of them begun on the board."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import rules
from firmware_bridge import puzzles
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.games.shelf import usable
from firmware_bridge.pages.actions import context_of, hold_carried, is_host, say_to, taken
from firmware_bridge.pages.forms import after_begin, sheet
from firmware_bridge.pages.requests import Body
from firmware_bridge.pages.view_model import open_pieces
from firmware_bridge.service.compatibility import obstacles


class Chosen(Body):
    """The puzzle that is to be solved."""

    puzzle: Annotated[str, Field(max_length=60)]


async def index(request: Request) -> Response:
    """Return a game's puzzles, each with its position; nothing of a game under way is used."""
    name = request.path_params["game"]
    found = puzzles.of(name) if name in usable() else ()
    if not found:
        raise HTTPException(404)
    game, say = rules.load(name), say_to(request, name)
    why_not = obstacles(context_of(request).controller.description, game)
    return sheet(
        request,
        "puzzles.html",
        shown_game=name,
        name=say("name"),
        secret=game.traits.owners_secret,
        host=is_host(request),
        why_not=[say(reason.key, **reason.words) for reason in why_not],
        after=after_begin(request),
        puzzles=[
            {
                "id": puzzle.id,
                "goal": say(puzzle.goal),
                "scene": {
                    **open_pieces(game.parse(puzzle.position)),
                    "described": say(puzzle.goal),
                },
            }
            for puzzle in found
        ],
    )


async def begin(request: Request, chosen: Chosen) -> Response:
    """Begin a puzzle on the board: its lights and words say where the pieces stand."""
    context = context_of(request)
    controller = context.controller
    try:
        puzzle = puzzles.find(chosen.puzzle)
    except KeyError:
        raise HTTPException(404, "no-puzzle") from None
    buttons = {"white", "black"} <= set(controller.description.button_names)
    settings = GameSettings.of({"language": context.config.language, "time": "untimed"})
    agreed = Agreement.to_solve(puzzle, settings, buttons=buttons)
    hold_carried(request, agreed)
    await controller.begin(agreed)
    return taken(request)
