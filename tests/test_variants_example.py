"""The example package of chess variants: its own tests, and the suites of all games."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.nightly import NIGHTLY

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "variants"
GROUP = "firmware_bridge.games"
OF_ALL_GAMES = (
    "tests/rules/test_laws.py",
    "tests/firmware_bridge/pages/test_learn.py",
    "tests/firmware_bridge/table/test_play.py",
    "tests/firmware_bridge/recordings/test_export.py",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return what runs a module of Python where the package is installed."""
    info = tmp_path_factory.mktemp("installed") / "chess_variants_example-1.0.dist-info"
    info.mkdir()
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    entries = [f"{name} = {place}" for name, place in project["entry-points"][GROUP].items()]
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n")
    (info / "entry_points.txt").write_text("\n".join((f"[{GROUP}]", *entries)))

    def run(*arguments):
        path = os.pathsep.join(map(str, (ROOT, EXAMPLE, info.parent)))
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    run.games = [*project["entry-points"][GROUP]]
    return run


def test_its_own_tests_hold(run):
    tested = run("pytest", "-q", "-n0", EXAMPLE / "tests")
    assert tested.returncode == 0, tested.stdout


def test_the_suites_of_all_games_hold_for_them(run):
    chosen = run.games if NIGHTLY else ["atomic", "crazyhouse", "horde"]
    tested = run("pytest", "-q", "-n0", "-k", " or ".join(chosen), *OF_ALL_GAMES)
    assert tested.returncode == 0, tested.stdout


def test_computers_play_them_and_words_are_whole(run):
    for game in run.games:
        best = run("firmware_bridge", "opponent", "best", game, "--level", 1, "--seed", 1)
        assert best.returncode == 0, best.stderr
    assert run("firmware_bridge", "rules", "list").stdout.count("\n") >= len(run.games)
