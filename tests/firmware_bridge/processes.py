"""Real commands as processes, and waiting for what they do."""

import contextlib
import subprocess
import time


@contextlib.contextmanager
def process(command):
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.terminate()
        running.wait(15)


def until(condition, seconds=30):
    """Wait for a condition; return what it gave."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found
