"""Real commands as processes."""

import contextlib
import subprocess

from tests.patience import PATIENCE


@contextlib.contextmanager
def process(command):
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        running.terminate()
        running.wait(PATIENCE)
