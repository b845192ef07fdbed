"""Speech at the service's edge: words become sound through espeak-ng, where it is installed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections import deque

_LOG = logging.getLogger(__name__)

WAITING = 4
"""More sentences than this are old news: the oldest are dropped."""


class Speaker:
    """Says one sentence after the other and never holds anything up.

    Args:
        language: the voice, such as `en` or `de`.
        volume: 0 to 200; 100 is the usual loudness.
        program: the path of espeak-ng; found on the path if not given.
    """

    def __init__(self, language: str, volume: int = 100, program: str | None = None) -> None:
        self._program = program or shutil.which("espeak-ng")
        self._arguments = ("-v", language, "-a", str(volume), "--stdin")
        self._waiting: deque[str] = deque(maxlen=WAITING)
        self._news = asyncio.Event()

    @property
    def available(self) -> bool:
        """Whether anything can be heard at all."""
        return self._program is not None

    def say(self, sentence: str) -> None:
        """Say this when what was said before is over."""
        if self.available:
            self._waiting.append(sentence)
            self._news.set()

    async def run(self) -> None:
        """Speak until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                await self._speak(self._waiting.popleft())

    async def _speak(self, sentence: str) -> None:
        if self._program is None:
            return
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            _LOG.warning("no speech: %s cannot be started: %s", self._program, error)
            self._program = None
            return
        try:
            await process.communicate(sentence.encode())
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
