"""A package that cannot be used is named, and takes nothing with it but what it brought itself."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge import extensions
from tests import conftest
from tests.nightly import one_of

ROOT = Path(__file__).parent.parent
GROUPS = re.findall(r"^\| `(firmware_bridge\.\w+)`", extensions.__doc__, re.MULTILINE)
"""All that another package can add, as newcomers read it."""


@pytest.fixture(params=["def broken(:", "{}['key']"])
def run(request, tmp_path):
    """Run Python where a package is installed that fails, one way after the other, at each door."""
    info = tmp_path / "broken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    points = "".join(f"[{group}]\ngrid-2 = broken_one:X\n" for group in GROUPS)
    (info / "entry_points.txt").write_text(points)
    (tmp_path / "broken_one.py").write_text(request.param)

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_where_tests_fail_it_is_told_what_another_package_adds(monkeypatch):
    point = SimpleNamespace(dist=SimpleNamespace(name="my-game"))
    added = {"firmware_bridge.games": [point], "console_scripts": [SimpleNamespace(dist=None)]}
    groups = SimpleNamespace(groups=added)
    monkeypatch.setattr(conftest, "entry_points", lambda group=None: added.get(group, groups))
    lines = []
    terminal = SimpleNamespace(write_line=lines.append)
    conftest.pytest_terminal_summary(terminal, 0)
    conftest.pytest_terminal_summary(terminal, 1)
    assert lines == ["my-game adds to what is tested; without it all may pass."]


def test_every_group_that_is_looked_for_is_told_of():
    written = re.compile(r'(?:^GROUP = |folders\()"(firmware_bridge\.\w+)"', re.MULTILINE)
    looked_for = {
        name
        for package in ("rules", "drivers", "firmware_bridge")
        for file in (ROOT / package).rglob("*.py")
        for name in written.findall(file.read_text(encoding="utf-8"))
    }
    assert looked_for == {*GROUPS}
    assert len(GROUPS) == 10


def test_commands_go_on_and_a_broken_one_says_why(run):
    everything = run("-m", "firmware_bridge", "--help")
    assert everything.returncode == 0, everything.stderr
    assert "doctor" in everything.stdout
    asked = run("-m", "firmware_bridge", "grid-2", "--any", "thing")
    assert asked.returncode == 1
    told = "The command 'grid-2' cannot be loaded: broken_one:X of the package broken ("
    assert told in asked.stderr
    assert "Traceback" not in asked.stderr


USED = """
    from drivers import driver_registry
    from firmware_bridge.clock import control
    from firmware_bridge.games.shelf import usable
    from firmware_bridge.opponents.finding import engine_of
    from firmware_bridge.puzzles import of
    from firmware_bridge.referee import penalties
    from firmware_bridge.words import LANGUAGES

    assert "dgt" in driver_registry.probes()
    assert str(control.parse("30m bronstein 10s")) and str(penalties.parse("5m"))
    assert of("reversi") and not of("grid-2") and "de" in LANGUAGES
    assert "grid" in usable() and "grid-2" not in usable()
"""


def test_all_else_goes_on_and_what_is_left_out_is_named(run):
    done = run("-c", textwrap.dedent(USED))
    assert done.returncode == 0, done.stderr
    for group in ("time_controls", "penalties", "words", "puzzles"):
        assert f"grid-2 of the group firmware_bridge.{group} is left out: " in done.stderr
    assert "a game is left out: The game 'grid-2' cannot be used: broken_one:X of " in done.stderr


@pytest.mark.parametrize(
    "asked",
    one_of("board.driver=grid-2", "indicators.grid-2.port=x", "distance.carrier=grid-2"),
)
def test_what_is_asked_for_and_cannot_be_loaded_is_refused_in_a_sentence(run, asked):
    here = ("--set", "data=games", "--set", "pages.port=0", "--set", asked)
    refused = run("-m", "firmware_bridge", "run", *here)
    assert refused.returncode == 4, refused.stderr
    assert '"grid-2"' in refused.stderr
    assert "broken_one:X of the package broken (" in refused.stderr
    assert "Traceback" not in refused.stderr
