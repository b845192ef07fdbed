"""The walk on a page: what the terminal shows, a picture of the board, and buttons to answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from drivers.description import BoardDescription
from firmware_bridge.calibration.dialogue import QUIT, Heard, Shown, say
from firmware_bridge.calibration.prompts import Line, words_of
from firmware_bridge.config import PagesConfig
from firmware_bridge.pages import server
from firmware_bridge.pages.connections import stay
from firmware_bridge.pages.middleware import Guard
from firmware_bridge.pages.requests import Body, Entry, Text, read
from firmware_bridge.pages.templating import FOLDER as PAGES
from firmware_bridge.words import direction

STATIC = Path(__file__).parent / "static"
SHARED: list[str | tuple[str, str]] = [("drivers.simulator", "page")]
"""Where typefaces, tokens and the icon lie for all pages."""
_LINES = 6
"""How many of the lines told last are shown."""
_AROUND = (
    "setup-title", "setup-waiting", "setup-done", "setup-ended", "setup-answers", "setup-board",
    "setup-other", "setup-enter", "setup-told", "setup-shining", "setup-dark",
    "setup-open", "setup-wrong-pin", "setup-wait", "setup-back", "setup-watching",
)  # fmt: skip
"""What stands around the request."""


class Words(Body):
    """`POST /words`: what somebody entered, as at the terminal."""

    text: Text


class Door(Protocol):
    """Who may answer, where not everybody may who finds the page."""

    def is_open(self, cookies: Mapping[str, str]) -> bool:
        """Tell whether the browser with these cookies may answer."""

    def enter(self, scope: Scope, pin: str) -> tuple[int, str]:
        """Return a status, and what a browser is to keep where the PIN is right."""


class Question:
    """A dialogue without a board: one question, and its answers with the keys of what they mean."""

    def __init__(self, asked: Line, words: Mapping[str, str], language: str) -> None:
        texts = words_of(language)
        self.asks = asked.told(texts)
        self.words = {word: texts.text(key) for word, key in words.items()}
        self.shines: tuple[str, ...] = ()


class WalkPage:
    """One page that everybody who opens it sees alike, and may answer on where it has no door."""

    def __init__(self, language: str = "en", door: Door | None = None) -> None:
        self._language, self._door = language, door
        words = words_of(language)
        self._texts = {"lang": language, "dir": direction(language)}
        self._texts |= {key.removeprefix("setup-"): words.texts[key] for key in _AROUND}
        self._dialogue: Shown | None = None
        self._board: dict[str, object] = {}
        self._said: Heard = asyncio.Queue()
        self._told: list[str] = []
        self._gone = ""
        self._changed = asyncio.Event()
        self._over = False

    def attend(self, dialogue: Shown, description: BoardDescription | None = None) -> Heard:
        """Show this dialogue from now on; return where the words come in that people enter."""
        self._dialogue, self._gone = dialogue, ""
        self._board = {}
        if description:
            self._board = {
                "files": description.grid.files,
                "ranks": description.grid.ranks,
                "squares": description.squares,
                "reserves": description.reserves,
            }
        self._said = asyncio.Queue()
        self.touch()
        return self._said

    async def choose(self, asked: Line, words: Mapping[str, str]) -> str:
        """Ask one question, without a board; return the answer."""
        said = self.attend(Question(asked, words, self._language))
        while (word := await said.get()) not in words:
            pass
        return str(word)

    def tell(self, text: str) -> None:
        """Show a line, at the terminal too."""
        say(text)
        self._told = [*self._told, text][-_LINES:]
        self.touch()

    def gone(self, why: str) -> None:
        """Show why the board is not there, and ask nothing meanwhile; go on where it is."""
        self._gone = why
        self.touch()

    def close(self) -> None:
        """Show everybody that it is over, and end what they listen to."""
        self._dialogue, self._over = None, True
        self.touch()

    def state(self) -> dict[str, object]:
        """Return everything the page shows, ready for JSON."""
        dialogue = self._dialogue
        words = dialogue.words if dialogue and dialogue.asks else {}
        return {
            "asks": self._gone or dialogue.asks if dialogue else None,
            "words": {w: what for w, what in words.items() if w == QUIT or not self._gone},
            "shines": dialogue.shines if dialogue else (),
            "told": self._told,
            "texts": self._texts,
            "over": self._over,
            "board": {} if self._gone else self._board,
            "returns": self._door is not None,
        }

    def app(self, names: tuple[str, ...] = ()) -> ASGIApp:
        """Return the web application, behind the same guard as all pages."""
        routes = [
            Route("/", self._index),
            Route("/walk", self._index),
            Route("/events", self._events),
            Route("/words", self._words, methods=["POST"]),
            Route("/enter", self._enter, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
            Mount("/look", StaticFiles(directory=PAGES / "static", packages=SHARED)),
        ]
        return Guard(Starlette(routes=routes), names=names)

    async def _index(self, _: Request) -> Response:
        return FileResponse(STATIC / "walk.html")

    def _may_answer(self, request: Request) -> bool:
        return self._door is None or self._door.is_open(request.cookies)

    async def _enter(self, request: Request) -> Response:
        """Let a browser answer whose owner knows the PIN."""
        given = await read(request, Entry)
        status, ticket = self._door.enter(request.scope, given.key) if self._door else (404, "")
        answer = JSONResponse({}, status)
        if ticket:
            answer.set_cookie("workshop", ticket, httponly=True, samesite="strict")
        return answer

    async def _words(self, request: Request) -> Response:
        if not self._may_answer(request):
            return JSONResponse({"error": "wrong-key"}, 403)
        if self._dialogue is None:
            return JSONResponse({"error": "nothing-asked"}, 409)
        for word in (await read(request, Words)).text.split():
            self._said.put_nowait(word)
        return JSONResponse({"ok": True})

    async def _events(self, request: Request) -> Response:
        stay(request.scope)
        may = self._may_answer(request)

        async def states() -> AsyncIterator[dict[str, str]]:
            over = False
            while not over:
                changed, over = self._changed, self._over
                yield {"event": "state", "data": json.dumps({**self.state(), "may": may})}
                if not over:
                    await changed.wait()

        return EventSourceResponse(states())

    def touch(self) -> None:
        """Show what has changed."""
        self._changed.set()
        self._changed = asyncio.Event()  # whoever looks from now on waits for the next change


@asynccontextmanager
async def serving(page: WalkPage, config: PagesConfig) -> AsyncIterator[None]:
    """Serve the page meanwhile, and say where; raise `AddressRefused` if that cannot be."""
    async with server.serving(page.app(config.names), config) as address:
        say(f"The page is at {address}")
        try:
            yield
        finally:
            page.close()
            await asyncio.sleep(0.2)  # the last lines reach whoever looks
