"""A test that works on and on has hung: it fails by its name, long before its time is over.

Time on a clock says more about what else the machine does; so what is counted is what the test
itself has worked.
"""

import contextlib
import faulthandler
import os
import signal

import pytest

MOST = 30.0
"""Seconds of work, several times what the longest test by day takes."""
AGAIN = 2.0
"""Seconds of work until whoever caught it, or began another round to tidy up, hears it again."""
TIMES = 10
"""So often, then the process ends: what broke on the way out may hide it from all around."""


class Hung(KeyboardInterrupt):
    """Nobody who catches errors catches this: neither a task nor the search for an example."""


@contextlib.contextmanager
def named(most=MOST, again=AGAIN, what="it"):
    """Fail what is done meanwhile once it has worked for so many seconds."""
    told = []

    def stop(*_):
        told.append(f"{what} has worked for {most:g} s and would not end")
        if len(told) > TIMES:
            faulthandler.dump_traceback()
            os._exit(1)
        raise Hung(*told)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, most, again)
    try:
        with contextlib.suppress(Hung):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    if told:
        pytest.fail(told[0])
