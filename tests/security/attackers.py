"""Strangers that connect again whenever they were thrown out, in a process of their own."""

import asyncio
import contextlib
import multiprocessing
import os

from tests.patience import PATIENCE
from tests.security.doors import allow_files, call, listen_to, stranger

AGAIN = 1.0
"""Seconds until somebody who was thrown out is back, or asks again."""


async def silent(caller):
    await caller.ended()


async def listening(caller):
    await listen_to(caller)
    await caller.ended()


async def letter_by_letter(caller):
    while not caller.reader.at_eof():
        caller.writer.write(b"x")
        await caller.writer.drain()
        await asyncio.sleep(AGAIN)


async def asking(caller):
    while not caller.reader.at_eof():
        caller.send("GET / HTTP/1.1", "Host: 127.0.0.1")
        await caller.writer.drain()
        await caller.reader.read(1 << 20)
        await asyncio.sleep(AGAIN)


MANNERS = (silent, listening, letter_by_letter, asking)


@contextlib.contextmanager
def attack(port, count):
    """Let so many connect from as many addresses, each in one of four manners; give how often all
    of them have connected."""
    context = multiprocessing.get_context("spawn")
    all_came, times = context.Event(), context.Value("l", 0)
    process = context.Process(target=_run, args=(port, count, all_came, times), daemon=True)
    process.start()
    try:
        assert all_came.wait(PATIENCE)
        yield times
        assert process.is_alive()
    finally:
        process.terminate()
        process.join()


def _run(port, count, all_came, times):
    allow_files()
    os.nice(19)  # they would sit at other machines, and take no time of this one
    asyncio.run(_attack(port, count, all_came, times))


async def _attack(port, count, all_came, times):
    came = set()

    async def attacker(number):
        while True:
            with contextlib.suppress(OSError):
                async with call(port, stranger(number)) as caller:
                    came.add(number)
                    times.value += 1
                    if len(came) == count:
                        all_came.set()
                    await MANNERS[number % len(MANNERS)](caller)
            await asyncio.sleep(AGAIN)

    await asyncio.gather(*(attacker(number) for number in range(count)))
