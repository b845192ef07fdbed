"""Programs that some tests need: without them these skip; on the build machine they fail."""

import os
import shutil

import pytest

NEEDS = {
    "browser": ("chromium", "the Debian package chromium"),
    "broker": ("mosquitto", "the Debian package mosquitto"),
    "node": ("node", "the Debian packages nodejs and npm"),
}
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin"


def pytest_runtest_setup(item):
    for marker, (program, package) in NEEDS.items():
        if item.get_closest_marker(marker) and shutil.which(program, path=PATH) is None:
            message = f"{program} is missing: install {package}"
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)
