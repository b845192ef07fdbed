"""What the table gives out becomes light, tone and speech."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from drivers.port import Lights
from firmware_bridge.messages import Ended, LightsChanged, Said, Taken, VerdictChanged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Driver
    from firmware_bridge.messages import Output
    from firmware_bridge.service.demonstration import Frame
    from firmware_bridge.service.speaker import Speaker

ATTENTION = {"choice", "disturbed"}


class Voice(Protocol):
    """Turns an announcement into a sentence in the language of the game."""

    def __call__(self, key: str, words: Mapping[str, str]) -> str:
        """Return the sentence."""


class Indicators:
    """Shows and sounds on the board, and speaks. Slow devices never hold up the game.

    Args:
        driver: the board.
        speaker: speech, or `None` for silence.
        voice: makes the sentences.
        tones: whether the board makes tones.
    """

    def __init__(
        self, driver: Driver, speaker: Speaker | None, voice: Voice, *, tones: bool
    ) -> None:
        self._driver = driver
        self._speaker = speaker
        self._voice = voice
        self._tones = tones
        self._lights: Mapping[str, str] = {}
        self._show: Frame | None = None
        self._sounds: list[str] = []
        self._news = asyncio.Event()

    def show(self, outputs: tuple[Output, ...]) -> None:
        """Take in what is to be shown; returns at once."""
        for output in outputs:
            if isinstance(output, LightsChanged):
                self._lights = output.lights
            if isinstance(output, Said) and self._speaker:
                self._speaker.say(self._voice(output.key, output.words))
            if (tone := _tone(output)) and self._tones:
                self._sounds = [tone]  # only the newest: a queue of tones tells nothing
        self._news.set()

    def perform(self, frame: Frame | None) -> None:
        """Take in a frame of the show, whose lights hide the game's until it ends."""
        self._show = frame
        self._news.set()

    async def run(self) -> None:
        """Pass on to the board until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            await self._driver.show(Lights(self._show.lights if self._show else self._lights))
            while self._sounds:
                await self._driver.sound(self._sounds.pop())


def _tone(output: Output) -> str | None:
    if isinstance(output, Taken):
        return "accepted"
    if isinstance(output, Ended):
        return "attention"
    if isinstance(output, VerdictChanged):
        kind = output.verdict.kind
        return "illegal" if kind == "illegal" else "attention" if kind in ATTENTION else None
    return None
