"""A board that does what another one did: it replays a recording, in real time or faster.

It reads the event lines of a recording file (JSON Lines: a header, then `t` with `cell` and
`reading`, or `button`). What is no deed of the board, such as an answer on the screen, is left
out. For demonstrations, and for trying the service with a game that went wrong.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

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
    Reading,
    Snapshot,
)

FORMAT = "firmware-bridge-recording"


class ReplayingBoard(Driver):
    """Plays a recording once, then stands still. Lights and sounds are kept for whoever asks."""

    def __init__(self, description: BoardDescription, file: str, speed: float = 1.0) -> None:
        """Prepare to replay, so many times as fast as it happened; speed 0 is all at once."""
        self.description = description
        self.lights = Lights()
        self.sounds: list[str] = []
        self._file = Path(file)
        self._speed = speed
        self._start: dict[str, Reading] = {}
        self._happened: list[CellEvent | ButtonEvent] = []
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
        yield Snapshot(begun, dict(self._start))
        for event in self._happened:
            due = begun + event.t / self._speed if self._speed else begun
            if await self._closed_by(due):
                return
            at = max(due, begun)
            if isinstance(event, CellEvent):
                yield CellEvent(at, event.cell, event.reading)
            else:
                yield ButtonEvent(at, event.button)
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
            lines = self._file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise DriverError(f"Cannot read the recording {self._file}: {error}") from error
        self._happened = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                self._take(record, first=number == 1)
            except (ValueError, TypeError, LookupError, AttributeError) as error:
                raise DriverError(
                    f"{self._file}, line {number}: this is no line of a recording ({error})."
                ) from error
        if not lines:
            raise DriverError(f"The recording {self._file} is empty.")

    def _take(self, record: dict[str, Any], *, first: bool) -> None:
        if not isinstance(record, dict):
            raise TypeError("a line is a JSON object")
        if first:
            if record.get("format") != FORMAT or record.get("version") != 1:
                raise ValueError(f"the first line must name the format {FORMAT}, version 1")
            stands = record["on"] if "on" in record else _occupied(record["position"])
            self._start = {self._cell(cell): reading for cell, reading in stands.items()}
        elif "cell" in record:
            cell, reading = self._cell(record["cell"]), record["reading"]
            if reading is not None and reading is not True and not isinstance(reading, str):
                raise ValueError(f"a reading is null, true or a tag, not {reading!r}")
            self._happened.append(CellEvent(float(record["t"]), cell, reading))
        elif "button" in record:
            self._happened.append(ButtonEvent(float(record["t"]), str(record["button"])))

    def _cell(self, cell: str) -> str:
        if cell not in self.description.numbers:
            raise ValueError(f'the board "{self.description.name}" has no cell {cell!r}')
        return cell


def _occupied(position: str) -> dict[str, Reading]:
    """Return what a position text with one letter a piece says of occupied cells.

    Only recordings made without tags need it, and they say nothing else of the start.
    """
    cells: dict[str, Reading] = {}
    ranks = position.split(" ", maxsplit=1)[0].split("/")
    for rank, row in zip(range(len(ranks), 0, -1), ranks, strict=True):
        file = 0
        for letter in row:
            if letter.isdecimal():
                file += int(letter)
            else:
                cells[f"{'abcdefgh'[file]}{rank}"] = True
                file += 1
    return cells
