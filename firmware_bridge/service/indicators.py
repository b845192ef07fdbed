"""What the table gives out becomes light, tone and speech."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from drivers.port import Lights
from firmware_bridge.messages import Ended, LightsChanged, Said, Taken, VerdictChanged
from firmware_bridge.words import catalogue, spoken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Driver
    from firmware_bridge.config.agreement import Agreement
    from firmware_bridge.messages import Output
    from firmware_bridge.service.demonstration import Frame
    from firmware_bridge.service.speaker import Speaker

ATTENTION = {"choice", "disturbed"}


class Playing(Protocol):
    """Knows what is agreed for the game that is being played."""

    @property
    def agreement(self) -> Agreement:
        """What is agreed, language and tones among it."""


class Indicators:
    """Shows and sounds on the board, and speaks. Slow devices never hold up the game.

    Args:
        driver: the board.
        speaker: speech, or `None` for silence.
        playing: the game that is being played.
        tones: whether the board makes tones, where those who play agree.
        speech: whether words are wanted; a tone stands for those that nothing here can say.
    """

    def __init__(
        self,
        driver: Driver,
        speaker: Speaker | None,
        playing: Playing,
        *,
        tones: bool,
        speech: bool = True,
    ) -> None:
        self._driver = driver
        self._speaker = speaker
        self._playing = playing
        self._tones = tones
        self._speech = speech
        self._lights: Mapping[str, str] = {}
        self._show: Frame | None = None
        self._sounds: list[str] = []
        self._news = asyncio.Event()

    def show(self, outputs: tuple[Output, ...]) -> None:
        """Take in what is to be shown; returns at once."""
        said = [output for output in outputs if isinstance(output, Said)]
        tones = [tone for output in outputs if (tone := _tone(output))]
        lights = [output.lights for output in outputs if isinstance(output, LightsChanged)]
        if lights:
            self._lights = lights[-1]
        for output in said:
            self._speak(output)
        if said and not tones and self._speech and not self._heard:
            tones = ["attention"]  # let people look, since nothing here says it
        if tones and self._tones and self._playing.agreement.settings.sound:
            self._sounds = tones[-1:]  # only the newest: a queue of tones tells nothing
        if lights or self._sounds:  # what changes nothing must not be seen on the cable either
            self._news.set()

    @property
    def _heard(self) -> bool:
        return self._speaker is not None and self._speaker.audible

    def _speak(self, said: Said) -> None:
        if self._speaker:
            agreement = self._playing.agreement
            words = catalogue(agreement.settings.language, agreement.game)
            self._speaker.say(spoken(words, said.key, said.words), agreement.settings.language)

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
