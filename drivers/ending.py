"""Ending what goes on beside."""

from __future__ import annotations

import asyncio


async def end(task: asyncio.Task[object]) -> None:
    """Cancel a task and wait until it has ended; raise what it has died of.

    Whoever waits here can be cancelled too, which is not taken for the end of the task.
    """
    task.cancel()
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
