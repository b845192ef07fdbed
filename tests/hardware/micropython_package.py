"""The real MicroPython for Node, as `./test` installs it."""

import os
import shutil
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "micropython"
NODE = shutil.which("node")


def installed():
    return NODE is not None and (FOLDER / "node_modules").is_dir()


needs_micropython = pytest.mark.skipif(
    not os.environ.get("CI") and not installed(),
    reason="needs Node.js and `npm ci` in tests/hardware/micropython",
)
