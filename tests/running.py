"""A coroutine that runs beside a test, and ends with it."""

import asyncio
import contextlib

from drivers.beside import end
from tests.patience import in_time


@contextlib.asynccontextmanager
async def running(coroutine):
    task = asyncio.create_task(coroutine)
    try:
        yield task
    finally:
        await in_time(end(task))
