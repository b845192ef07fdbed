"""How fair the games are: what came out when computers of one level played them against themselves.

The figures are measured (`docs/laboratory.md`), and come with the package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.games.shelf import usable
from firmware_bridge.pages.actions import context_of
from firmware_bridge.pages.agreed import unusual
from firmware_bridge.pages.forms import sheet
from firmware_bridge.pages.texts import Say, speaking


async def index(request: Request) -> Response:
    """Return what is known of each game, the usual options first."""
    language = context_of(request).language(request)
    measured = _measured()
    games = [
        _game(game, measured[game], speaking(language, game))
        for game in usable()
        if game in measured
    ]
    return sheet(request, "balance.html", games=games)


@cache
def _measured() -> Mapping[str, Any]:
    """Return the measurements by game, as `docs/laboratory_tables.py` writes them."""
    text = files("firmware_bridge.games").joinpath("balance.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def _game(game: str, findings: Sequence[Mapping[str, Any]], say: Say) -> dict[str, Any]:
    rows = [_row(finding, say) for finding in findings]
    return {"id": game, "name": say("name"), "usual": rows[0], "others": rows[1:]}


def _row(finding: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """Return one set of options in words, and White's share for a picture, all in whole numbers."""
    odd = [
        say(f"page-odd-{kind}", number=f"{count:.0f}")
        for kind, count in finding["odd"].items()
        if count >= 1
    ]
    named = unusual(json.loads(finding["options"]), say)
    share, within = round(100 * finding["share"]), round(100 * finding["within"])
    return {
        "share": share,
        "ends": (max(0, share - within), min(100, share + within)),
        "options": " · ".join(named) or say("page-balance-usual"),
        "white": say("page-balance-share", share=str(share), within=str(within)),
        "decided": say("page-balance-percent", share=f"{100 * finding['decided']:.0f}"),
        "turns": f"{finding['length'] / 2:.0f}",
        "games": str(finding["games"]),
        "odd": " · ".join(odd),
    }
