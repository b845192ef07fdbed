"""What goes on beside: nothing of it ends unseen.

Every task begins here, or in a `TaskGroup`, which hands what ends a task to whoever waits for it.
Whatever ends a task of these unforeseen is logged, and handed to whoever can do something about it.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

Failed = Callable[[Exception], object]

T = TypeVar("T")
_LOG = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before what failed is begun again; twice as long each time: what fails by accident soon
goes on, and what fails for good fills no log."""


def begin(
    work: Coroutine[Any, Any, T], name: str, failed: Failed | None = None
) -> asyncio.Task[T | None]:
    """Begin a task, `begin(self._read(), "reader", self.fail)`; its result is `None` if it fails.

    `failed` is told what ended it, unless that was an order to end.
    """

    async def watched() -> T | None:
        try:
            return await work
        except Exception as error:  # noqa: BLE001 - nobody foresaw it, so it can be anything
            log(name, error)
            if failed is not None:
                failed(error)
            return None

    task = asyncio.create_task(watched(), name=name)
    task.add_done_callback(lambda _: work.close())  # it was ended before it had begun
    return task


async def kept_up(
    work: Callable[[], Awaitable[object]], name: str, failed: Failed | None = None
) -> None:
    """Do what must go on, and begin it again whenever it fails, until it returns by itself.

    Of failures in a row the first is logged and told. What fails while it is told to end, ends.
    """
    clock, pause = asyncio.get_running_loop().time, FIRST_PAUSE
    while True:
        begun = clock()
        try:
            await alone(_done(work))
        except Exception as error:  # noqa: BLE001 - nobody foresaw it, so it can be anything
            if clock() - begun > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            if pause == FIRST_PAUSE:
                log(name, error)
                if failed is not None:
                    failed(error)
        else:
            return
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


async def _done(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


@asynccontextmanager
async def meanwhile(work: Coroutine[Any, Any, object]) -> AsyncIterator[None]:
    """Let something go on during a block; what ends it unforeseen ends the block and is raised."""
    block, died, over = asyncio.current_task(), list[Exception](), False

    async def watched() -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - raised where the block ends
            died.append(error)
            if block is not None and not over:
                block.cancel()

    task = asyncio.create_task(watched())
    task.add_done_callback(lambda _: work.close())
    try:
        yield
    except asyncio.CancelledError:
        if died and block is not None and block.uncancel() == 0:
            raise died[0] from None
        raise
    finally:
        over = True
        await end(task)
    if died:
        raise died[0]


async def alone(work: Coroutine[Any, Any, T]) -> T:
    """Do something in a task of its own, and return its result.

    What breaks while it is closed cannot hide from whoever waits here that he is to end. To be said
    where whatever fails is caught, and something goes on: `Task.cancelling` does not tell, since a
    `TaskGroup` in which something failed leaves it as if there were an order, before Python 3.13.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task])
    finally:
        task.cancel()
        await asyncio.wait([task])
    return task.result()


async def end(task: asyncio.Task[object]) -> None:
    """Cancel a task and wait until it has ended; raise what it has died of.

    Whoever waits here can be cancelled too, which is not taken for the end of the task.
    """
    task.cancel()
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()


async def is_set_within(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait until an event is set, so many seconds at most; return whether it is."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def when_told_to_end(end: Callable[[], object]) -> None:
    """Call this when a signal tells the process to end: Ctrl-C, systemd, or a closed terminal."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, end)


def log(name: str, error: Exception) -> None:
    """Log that something ended unforeseen: where, and not what the error says."""
    _LOG.error("%s has failed and goes on: %s", name, type(error).__name__, exc_info=error)
