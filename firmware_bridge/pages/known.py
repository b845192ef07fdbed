"""What the computer in a seat was told of a game that is over, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import RedirectResponse, Response

from firmware_bridge.pages.actions import context_of
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.past_games import NEWEST, newest, story_of
from firmware_bridge.pages.texts import speaking
from firmware_bridge.pages.view_model import named_players
from firmware_bridge.service.computer_players import seating, weakened
from firmware_bridge.service.opponent import lines
from firmware_bridge.views import Attempted, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from firmware_bridge.pages.texts import Say
    from firmware_bridge.recordings.export import Story
    from firmware_bridge.views import Told
    from rules.belief import Seen
    from rules.interface import Side


async def known(request: Request) -> Response:
    """Return every line that a computer was told, each in words too."""
    game_id = request.path_params["game_id"]
    if game_id == NEWEST:
        return RedirectResponse(f"/games/{await newest(request)}/known?{request.url.query}")
    story = await story_of(request, game_id)
    agreement = story.agreement
    say = speaking(context_of(request).language(request), agreement.game)
    players = named_players(agreement, say)
    seats = []
    for side in agreement.computers:
        rows = list(seatings(game_id, story, side, say))
        briefing = told(story.state, story.records, side)
        movers = [played.side for played in story.state.played]
        own = (mover == side for mover in movers)
        entries = zip(in_words(briefing, own, say), lines(briefing), strict=True)
        seat: dict[str, Any] = {
            "side": side,
            "who": say(f"side-{side}"),
            "name": players[side],
            "told": [*rows, *entries],
        }
        seats.append(seat)
    return sheet(request, "known.html", id=game_id, name=say("name"), seats=seats)


def seatings(game_id: str, story: Story, side: Side, say: Say) -> Iterator[tuple[str, str]]:
    """Yield what the processes of a seat were told before the game."""
    usual = seating(game_id, story.agreement, story.state.commitments, side)
    yield say("page-known-seated"), "\n".join(usual.lines())
    turns = story.state.weakened.get(side)
    if turns is not None:
        told = say("page-known-weakened", number=str(turns))
        yield told, "\n".join(weakened(usual).lines())


def in_words(briefing: Told, own: Iterator[bool], say: Say) -> Iterator[str]:
    """Yield a sentence for each line that a seat was told; see `service.opponent.lines`.

    Args:
        briefing: what it was told.
        own: for each turn, whether it was its own.
        say: the words of the game.
    """
    yield say("page-known-start")
    for event in briefing.events:
        if isinstance(event, Attempted):
            yield say("page-known-ruled", move=event.move)
        else:
            yield _turn(event, say, own=next(own))


def _turn(event: Seen, say: Say, *, own: bool) -> str:
    text = say("page-known-own" if own else "page-known-seen", turn=event.turn)
    if not event.revealed:
        return text
    pieces = ", ".join(f"{square} {label}".strip() for square, label in event.revealed)
    return f"{text} {say('page-known-shown', pieces=pieces)}"
