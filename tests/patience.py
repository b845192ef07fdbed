"""How long tests wait for what must come.

A test that waits does so for a condition, and goes on as soon as it is there. The limit only ends
waiting in vain: a machine that has much else to do, or stands still for a while, is no fault.
"""

import asyncio
import contextlib
import socket
import time
from random import SystemRandom

PATIENCE = 100.0
"""Seconds: longer than a machine stands still, shorter than a test may take."""
PORTS = range(16384, 32768)
"""Linux gives whoever connects to somewhere a port above these."""


def until(condition, what="it never came to that", pause=0.05):
    """Wait for a condition; return what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, what
        time.sleep(pause)
    return found


async def soon(condition, what="it never came to that", pause=0.005):
    """Wait for a condition while everything else goes on; return what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, what() if callable(what) else what
        await asyncio.sleep(pause)
    return found


async def in_time(awaitable):
    """Return what comes of this, which must come."""
    async with asyncio.timeout(PATIENCE):
        return await awaitable


def free_port():
    """Return a TCP port for a server that cannot choose one itself.

    Nobody who connects to somewhere takes it between the choice and the server's start, and hardly
    another process of tests: each draws from thousands.
    """
    while True:
        port = SystemRandom().choice(PORTS)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
