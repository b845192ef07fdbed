"""A board that does what another one did: it replays a recording, in real time or faster.

What is no deed of the board, such as an answer on the screen, is left out. For demonstrations, and
for trying the service with a game that went wrong.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Self

from drivers.board_reasons import Reason
from drivers.description import BoardDescription
from drivers.port import (
    BoardEvent,
    ButtonEvent,
    CellEvent,
    Driver,
    DriverError,
    Lights,
    LinkChanged,
    Snapshot,
)
from firmware_bridge.recordings.format import BadRecording, read_file

_Deed = CellEvent | ButtonEvent | Snapshot
"""What a board does."""


class ReplayingBoard(Driver):
    """Plays a recording once, then stands still. Lights and sounds are kept for whoever asks."""

    def __init__(self, description: BoardDescription, file: str, speed: float = 1.0) -> None:
        """Prepare to replay, so many times as fast as it happened; speed 0 is all at once."""
        self.description = description
        self.lights = Lights()
        self.sounds: list[str] = []
        self._file = Path(file)
        self._speed = speed
        self._felt: list[_Deed] = []
        self._closed = asyncio.Event()

    async def __aenter__(self) -> Self:
        """Read the recording; raise `DriverError` naming file and line if it cannot be used."""
        self._closed.clear()
        self._read()
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Stop replaying. Idempotent."""
        self._closed.set()

    async def events(self) -> AsyncIterator[BoardEvent]:
        """Yield what was recorded, each event at its time, until closed."""
        begun = time.monotonic()
        yield LinkChanged(begun, up=True, reason=Reason("replaying", {"file": self._file.name}))
        for event in self._felt:
            due = begun + event.t / self._speed if self._speed else begun
            if await self._closed_by(due):
                return
            yield replace(event, t=due)
        await self._closed.wait()

    async def show(self, lights: Lights) -> None:
        """Keep these lights."""
        self.lights = lights

    async def sound(self, name: str) -> None:
        """Keep this sound."""
        self.sounds.append(name)

    async def _closed_by(self, due: float) -> bool:
        wait = due - time.monotonic()
        if wait > 0:
            try:
                async with asyncio.timeout(wait):
                    await self._closed.wait()
            except TimeoutError:
                return False
        return self._closed.is_set()

    def _read(self) -> None:
        try:
            recording = read_file(self._file)
        except OSError as error:
            raise DriverError(f"Cannot read the recording {self._file}: {error}") from error
        except BadRecording as error:
            raise DriverError(str(error)) from error
        header = recording.header
        standing = header.standing()  # unless the position says all of it
        self._felt = [Snapshot(0.0, header.occupied() if standing is None else standing)]
        self._felt += [event for event in recording.events if isinstance(event, _Deed)]
        for cell in (cell for event in self._felt for cell in _cells(event)):
            if cell not in self.description.numbers:
                board = self.description.name
                raise DriverError(f'{self._file}: the board "{board}" has no cell {cell!r}.')


def _cells(event: _Deed) -> Iterable[str]:
    if isinstance(event, CellEvent):
        return [event.cell]
    return event.readings if isinstance(event, Snapshot) else ()
