"""Several processes do one run of tests, and nothing that one of them does is lost."""

import subprocess
import sys
from collections import deque

from tests import patience
from tests.imports import ROOT

ONE = """
import pytest

def test_passes(tmp_path):
    (tmp_path / "here").touch()

def test_fails(capfd):
    print("a word")
    assert False, "a reason"

def test_skips():
    pytest.skip("for a reason")
"""
OTHER = """
import os

def test_passes(tmp_path):
    (tmp_path / "there").touch()

def test_dies():
    os._exit(3)

def test_comes_after():
    pass
"""


def run(folder, *arguments):
    folder.joinpath("test_one.py").write_text(ONE)
    folder.joinpath("test_other.py").write_text(OTHER)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", "pyproject.toml"]
    done = subprocess.run(
        [*command, f"--rootdir={folder}", str(folder), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_all_is_told_also_of_what_died(tmp_path):
    told = run(tmp_path, "-n2")
    assert "3 failed, 2 passed, 1 skipped" in told
    assert "a reason" in told
    assert "a word" in told
    assert told.count("the process that had to do it ended") == 2


def test_it_stops_where_it_is_told_to(tmp_path):
    told = run(tmp_path, "-n1", "-x", "-k", "fails or comes_after")
    assert "1 failed" in told
    assert "passed" not in told


def test_no_port_is_given_to_two(monkeypatch):
    monkeypatch.setattr(patience, "PORTS", deque())
    given = []
    for worker in range(3):
        patience.share(worker, 3)
        given += patience.PORTS
    assert len(given) == len(set(given)) > 16000
