"""What pages fetch besides themselves: scripts, styles, the drawings of pieces."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import NotModifiedResponse

from drivers.signals import SIGNALS, Pattern
from drivers.simulator.wording import PAGE
from firmware_bridge.pages.looks import emblems, looks_css
from firmware_bridge.pages.templating import FOLDER

DRAWINGS = "/static/pieces.svg"
_SHARED = ("pieces.svg", "sound.js", "tokens.css", "text.woff2", "display.woff2", "icon.svg")
"""Files of the simulated board, so that all pages look and sound the same."""
_OF_EVERY_PAGE = ("look.css", "board.css")
_KEPT = {"Cache-Control": "no-cache"}
"""Browsers keep it and ask each time whether it is still true, so that an update changes all."""


def fixtures() -> list[BaseRoute]:
    """Return the routes to everything that no page makes for itself."""
    files = (*map(PAGE.joinpath, _SHARED), *(FOLDER / "static").iterdir())
    return [
        Route("/static/signals.css", _made(signals_css)),
        Route("/static/looks.css", _made(looks_css)),
        Route("/static/sheet.css", _made(sheet_css)),
        Route("/static/emblems.svg", _made(emblems, "image/svg+xml")),
        *(Route(f"/static/{file.name}", _made(file.read_bytes, _kind(file))) for file in files),
    ]


def sheet_css() -> str:
    """Return every page's sheets as one: a page is painted only when the last one has come."""
    own = ((FOLDER / "static" / name).read_text(encoding="utf-8") for name in _OF_EVERY_PAGE)
    tokens = (PAGE / "tokens.css").read_text(encoding="utf-8")
    return "\n".join((tokens, looks_css(), *own, signals_css()))


def _kind(file: Path) -> str:
    return guess_type(file)[0] or "application/octet-stream"


def _made(
    make: Callable[[], str | bytes], media_type: str = "text/css"
) -> Callable[[Request], Awaitable[Response]]:
    """Give a style sheet, a drawing or a file; to a browser that has it, word that it is true."""

    async def give(request: Request) -> Response:
        whole = Response(make(), media_type=media_type, headers=_KEPT)
        whole.headers["ETag"] = f'"{sha256(whole.body).hexdigest()}"'
        if request.headers.get("If-None-Match") == whole.headers["ETag"]:
            return NotModifiedResponse(whole.headers)
        return whole

    return give


_MOTION: dict[Pattern, str] = {
    "steady": "none",
    "steady-dim": "none",
    "slow-blink": "slow-blink 1.6s infinite",
    "fast-blink": "fast-blink 0.4s infinite",
    "double-blink": "double-blink 1.6s infinite",
    "triple-blink": "triple-blink 2s infinite",
    "slow-pulse": "slow-pulse 2s ease-in-out infinite",
    "chase": "chase 1.2s linear infinite",
}
_DASH: dict[Pattern, str] = {
    "steady": "none",
    "steady-dim": "none",
    "slow-blink": "26 14",
    "fast-blink": "10 10",
    "double-blink": "34 8 8 8",
    "triple-blink": "30 6 6 6 6 6",
    "slow-pulse": "none",
    "chase": "24 12",
}
"""A pattern must also tell signals apart for those who have motion switched off."""


def signals_css() -> str:
    """Return the style sheet that gives every signal its colour, motion and outline."""
    rules = []
    for signal in SIGNALS.values():
        red, green, blue = signal.colour
        dim = "--signal-strength: 0.55;" if signal.pattern == "steady-dim" else ""
        rules.append(
            f".{signal.id} {{ --signal: rgb({red} {green} {blue}); "
            f"--signal-motion: {_MOTION[signal.pattern]}; "
            f"--signal-dash: {_DASH[signal.pattern]}; "
            f"--signal-border: {'solid' if _DASH[signal.pattern] == 'none' else 'dashed'}; {dim} }}"
        )
    return "\n".join(rules) + "\n"
