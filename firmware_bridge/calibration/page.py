"""The walk on a page: what the terminal shows, a picture of the board, and buttons to answer."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from drivers.beside import begin
from firmware_bridge.calibration.dialogue import say
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.pages.connections import stay
from firmware_bridge.pages.middleware import Guard
from firmware_bridge.pages.server import Server, address_of, listen
from firmware_bridge.pages.templating import FOLDER as PAGES
from firmware_bridge.words import direction

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from drivers.description import BoardDescription
    from firmware_bridge.calibration.dialogue import Dialogue, Said
    from firmware_bridge.config import PagesConfig

STATIC = Path(__file__).parent / "static"
SHARED: list[str | tuple[str, str]] = [("drivers.simulator", "page")]
"""Where typefaces, tokens and the icon lie for all pages."""
_LINES = 6
"""How many of the lines told last are shown."""
_AROUND = (
    "setup-title", "setup-waiting", "setup-done", "setup-ended", "setup-answers", "setup-board",
    "setup-other", "setup-enter", "setup-told", "setup-shining", "setup-dark",
)  # fmt: skip
"""What stands around the request."""


class Words(BaseModel):
    """`POST /words`: what somebody entered, as at the terminal."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(max_length=400)


class WalkPage:
    """One page that everybody who opens it sees alike.

    Args:
        language: of everything on it.
    """

    def __init__(self, language: str = "en") -> None:
        words = words_of(language)
        self._texts = {"lang": language, "dir": direction(language)}
        self._texts |= {key.removeprefix("setup-"): words.texts[key] for key in _AROUND}
        self._dialogue: Dialogue | None = None
        self._board: dict[str, object] = {}
        self._said: Said = asyncio.Queue()
        self._told: list[str] = []
        self._changed = asyncio.Event()
        self._over = False

    def attend(self, dialogue: Dialogue, description: BoardDescription) -> Said:
        """Show this dialogue from now on; return where the words come in that people enter."""
        self._dialogue = dialogue
        self._board = {
            "files": description.grid.files,
            "ranks": description.grid.ranks,
            "squares": description.squares,
            "reserves": description.reserves,
        }
        self._said = asyncio.Queue()
        self._touch()
        return self._said

    def tell(self, text: str) -> None:
        """Show a line, at the terminal too."""
        say(text)
        self._told = [*self._told, text][-_LINES:]
        self._touch()

    def close(self) -> None:
        """Show everybody that it is over, and end what they listen to."""
        self._dialogue, self._over = None, True
        self._touch()

    def state(self) -> dict[str, object]:
        """Return everything the page shows, ready for JSON."""
        dialogue = self._dialogue
        return {
            "asks": dialogue.asks if dialogue else None,
            "words": dict(dialogue.words) if dialogue and dialogue.asks else {},
            "shines": dialogue.shines if dialogue else (),
            "told": self._told,
            "texts": self._texts,
            "over": self._over,
            "board": self._board,
        }

    def app(self, names: tuple[str, ...] = ()) -> ASGIApp:
        """Return the web application, behind the same guard as all pages."""
        routes = [
            Route("/", self._index),
            Route("/events", self._events),
            Route("/words", self._words, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
            Mount("/look", StaticFiles(directory=PAGES / "static", packages=SHARED)),
        ]
        return Guard(Starlette(routes=routes), names=names)

    async def _index(self, _: Request) -> Response:
        return FileResponse(STATIC / "walk.html")

    async def _words(self, request: Request) -> Response:
        try:
            words = Words.model_validate_json(await request.body())
        except ValidationError as error:
            return JSONResponse({"error": error.errors()[0]["msg"]}, 422)
        for word in words.text.split():
            self._said.put_nowait(word)
        return JSONResponse({"ok": True})

    async def _events(self, request: Request) -> Response:
        stay(request.scope)

        async def states() -> AsyncIterator[dict[str, str]]:
            over = False
            while not over:
                changed, over = self._changed, self._over
                yield {"event": "state", "data": json.dumps(self.state())}
                if not over:
                    await changed.wait()

        return EventSourceResponse(states())

    def _touch(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()  # whoever looks from now on waits for the next change


@asynccontextmanager
async def serving(page: WalkPage, config: PagesConfig) -> AsyncIterator[None]:
    """Serve the page meanwhile, and say where; raise `AddressRefused` if that cannot be."""
    with listen(config) as listener:
        server = Server(page.app(config.names))
        task = begin(server.serve(sockets=[listener]), "pages")
        say(f"The page is at {address_of(listener)}")
        try:
            yield
        finally:
            page.close()
            await asyncio.sleep(0.2)  # the last lines reach whoever looks
            server.should_exit = True
            await task
