"""A coroutine that runs beside a test, and ends with it, or is ordered to end at an instant."""

import asyncio
import contextlib

from drivers.beside import end
from tests.patience import in_time, soon

HOPS = range(1, 10)
"""Rounds of the event loop until the order comes; after the first what is ended has begun."""


def after(hops, call):
    loop = asyncio.get_running_loop()
    loop.call_soon(after, hops - 1, call) if hops else call()


async def ordered_to_end(coroutine, hops):
    """Start this, and order it to end; return whether it was still going on."""
    task = asyncio.ensure_future(coroutine)
    under_way = []

    def order():
        under_way.append(task.cancel())

    after(hops, order)
    await in_time(asyncio.wait([task]))
    await soon(lambda: under_way)
    assert task.cancelled() == under_way[0], "the order was lost"
    return under_way[0]


@contextlib.asynccontextmanager
async def running(coroutine):
    task = asyncio.create_task(coroutine)
    try:
        yield task
    finally:
        await in_time(end(task))
