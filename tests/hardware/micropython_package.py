"""The real MicroPython for Node: installed by itself on the build machine, else where it is."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "micropython"
NODE = shutil.which("node")


@cache
def installed():
    if os.environ.get("CI") and not (FOLDER / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=FOLDER, check=True)
    return NODE is not None and (FOLDER / "node_modules").is_dir()


needs_micropython = pytest.mark.skipif(
    not os.environ.get("CI") and not installed(),
    reason="needs Node.js and `npm ci` in tests/hardware/micropython",
)
