"""How long tests wait for what must come.

A test that waits does so for a condition, and goes on as soon as it is there. The limit only ends
waiting in vain: a machine that has much else to do, or stands still for a while, is no fault.
"""

import contextlib
import itertools
import os
import random
import socket
import time

from drivers.testing.waiting import PATIENCE, in_time, soon

__all__ = ["PATIENCE", "free_port", "in_time", "soon", "until"]

WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PORTS = itertools.cycle(random.sample(range(16384 + WORKER, 32768, WORKERS), 16384 // WORKERS))
"""Linux gives whoever connects to somewhere a port above these; no worker has one of another's."""


def until(condition, what="it never came to that", pause=0.05):
    """Wait for a condition; return what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, what
        time.sleep(pause)
    return found


def free_port():
    """Return a TCP port for a server that cannot choose one itself.

    No worker is given one twice, until all were: two servers of a test never draw the same.
    """
    for port in PORTS:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("the ports go round and round")
