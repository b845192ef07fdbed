"""What is asked of the controller, one thing after the other; when nothing is, time passes."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import Input, Said, Tick
from firmware_bridge.service.blind_spots import HEARTBEAT

WAITING = 1000
"""Requests that may wait; whoever brings more has to wait himself."""


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Somebody wants to go on with an adjourned game."""

    game_id: str


Request = Input | Agreement | TakeUp
"""What can be asked of the controller."""
Done = asyncio.Future[tuple[Said, ...]]
"""What was announced when it had been done."""


class Inbox:
    """Requests that wait, `said = await inbox.enter(item)`, until somebody takes the `next` one.

    Args:
        clock: the host's monotonic clock, in seconds.
        looked: called whenever somebody looks at the time, at every heartbeat at least.
    """

    def __init__(self, clock: Callable[[], float], looked: Callable[[], None]) -> None:
        self._clock, self._looked = clock, looked
        self._waiting: asyncio.Queue[tuple[Request, Done]] = asyncio.Queue(WAITING)

    def size(self) -> int:
        """Return how many wait."""
        return self._waiting.qsize()

    async def enter(self, item: Request) -> tuple[Said, ...]:
        """Ask for something; return what was announced when it had been done."""
        done: Done = asyncio.get_running_loop().create_future()
        await self._waiting.put((item, done))
        return await done

    async def next(self, wake: Callable[[], float | None]) -> tuple[Request, Done]:
        """Return the next request, or a tick when `wake` tells that one is due."""
        self._looked()
        while True:
            due, began = wake(), self._clock()
            left = math.inf if due is None else max(0.0, due - began)
            try:
                async with asyncio.timeout(min(left, HEARTBEAT)):
                    return await self._waiting.get()
            except TimeoutError:
                if left <= HEARTBEAT:
                    return Tick(self._clock()), asyncio.get_running_loop().create_future()
            finally:
                self._looked()
