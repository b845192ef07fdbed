"""How long tests wait for what must come.

A test that waits does so for a condition, and goes on as soon as it is there. The limit only ends
waiting in vain: a machine that has much else to do, or stands still for a while, is no fault.
"""

import contextlib
import random
import socket
import time
from collections import deque

from drivers.testing.waiting import PATIENCE, in_time, soon

__all__ = ["PATIENCE", "free_port", "in_time", "soon", "until"]

PORTS = deque()
"""Ports of this process alone. Linux gives whoever connects to somewhere one above these."""


def share(worker, workers):
    """Take one of so many equal shares of the ports, in any order."""
    shares = range(16384 + worker, 32768, workers)
    PORTS.clear()
    PORTS.extend(random.sample(shares, len(shares)))


share(0, 1)


def until(condition, what="it never came to that", pause=0.05):
    """Wait for a condition; return what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, what
        time.sleep(pause)
    return found


def free_port():
    """Return a TCP port for a server that cannot choose one itself.

    None is given twice, until all were: two servers of a test never draw the same.
    """
    for _ in range(len(PORTS)):
        PORTS.rotate()
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", PORTS[0]))
            return PORTS[0]
    raise AssertionError("all ports are taken")
