"""Keeps indicators supplied, whatever they do: the game never waits for one of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from drivers.beside import is_set_within
from drivers.port import Driver, Lights
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.indicators import Cue, Indicator
from firmware_bridge.messages import (
    Ended,
    LightsChanged,
    PublicOutput,
    PublicTurn,
    PublicVerdict,
    Said,
)
from firmware_bridge.pages.texts import say_all, speaking
from firmware_bridge.service.view_feed import Hub
from firmware_bridge.views import ClockFace
from firmware_bridge.words import catalogue, spoken
from rules.interface import Side

KEPT = 16
"""Sentences kept for one that is busy; a turn has three or four, and older ones are no news."""
ATTENTION = {"choice", "disturbed"}


class Game(Protocol):
    """What is known of the game that is shown: nothing that views are made from."""

    hub: Hub

    @property
    def agreement(self) -> Agreement:
        """What is agreed, language and tones among it."""

    def clocks(self) -> Mapping[Side, ClockFace]:
        """Return the clocks as of now."""


class IndicatorRunner:
    """One indicator and what it has been told."""

    def __init__(self, name: str, indicator: Indicator, game: Game) -> None:
        self.name = name
        self._indicator = indicator
        self._game = game
        self._lights: Mapping[str, str] = {}
        self._said: deque[str] = deque(maxlen=KEPT)
        self._tone = ""
        self._number: int | None = None
        self._news = asyncio.Event()
        self._news.set()
        game.hub.watchers.append(self._look)

    def hear(self, outputs: tuple[PublicOutput, ...]) -> None:
        """Take in what is to be shown; returns at once."""
        agreement = self._game.agreement
        for output in outputs:
            self._tone = _tone(output) or self._tone  # a queue of tones would tell nothing
            if isinstance(output, LightsChanged):
                self._lights = output.lights
            elif isinstance(output, Said):
                words = catalogue(agreement.settings.language, agreement.game)
                self._said.append(spoken(words, output.key, output.words))
        self._news.set()

    async def run(self) -> None:
        """Show until cancelled, or until the service ends."""
        self._news.set()
        async with self._indicator:
            await self._show()

    async def _show(self) -> None:
        while not self._game.hub.closed:
            await is_set_within(self._news, self._indicator.refresh)
            self._news.clear()
            await self._indicator.show(self._cue())

    def _look(self) -> None:
        """See whether what everyone may see has changed though nothing was given out."""
        if self._game.hub.closed or self._game.hub.latest("public").number != self._number:
            self._news.set()

    def _cue(self) -> Cue:
        newest, settings = self._game.hub.latest("public"), self._game.agreement.settings
        sight, self._number = newest.sight, newest.number
        tone, self._tone = self._tone, ""
        said = tuple(self._said)
        self._said.clear()
        return Cue(
            replace(sight.public, clocks=self._game.clocks()),
            sight.show.lights if sight.show else self._lights,
            said,
            say_all(sight.link, speaking(settings.language, self._game.agreement.game)),
            tone,
            settings.sound,
            settings.language,
        )


class BoardIndicator(Indicator):
    """The board's own lights and tones.

    Where sentences are wanted and nothing says them (`unheard`), a tone stands for them.
    """

    def __init__(self, driver: Driver, unheard: Callable[[], bool], *, tones: bool) -> None:
        self._driver = driver
        self._unheard = unheard
        self._tones = tones
        self._lights: Mapping[str, str] = {}

    async def show(self, cue: Cue) -> None:
        """Pass on what is new: what changes nothing must not be seen on the cable either."""
        if cue.lights != self._lights:
            await self._driver.show(Lights(cue.lights))
            self._lights = cue.lights
        tone = cue.tone or ("attention" if cue.said and self._unheard() else "")
        if tone and self._tones and cue.sound:
            await self._driver.sound(tone)


def _tone(output: PublicOutput) -> str:
    match output:
        case PublicTurn(amended=False):
            return "accepted"
        case Ended():
            return "attention"
        case PublicVerdict(kind=kind):
            return "illegal" if kind == "illegal" else "attention" if kind in ATTENTION else ""
        case _:
            return ""
