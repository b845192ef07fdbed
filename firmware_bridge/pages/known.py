"""What the computer in a seat was told in a game that is over, line by line, as it was kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.messages.records import Record
from firmware_bridge.pages.actions import say_to
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.past_games import NEWEST, at_newest, recorded_of
from firmware_bridge.pages.texts import Say
from firmware_bridge.pages.view_model import named_players
from rules.interface import Side

_SEATED = "page-known-seated"
_WORDS: Mapping[str, str] = {
    "> uci": _SEATED,
    "> setoption": _SEATED,
    "> ucinewgame": "page-known-anew",
    "> position": "page-known-start",
    "> seen": "page-known-seen",
    "> ruled": "page-known-ruled",
    "> go": "page-known-asked",
    "< bestmove": "page-known-named",
}
"""How each kind of line begins, and what it is called in the word catalogue."""


async def known(request: Request) -> Response:
    """Return every line that went through a computer's pipe, each in words too."""
    game_id = request.path_params["game_id"]
    if game_id == NEWEST:
        return await at_newest(request, "/known")
    recorded = await recorded_of(request, game_id)
    agreement = recorded.agreement
    say = say_to(request, agreement.game)
    players = named_players(agreement, say)
    seats: list[dict[str, Any]] = [
        {
            "side": side,
            "who": say(f"side-{side}"),
            "name": players[side],
            "told": list(in_words(kept(recorded.records, side), say)),
        }
        for side in agreement.computers
    ]
    return sheet(request, "known.html", id=game_id, name=say("name"), seats=seats)


def kept(records: Iterable[Record], side: Side) -> Iterator[str]:
    """Yield the lines that went through the pipe of a side's computer."""
    for record in records:
        if record.kind == "piped" and record.data["side"] == side:
            yield from cast("list[str]", record.data["lines"])


def in_words(lines: Iterable[str], say: Say) -> Iterator[tuple[str, str]]:
    """Yield a sentence for each line, or for lines that say one thing together, and the lines."""
    for key, group in groupby(lines, key=_word):
        found = list(group)
        for text in ["\n".join(found)] if key == _SEATED else found:
            yield _sentence(key, text, say), text


def _word(line: str) -> str:
    return _WORDS.get(" ".join(line.split(" ", 2)[:2]), "page-known-else")


def _sentence(key: str, line: str, say: Say) -> str:
    told = line.partition(" ")[2].partition(" ")[2]
    if key != "page-known-seen":
        return say(key, turn=told)
    seen = json.loads(told)
    text = say(key, turn=seen["turn"])
    if not seen["revealed"]:
        return text
    pieces = ", ".join(f"{square} {label}".strip() for square, label in seen["revealed"])
    return f"{text} {say('page-known-shown', pieces=pieces)}"
