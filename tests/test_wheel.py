"""What is installed: all that people use, and nothing that only developers run."""

import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.wheels import LIBRARIES, build, installed

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXCLUDED = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
IMPORT_ALL = """
import importlib, pkgutil, sys
for package in ("rules", "drivers", "firmware_bridge"):
    here = importlib.import_module(package)
    assert "site-packages" in here.__file__, here.__file__
    for found in pkgutil.walk_packages(here.__path__, package + "."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel):
    return installed(wheel, LIBRARIES)


def run(*command):
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", EXCLUDED)
def test_what_only_developers_run_is_here_and_not_in_the_wheel(wheel, path):
    assert (ROOT / path).exists()
    packed = zipfile.ZipFile(wheel).namelist()
    assert "firmware_bridge/cli/run.py" in packed
    assert not [name for name in packed if name.startswith(path)]


def test_nothing_that_is_installed_needs_what_is_not(python):
    imported = run(python, "-c", IMPORT_ALL)
    assert imported.returncode == 0, imported.stderr


def test_the_installed_command_offers_what_is_there(python):
    command = python.parent / "firmware-bridge"
    offered = run(command, "--help")
    assert offered.returncode == 0, offered.stderr
    assert {"demo", "run", "replay"} <= set(offered.stdout.split())
    assert "bench" not in offered.stdout.split()
    assert "No such command 'bench'" in run(command, "bench", "reconcile").stderr
