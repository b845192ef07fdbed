"""What the board's connection means for the game: without it nobody could press a clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from drivers.board_reasons import Reason
from drivers.port import (
    BoardEvent,
    BoardNotice,
    ButtonEvent,
    CellEvent,
    Driver,
    DriverError,
    LinkChanged,
    Snapshot,
)
from drivers.transport import failed
from firmware_bridge.messages import Call
from firmware_bridge.service.alerts import why
from firmware_bridge.service.controller import Controller

GONE_FOR = 2.0
"""Seconds without the board after which the clocks stop."""


async def events_of(driver: Driver) -> AsyncIterator[BoardEvent]:
    """Yield what a driver tells, and when it tells nothing any more, that no board is there.

    A driver that has failed and is asked again tells nothing of a link that has held all along:
    what hands do there says as much.

    Raises:
        Exception: what the driver has failed of; `DriverError` where it has ended by itself.
    """
    end: Exception = DriverError("The board's driver tells nothing any more.")
    heard = False
    try:
        async for event in driver.events():
            if not heard and isinstance(event, CellEvent | ButtonEvent | Snapshot):
                yield LinkChanged(event.t, up=True, reason=Reason("told", {"text": "It is heard."}))
            heard |= not isinstance(event, BoardNotice)
            yield event
    except Exception as error:  # noqa: BLE001 - raised below, once people can be told
        end = error
    yield LinkChanged(time.monotonic(), up=False, reason=failed(end))
    raise end


class BoardLink:
    """Pauses a game while its board is gone."""

    def __init__(self, controller: Controller, gone_for: float = GONE_FOR) -> None:
        self._controller = controller
        self._gone_for = gone_for
        self._waiting: asyncio.TimerHandle | None = None
        self._paused = ""

    async def changed(self, event: LinkChanged) -> None:
        """Take in that the board is there, or is not."""
        self._controller.link_changed(() if event.up else why(event.reason))
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None
        if not event.up:
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._gone_for, self._pause)
        elif self._paused:
            waits, self._paused = self._still_waits(), ""
            if waits:
                await self._controller.submit(Call(self._controller.now(), "resume"))

    def _pause(self) -> None:
        if self._controller.view().phase in {"playing", "executing", "decision", "restoring"}:
            self._paused = self._controller.game_id
            self._controller.tell(Call(self._controller.now(), "pause"))

    def _still_waits(self) -> bool:
        """Return whether the game rests for the board alone, and nobody has adjourned it since."""
        state = self._controller.table.state
        rests = state.paused and not state.adjourned
        return rests and self._controller.game_id == self._paused
