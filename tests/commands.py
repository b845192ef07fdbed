"""Commands and scripts as processes, forked where what they import stands already.

To start Python and import what a demo needs takes a core a second; forked there, nearly nothing.
`tests/e2e/test_service_process.py` starts some as people do.
"""

import contextlib
import os
import signal
import subprocess
import sys
from multiprocessing import get_context

from firmware_bridge.cli import main
from tests.patience import PATIENCE

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    [
        "firmware_bridge.cli.demo",
        "firmware_bridge.dashboard.web",
        "hardware.install.updater.__main__",
        __name__,
    ]
)


class Command:
    """`firmware-bridge` with these arguments, as far as it is used like `subprocess.Popen`.

    Args:
        arguments: the words of its line.
        output: the file that it writes all it says to, anew.
        environment: what is set for it.
    """

    def __init__(self, *arguments, output, **environment):
        output.write_bytes(b"")
        self._process = _PROCESSES.Process(
            target=_run, args=(arguments, output, {**os.environ, **environment})
        )
        self._process.start()
        self.pid = self._process.pid

    def poll(self):
        return self._process.exitcode

    def wait(self, timeout=PATIENCE):
        self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("firmware-bridge", timeout)
        return self.poll()

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


def run_on(port, data, settings):
    """Return the arguments with which the service runs on a board at this port, unheard."""
    usual = {"board.description": "simulated", "pages.port": 0}
    silent = {"sound.speech": "false"}  # a machine without a sound card would rightly complain
    given = {**usual, **silent, "board.settings.port": port, "data": data, **settings}
    return ("run", *(f"--set={key}={value}" for key, value in given.items()))


@contextlib.contextmanager
def running(*arguments, output, start=Command, **environment):
    """Run a command until the block is left; give its process."""
    process = start(*arguments, output=output, **environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def script(lines, environment):
    """Run lines of Python to their end; return the exit code and all that was said.

    What they say goes through a pipe: a script may forbid itself every byte of a file.
    """
    heard, said = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_run_script, args=(lines, said, environment))
    process.start()
    said.close()
    with heard, open(heard.fileno(), encoding="utf-8", closefd=False) as text:
        told = text.read()
    process.join()
    return process.exitcode, told


def _run(arguments, output, environment):
    with output.open("ab") as file:
        _begin(file, environment)
    main(arguments)


def _run_script(lines, said, environment):
    _begin(said, environment)
    said.close()
    exec(lines, {})


def _begin(said, environment):
    """Let this process say all there, in this environment."""
    os.environ.clear()
    os.environ.update(environment)
    for number in (1, 2):
        os.dup2(said.fileno(), number)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)
