"""The pages as first sent: everything readable is in the HTML already, scripts keep it alive."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

import rules
from drivers.simulator.guard import LOOPBACK
from firmware_bridge import puzzles
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.games import metadata
from firmware_bridge.games.shelf import usable
from firmware_bridge.journal import Summary
from firmware_bridge.messages.records import PhoneSeat
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.pages.actions import (
    context_of,
    has_seat,
    is_host,
    problem,
    say_to,
    sees_all,
    side_of,
    with_cookie,
)
from firmware_bridge.pages.agreed import in_words
from firmware_bridge.pages.assets import DRAWINGS
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.game_search import here
from firmware_bridge.pages.languages import keep, offered
from firmware_bridge.pages.looks import picture
from firmware_bridge.pages.templating import ENVIRONMENT
from firmware_bridge.pages.texts import Say
from firmware_bridge.pages.view_model import code_of, named_players
from firmware_bridge.service.compatibility import obstacles, questions
from firmware_bridge.service.view_feed import Reader
from firmware_bridge.words import Catalogue, catalogue, direction
from rules.interface import Game, Side
from rules.values import opponent

PLACES = (("/", "page-display"), ("/setup", "page-setup"), ("/learn", "page-learn"),
          ("/games", "page-games"), ("/referee", "page-referee"))  # fmt: skip

USUAL = {
    "time": ("3+2", "5+3", "10", "15+10", "30", "45", "90+30", "untimed"),
    "penalty": ("none", "1m", "2m", "5m"),
}
"""What most people agree on."""

TABLE_RULES = (
    "touch_move", "take_backs", "record", "practice", "coach", "lift_for_hint", "sealed", "quiet",
)  # fmt: skip
"""Settings of a game that are agreed by a tick, in their order."""


async def display(request: Request) -> Response:
    """Return the display; at the machine itself it takes answers too."""
    scene, sound = _scene(request, "public"), context_of(request).config.sound
    host, reached = is_host(request), is_reached(request)
    return sheet(request, "display.html", scene=scene, host=host, sound=sound, reached=reached)


def is_reached(request: Request) -> bool:
    """Return whether phones reach these pages: not where they are this machine's alone."""
    return urlsplit(public_base(request)).hostname not in LOOPBACK


async def play(request: Request) -> Response:
    """Return a player's page, or the question for the key."""
    context, side = context_of(request), side_of(request)
    seated = has_seat(request, side)
    other = opponent(side)
    kept = side if context.controller.agreement.joined else other
    if not seated and _sat_before(request, side, kept):
        key = context.keys.phone(context.controller.game_id, kept, claims=1)
        return with_cookie(RedirectResponse(f"/play/{kept}", 303), f"seat-{kept}", key)
    scene = _scene(request, side) if seated else None
    secret = context.controller.agreement.terms().secret
    return sheet(request, "play.html", scene=scene, side=side, other=other, secret=secret)


def _sat_before(request: Request, side: Side, kept: Side) -> bool:
    """Whether this phone had a side's seat in the game before, and so has `kept` in this one."""
    context = context_of(request)
    agreement, seats = context.controller.agreement, context.controller.seats
    before = PhoneSeat(agreement.seats.get(kept, 0), seats[kept] == PhoneSeat(1, taken=True))
    return context.keys.holds_seat(request.cookies, agreement.rematch_of, side, before)


async def referee(request: Request) -> Response:
    """Return the referee's page, or the question for the PIN."""
    scene = _scene(request, "referee") if sees_all(request) else None
    orthodox = context_of(request).controller.agreement.terms().game.traits.orthodox
    return sheet(request, "referee.html", scene=scene, entry="referee", orthodox=orthodox)


async def kiosk(request: Request) -> Response:
    """Return the way out of kiosk mode."""
    return sheet(request, "kiosk.html", entry="kiosk", left=context_of(request).kiosk_left)


async def set_up(request: Request) -> Response:
    """Return the set-up page: the games, what this board can carry, and the keys of the seats."""
    context = context_of(request)
    host = is_host(request)
    base = public_base(request)
    language = context.language(request)
    say = say_to(request)
    agreement = context.controller.agreement
    # Whom a puzzle is played against nobody has chosen.
    seated = {} if agreement.puzzle else agreement.computers
    adjourned = await context.controller.archive.adjourned()
    leds = context.controller.description.leds
    games = _games(context, language)
    learnt = request.query_params.get("game")
    playable = {game["id"] for game in games if not game["why_not"]}
    return sheet(
        request,
        "setup.html",
        games=games,
        current=learnt if learnt in playable else agreement.game,
        seated=seated,
        level_shown=max(seated.values(), default=LEVELS[0]),
        board=context.controller.description,
        lights=f"page-lights-{leds.colours}" if leds else "page-lights-none",
        adjourned=[_adjourned(game, language, say) for game in adjourned],
        host=host,
        after=after_begin(request),
        sure="page-begin-sure-days" if agreement.terms().in_days else "page-begin-sure",
        levels=LEVELS,
        table_rules=TABLE_RULES,
        usual={name: [in_words(value, say) for value in values] for name, values in USUAL.items()},
        seats=_seats(context, base) if host else (),
        reached=is_reached(request),
    )


def after_begin(request: Request) -> str:
    """Return where a page leads when a game has begun on it: where it was opened from."""
    at_board = request.query_params.get("at") == "board"
    return (at_board and board_page(request)) or "/"


def board_page(request: Request) -> str:
    """Return where the board has a page of its own, in the reader's language; empty if it has none.

    It is another server, which is told the language and does not remember it.
    """
    context = context_of(request)
    address = context.config.pages.board_page
    if address.startswith(":"):  # the same machine, by whatever name it is known here
        here = request.url.replace(scheme="http", port=int(address[1:]), path="/", query="")
        address = str(here)
    return f"{address}?language={context.language(request)}" if address else ""


async def refusal(request: Request, error: Exception) -> Response:
    """Answer what went wrong: as a page to a browser's window, as JSON to everything else."""
    if not isinstance(error, HTTPException):
        raise error
    if "text/html" not in request.headers.get("accept", ""):
        return problem(request, error)
    status = error.status_code if error.status_code in {403, 404, 409, 429, 500, 503} else 404
    response = sheet(request, "problem.html", status=status)
    response.status_code = error.status_code
    return response


def public_base(request: Request) -> str:
    """Return the address under which a phone in the room reaches these pages."""
    asked = request.url
    if asked.hostname not in LOOPBACK:
        return f"{asked.scheme}://{asked.netloc}"
    if context_of(request).config.pages.host in LOOPBACK:
        return f"{asked.scheme}://{asked.netloc}"
    return f"{asked.scheme}://{own_address()}:{asked.port or 80}"


def own_address() -> str:
    """Return this machine's address in the local network, else its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only chooses the way out.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return f"{socket.gethostname()}.local"


def sheet(
    request: Request,
    template: str,
    *,
    shown_game: str = "",
    **values: Any,  # noqa: ANN401
) -> HTMLResponse:
    """Return a page made from a template, in the reader's language.

    It has the colours of `shown_game`, or of the game on the table.
    """
    context = context_of(request)
    language = context.language(request)
    text = ENVIRONMENT.get_template(template).render(
        language=language,
        direction=direction(language),
        languages=offered(request),
        home=f"/?language={context.config.language}",
        kiosk=context.kiosk,
        drawings=DRAWINGS,
        shown_game=shown_game or context.controller.agreement.game,
        places=_places(request),
        here=request.url.path,
        say=say_to(request),
        **values,
    )
    return keep(request, HTMLResponse(text), language)


def _places(request: Request) -> tuple[tuple[str, str], ...]:
    """Return where the pages lead: addresses, and the keys of their names."""
    board = board_page(request)
    return ((board, "page-board-page"), *PLACES) if board else PLACES


def _scene(request: Request, reader: Reader) -> dict[str, Any]:
    context = context_of(request)
    scene: dict[str, Any] = json.loads(context.scene_text(reader, context.language(request)))
    return scene


def _games(context: AppContext, language: str) -> list[dict[str, Any]]:
    board = context.controller.description
    say = context.say(language)
    games = []
    for game in (rules.load(name) for name in usable()):
        own = catalogue(language, game.id)
        games.append(
            {
                **card(game.id, own.text),
                "why_not": [say(reason.key, **reason.words) for reason in obstacles(board, game)],
                "sealed": Agreement(game.id).terms(board.tier).sealed,
                "own_time": metadata.of(game.id).defaults.time,
                "time": _own_value(metadata.of(game.id).defaults.time, say),
                "penalty": _own_value(metadata.of(game.id).defaults.penalty, say),
                "asks": [say(f"asks-{key}") for key in questions(board, game)],
                "options": options(game, language),
                "rules": table_rules(game),
            }
        )
    return games


def table_rules(game: Game) -> list[str]:
    """Return which of `TABLE_RULES` mean something in a game."""
    traits = game.traits
    secret = traits.records_forbidden or traits.owners_secret
    idle = {"take_backs", "coach"} if secret else {"record", "sealed"}
    if traits.owners_secret:
        idle.add("record")
    return [name for name in TABLE_RULES if name not in idle]


def card(game: str, text: Callable[[str], str]) -> dict[str, Any]:
    """Return what is shown of a game wherever one is chosen."""
    return {
        "id": game,
        "name": text("name"),
        "parts": text("name-parts"),
        "line": text("tagline"),
        "picture": picture(game),
        "puzzles": bool(puzzles.of(game)),
    }


def _adjourned(game: Summary, language: str, say: Say) -> dict[str, Any]:
    """Return an adjourned game as the set-up page lists it."""
    agreement = Agreement.from_data(game.agreement)
    return {
        "id": game.id,
        "begun": here(game.begun),
        "name": catalogue(language, agreement.game).text("name"),
        "players": list(named_players(agreement, say).values()),
    }


def _own_value(value: str, say: Say) -> str:
    return say("page-own-value", value=in_words(value, say))


def options(game: Game, language: str) -> list[dict[str, Any]]:
    """Return the options of a game as forms show them."""
    own = catalogue(language, game.id)
    return [_option(game, name, own) for name in game.allowed]


def _option(game: Game, name: str, own: Catalogue) -> dict[str, Any]:
    values = game.allowed[name]
    numbers = isinstance(values, range)
    return {
        "name": name,
        "label": own.text(f"option-{name}"),
        "switch": all(isinstance(value, bool) for value in values),
        "kind": type(values[0]).__name__,
        "ends": (values[0], values[-1]) if numbers else None,
        "values": []
        if numbers
        else [(value, own.texts.get(str(value), str(value))) for value in values],
        "value": values[0],
    }


def _seats(context: AppContext, base: str) -> list[dict[str, str]]:
    """Return the seats of people; those that are free with the code that opens them."""
    seats: list[dict[str, str]] = []
    for side, seat in context.controller.seats.items():
        if side in context.controller.agreement.elsewhere:
            continue
        if seat.taken:
            seats.append({"side": side})
            continue
        key = context.keys.seat(context.controller.game_id, side, seat.claims)
        # The key stands in the fragment, which browsers never send: no log can hold it.
        address = f"{base}/play/{side}#key={key}"
        code = code_of(address).svg_data_uri(border=2, omitsize=True)  # as wide as its place
        seats.append({"side": side, "address": address, "code": code})
    return seats
