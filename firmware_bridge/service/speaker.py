"""Speech at the service's edge: words become sound through espeak-ng, where it is installed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Callable
from typing import Self

from firmware_bridge.indicators import Cue, Indicator

_LOG = logging.getLogger(__name__)

WAITING = 4
"""More sentences than this are old news: the oldest are dropped."""


class Speaker(Indicator):
    """Says one sentence after the other and never holds anything up.

    Args:
        volume: 0 to 200; 100 is the usual loudness.
        program: the path of espeak-ng; found on the path if not given.
        changed: called when it turns out that speech is heard, or that it is not.

    Attributes:
        audible: whether speech is heard, as far as is known: the program is there, and the last
            sentence found a sound card.
    """

    def __init__(
        self,
        volume: int = 100,
        program: str | None = None,
        changed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._program = program or shutil.which("espeak-ng")
        self._volume = str(volume)
        self._changed = changed
        self.audible = self._program is not None

    async def __aenter__(self) -> Self:
        """Find out, without a sound, whether anything is heard."""
        await self._speak("", "en")
        return self

    async def show(self, cue: Cue) -> None:
        """Say what is new, each sentence when the one before is over."""
        for sentence in cue.said[-WAITING:]:
            await self._speak(sentence, cue.language)

    async def _speak(self, sentence: str, language: str) -> None:
        trouble = await self._trouble(sentence, language) if self._program else "it is not there"
        if bool(trouble) == self.audible:
            self.audible = not trouble
            if trouble:
                why = "the display speaks instead; is there a sound card?"
                _LOG.warning("no speech from %s (%s): %s", self._program, trouble, why)
            self._changed(self.audible)

    async def _trouble(self, sentence: str, language: str) -> str:
        """Let the program say something; return why nothing was heard, empty if it was."""
        arguments = ("-v", language, "-a", self._volume, "--stdin")
        try:
            process = await asyncio.create_subprocess_exec(
                str(self._program),
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            return str(error)
        try:
            _, complaints = await process.communicate(sentence.encode())
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return _error(complaints.decode(errors="replace"), process.returncode or 0)


def _error(complaints: str, code: int) -> str:
    """Return what the program complains of.

    Without a sound card espeak-ng ends well, and says so in a line of its own among those of the
    sound system, many of which mean nothing.
    """
    lines = complaints.splitlines()
    errors = [line for line in lines if line.lower().startswith("error:")]
    return errors[-1] if errors else f"it ended with {code}" if code else ""
