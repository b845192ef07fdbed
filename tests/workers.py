"""One run of tests in several processes (`-n`), which part once all tests are collected.

To collect takes as long as hundreds of tests: it is done once. One process does a file's tests, in
their order; the next file goes to whoever is free.
"""

import contextlib
import os
import random
import signal
import traceback
from itertools import zip_longest
from multiprocessing import Pipe, connection

import pytest

from tests import patience

NUMBER = 2
"""Bytes of a file's number in the pipe from which each takes the next."""


def run_in(session, count):
    """Do the tests of a session in so many processes; tell of each as if it had been done here."""
    files = {}
    for item in session.items:
        files.setdefault(item.path, []).append(item)
    waiting, numbers = os.pipe()
    os.write(numbers, b"".join(number.to_bytes(NUMBER, "big") for number in range(len(files))))
    os.close(numbers)
    session.config._tmp_path_factory.getbasetemp()
    working = {}
    for worker in range(count):
        ear, mouth = Pipe(duplex=False)
        if not (child := os.fork()):
            _work(session, worker, count, _taken([*files.values()], waiting), mouth)
        mouth.close()
        working[ear] = child
    try:
        _listen(session, [*working])
    except BaseException:
        for child in working.values():
            os.kill(child, signal.SIGINT)
        raise
    finally:
        for child in working.values():
            os.waitpid(child, 0)
        os.close(waiting)
    return True


def _taken(files, waiting):
    """Yield files that nobody else takes, each once the one before is done."""
    while number := os.read(waiting, NUMBER):
        yield files[int.from_bytes(number, "big")]


def _listen(session, ears):
    """Tell what each process tells, until all have ended; what nobody told of has failed."""
    hook, config = session.config.hook, session.config
    left = {item.nodeid: item for item in session.items}
    while ears:
        for ear in connection.wait(ears):
            try:
                told = ear.recv()
            except EOFError:
                ears.remove(ear)
                continue
            report = hook.pytest_report_from_serializable(config=config, data=told)
            hook.pytest_runtest_logreport(report=report)
            if report.when == "teardown" and left.pop(report.nodeid, None):
                hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
    for item in left.values():
        words = "the process that had to do it ended"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", words, "call")
        hook.pytest_runtest_logreport(report=report)


def _work(session, worker, count, files, mouth):
    """Do what is taken, in a process of its own, and end it."""
    config = session.config
    random.seed()
    patience.share(worker, count)
    factory = config._tmp_path_factory
    factory._basetemp = factory.getbasetemp() / str(worker)
    factory._basetemp.mkdir(mode=0o700)
    capture = config.pluginmanager.get_plugin("capturemanager")
    capture.stop_global_capturing()  # what is kept of one's words lies in a file: in one's own now
    capture.start_global_capturing()
    capture.suspend_global_capture()
    nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    config.pluginmanager.get_plugin("terminalreporter")._tw._file = nowhere
    config.pluginmanager.register(_Teller(config, mouth))
    try:
        for tests in files:
            for item, following in zip_longest(tests, tests[1:]):
                config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.shouldfail or session.shouldstop:
                    return
        capture.stop_global_capturing()
    except BaseException:  # noqa: BLE001 - Ctrl-C, too; whoever listens says what was left
        capture.stop_global_capturing()
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            session._setupstate.teardown_exact(None)
        os._exit(0)


class _Teller:
    def __init__(self, config, mouth):
        self._config, self._mouth = config, mouth

    def pytest_runtest_logreport(self, report):
        hook = self._config.hook
        told = hook.pytest_report_to_serializable(config=self._config, report=report)
        self._mouth.send(told)
