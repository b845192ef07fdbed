"""How long tests wait for what must come.

A test that waits does so for a condition, and goes on as soon as it is there. The limit only ends
waiting in vain: a machine that has much else to do, or stands still for a while, is no fault.
"""

import contextlib
import socket
import time
from random import SystemRandom

from drivers.testing.waiting import PATIENCE, in_time, soon

__all__ = ["PATIENCE", "free_port", "in_time", "soon", "until"]

PORTS = range(16384, 32768)
"""Linux gives whoever connects to somewhere a port above these."""


def until(condition, what="it never came to that", pause=0.05):
    """Wait for a condition; return what it gave."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, what
        time.sleep(pause)
    return found


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
