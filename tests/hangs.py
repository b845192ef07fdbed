"""A test that works on and on has hung: it fails by its name, long before its time is over.

Time on a clock says more about what else the machine does; so what is counted is what the test
itself has worked.
"""

import contextlib
import signal

MOST = 30.0
"""Seconds of work, several times what the longest test by day takes."""


class Hung(BaseException):
    """Nobody who catches errors catches this, nor looks for a smaller example of it."""


@contextlib.contextmanager
def named(most=MOST):
    """Fail what is done meanwhile once it has worked for so many seconds."""

    def fail(*_):
        raise Hung(f"it has worked for {most:g} s and would not end")

    before = signal.signal(signal.SIGVTALRM, fail)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
