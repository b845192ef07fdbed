"""A conversation with a person at a terminal and a board: something is asked, hands answer."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol

from drivers.beside import meanwhile
from drivers.port import BoardEvent, BoardNotice, Driver, DriverError, Lights, LinkChanged

Heard = asyncio.Queue[BoardEvent | str]

QUIT = "q"


class Shown(Protocol):
    """What is asked, as a page shows it."""

    @property
    def asks(self) -> str | None:
        """What hands should do now; `None` when there is nothing more to ask."""

    @property
    def shines(self) -> tuple[str, ...]:
        """The cells that shine meanwhile, as players see them."""

    @property
    def words(self) -> Mapping[str, str]:
        """What may be entered now, each word with what it means."""


class Dialogue(Shown, Protocol):
    """What is asked at a board, and what becomes of the answers."""

    @property
    def lights(self) -> Lights:
        """What the board shows meanwhile."""

    @property
    def sound(self) -> str:
        """The sound that the board plays when this is asked; empty for none."""

    def hear(self, event: BoardEvent) -> str:
        """Note what happened on the board; return what to tell people, or nothing."""

    def order(self, word: str) -> str:
        """Note a word from the keyboard; return what to tell people, or nothing."""


def say(text: str) -> None:
    """Show a line at the terminal."""
    print(text, flush=True)  # noqa: T201 - this is a conversation


async def converse(
    driver: Driver,
    dialogue: Dialogue,
    after_each: Callable[[], None],
    *,
    said: Heard | None = None,
    tell: Callable[[str], None] = say,
    gone: Callable[[str], None] = lambda _: None,
) -> None:
    """Ask until nothing is left to ask, or `q` is entered.

    After all that was said or done `after_each` is called. `said` brings words that are not typed
    at the terminal; `gone` is told why the board is not there, and nothing as soon as it is.

    Raises:
        DriverError: the driver cannot be used, or tells nothing any more.
    """
    said = asyncio.Queue() if said is None else said

    async def listen() -> None:
        async for event in driver.events():
            if isinstance(event, LinkChanged):
                gone("" if event.up else event.text)
            said.put_nowait(event)
        raise DriverError("The board's driver tells nothing any more.")

    def typed() -> None:
        data = os.read(keyboard, 1024)
        if not data:
            loop.remove_reader(keyboard)
        for word in data.decode(errors="replace").split():
            said.put_nowait(word)

    loop, keyboard = asyncio.get_running_loop(), sys.stdin.fileno()
    with suppress(OSError):  # a file or nothing instead of a keyboard cannot be waited for
        loop.add_reader(keyboard, typed)
    async with driver:
        async with meanwhile(listen()):
            await _ask(driver, dialogue, said, after_each, tell)
        await driver.show(Lights())


async def _ask(
    driver: Driver,
    dialogue: Dialogue,
    said: Heard,
    after_each: Callable[[], None],
    tell: Callable[[str], None],
) -> None:
    asked, shown, there = None, None, False
    known: Mapping[str, str] = {}
    while dialogue.asks is not None:
        if there and dialogue.asks != asked:
            asked = dialogue.asks
            # What may be entered is told anew only where it is something else than before.
            tell(asked if dialogue.words != known else asked.partition("  [")[0])
            known = dict(dialogue.words)
            if dialogue.sound:
                await driver.sound(dialogue.sound)
        if dialogue.lights != shown:
            shown = dialogue.lights
            await driver.show(shown)
        match await said.get():
            case str(word) if word == QUIT:
                return
            case str(word):
                answer = dialogue.order(word)
            case LinkChanged(up=up, text=text):
                there, asked, known = up, None, {}  # ask anew as soon as the board is there
                answer = text
            case BoardNotice(text=text):
                answer = text
            case event:
                answer = dialogue.hear(event)
        if answer:
            tell(answer)
        after_each()
