"""What some tests need of a machine: without it these skip; on the build machine they fail."""

import contextlib
import gc
import itertools
import logging
import os
import shutil
import signal
import sys
from collections import Counter
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from firmware_bridge.diagnostics.logs import PACKAGES, Once
from tests.browser import ARGUMENTS, CHROMIUM
from tests.hangs import named
from tests.nightly import NIGHTLY, enough, few
from tests.patience import PATIENCE
from tests.quick import keep_seconds, seconds

NEEDS = {
    "browser": ("chromium", "the Debian package chromium"),
    "compositor": ("cage grim sway Xwayland", "the Debian packages cage, grim, sway and xwayland"),
    "slicer": ("slic3r", "the Debian package slic3r"),
    "broker": ("mosquitto", "the Debian package mosquitto"),
    "kicad": ("pcbnew", "the Debian package kicad"),
    "kicad_symbols": ("/usr/share/kicad/symbols", "the Debian package kicad-symbols"),
    "openscad": ("openscad", "the Debian package openscad"),
    "chess_programs": (
        "stockfish fairy-stockfish",
        "the Debian packages stockfish and fairy-stockfish",
    ),
    "compiler": ("gcc", "the Debian package gcc"),
    "node": ("node", "the Debian packages nodejs and npm"),
}
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Whoever runs the tests in the background has them ignore Ctrl-C, and so would every program
    # that they start and end with it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
# How long an example takes says more about the machine's other work than about the code.
settings.register_profile("patient", deadline=None, max_examples=few(100))
settings.load_profile("patient")
# httpx looks for it all over the path, with each request to a page in this process.
sys.modules.setdefault("sniffio", None)
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/games"


def installed(name):
    """Whether a program, or a folder by its whole path, is there."""
    return Path(name).is_dir() if name.startswith("/") else bool(shutil.which(name, path=PATH))


def pytest_runtest_setup(item):
    for marker, (programs, package) in NEEDS.items():
        if not item.get_closest_marker(marker):
            continue
        if missing := [name for name in programs.split() if not installed(name)]:
            message = f"{', '.join(missing)} missing: install {package}"
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Let no test by day work on and on: what hangs fails by its name; what is timed has time."""
    with contextlib.nullcontext() if NIGHTLY or "benchmark" in item.fixturenames else named():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Let no module work on and on while it is imported: the run ends and names it."""
    with named(what=collector.nodeid):
        return (yield)


def pytest_runtest_teardown():
    """Undo what a command has set that ran in this process: it would bend what others hear."""
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if any(isinstance(one, Once) for one in handler.filters):
            root.removeHandler(handler)
            root.setLevel(logging.WARNING)
    for package in PACKAGES:
        logging.getLogger(package).setLevel(logging.NOTSET)


def pytest_addoption(parser):
    parser.addoption("--keep-seconds", action="store_true", help="write tests/seconds.json anew")


def pytest_terminal_summary(terminalreporter, exitstatus):
    """Say what else other packages add: their writers look for a fault of theirs in our tests."""
    groups = [name for name in entry_points().groups if name.startswith("firmware_bridge.")]
    points = [point for group in groups for point in entry_points(group=group)]
    others = {p.dist.name for p in points if p.dist} - {"firmware-bridge"}
    if exitstatus and others:
        added = f"{', '.join(sorted(others))} adds to what is tested; without it all may pass."
        terminalreporter.write_line(added)


TOOK = Counter()
NO_VALUES = SimpleNamespace(params={})


def pytest_runtest_logreport(report):
    TOOK[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish(session, exitstatus):
    whole = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    worker = hasattr(session.config, "workerinput")
    if whole and session.config.getoption("keep_seconds") and not worker:
        keep_seconds(TOOK)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the tests themselves out of all garbage collections: they stay to the end.

    What remains is looked through less often than usual: that took a tenth of the laws' time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Keep of tests with many parameters what has to be, and give out long files first.

    By day any two values of parameters meet in one test, at night all with all. What is done last
    should not keep one worker busy alone, nor should a file by mouse that nobody has timed yet.
    """
    kept, left = meeting(items)
    config.hook.pytest_deselected(items=left)
    took = seconds()

    def long(item):
        untimed = 60 if item.get_closest_marker("browser") else 0
        return took.get(item.nodeid.partition("::")[0], untimed)

    items[:] = sorted(kept, key=long, reverse=True)


def meeting(items):
    """The tests in which any two values of parameters meet, and those that it does not need."""
    kept, left = [], []
    for _, group in itertools.groupby(items, key=lambda item: (item.parent, item.originalname)):
        tests = list(group)
        given = [getattr(test, "callspec", NO_VALUES).params for test in tests]
        if min(map(len, given)) < 3:
            kept += tests
            continue
        values = [{name: id(value) for name, value in params.items()} for params in given]
        needed = {id(chosen) for chosen in enough(values)}
        for test, chosen in zip(tests, values, strict=True):
            (kept if id(chosen) in needed else left).append(test)
    return kept, left


@pytest.fixture(scope="module")
def browser():
    """Chromium, closed with each file of tests."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=1000 * PATIENCE
        )
        yield chromium
        chromium.close()
