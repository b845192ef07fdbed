"""Programs that some tests need: without them these skip; on the build machine they fail."""

import os
import shutil
import signal

import pytest
from hypothesis import settings

from tests.browser import ARGUMENTS, CHROMIUM
from tests.patience import PATIENCE

NEEDS = {
    "browser": ("chromium", "the Debian package chromium"),
    "compositor": ("cage grim sway Xwayland", "the Debian packages cage, grim, sway and xwayland"),
    "slicer": ("slic3r", "the Debian package slic3r"),
    "broker": ("mosquitto", "the Debian package mosquitto"),
    "kicad": ("pcbnew", "the Debian package kicad"),
    "openscad": ("openscad", "the Debian package openscad"),
    "chess_programs": (
        "stockfish fairy-stockfish",
        "the Debian packages stockfish and fairy-stockfish",
    ),
    "node": ("node", "the Debian packages nodejs and npm"),
}
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Whoever runs the tests in the background has them ignore Ctrl-C, and so would every program
    # that they start and end with it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
# How long an example takes says more about the machine's other work than about the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/games"


def pytest_runtest_setup(item):
    for marker, (programs, package) in NEEDS.items():
        if not item.get_closest_marker(marker):
            continue
        if missing := [name for name in programs.split() if not shutil.which(name, path=PATH)]:
            message = f"{', '.join(missing)} missing: install {package}"
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)


FIRST = ("tests/e2e/", "tests/hardware/", "tests/security/", "tests/test_")
"""Where files take longest for the number of their tests."""


def pytest_collection_modifyitems(items):
    """Give out long files first: what is done last should not keep one worker busy alone."""
    items.sort(key=lambda item: [not item.nodeid.startswith(place) for place in FIRST])


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
