"""What others published of a game, to be gone through turn by turn."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import rules
from firmware_bridge.games import metadata
from firmware_bridge.games.data_file import Classic
from firmware_bridge.games.shelf import usable
from firmware_bridge.pages.actions import context_of, say_to
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.past_games import frame, turn_frame
from firmware_bridge.pages.texts import Say, told_in
from firmware_bridge.pages.view_model import ViewModel
from rules.interface import Game


async def page(request: Request) -> Response:
    """Return one of the games and compositions that were published."""
    game, number = request.path_params["game"], request.path_params["number"]
    classics = metadata.of(game).classics if game in usable() else ()
    if not 0 < number <= len(classics):
        raise HTTPException(404, "There is no such game.")
    language = context_of(request).language(request)
    say, classic = say_to(request, game), classics[number - 1]
    return sheet(
        request,
        "classic.html",
        shown_game=game,
        game=game,
        name=say("name"),
        title=told_in(classic.title, language),
        by=classic.by,
        source=classic.source,
        others=[told_in(one.title, language) for one in classics],
        number=number,
        frames=list(_frames(rules.load(game), classic, say)),
    )


def _frames(game: Game, classic: Classic, say: Say) -> Iterator[ViewModel]:
    yield frame(classic.position_in(game), {}, "", None, say)
    for before, turn in classic.made(game):
        yield turn_frame(before, turn, before.play(turn), say)
