"""A sixth game is one new module and one new data file: nothing else is touched.

A copy of the packages gets the two files of `tests/sixth_game`, and everything finds the game.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEW = ROOT / "tests" / "sixth_game"
PACKAGES = ("rules", "drivers", "firmware_bridge")
ENUMERATING = ("words/test_words.py", "pages/test_learn.py", "service/test_demonstration.py")

GAME = {
    "format": "firmware-bridge-recording",
    "version": 1,
    "game": "king-of-the-hill",
    "options": {},
    "position": "4k3/8/8/8/8/3K4/4P3/8 w - - 0 1",
    "tier": "occupancy",
    "clock": True,
    "settings": {"language": "de"},
}
HANDS = [
    {"t": 1.0, "cell": "e2", "reading": None},
    {"t": 2.0, "cell": "e4", "reading": True},
    {"t": 3.0, "button": "white"},
    {"t": 4.0, "cell": "e4", "reading": None},
    {"t": 5.0, "cell": "e2", "reading": True},
    {"t": 6.0, "cell": "d3", "reading": None},
    {"t": 7.0, "cell": "d4", "reading": True},
    {"t": 8.0, "button": "white"},
    {"t": 9.0, "end": True},
]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / package, ignore=ignored)
    shutil.copy(NEW / "king_of_the_hill.py", folder / "rules" / "games")
    shutil.copy(NEW / "king-of-the-hill.toml", folder / "firmware_bridge" / "games")
    return folder


def run(checkout, *arguments):
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_line_knows_it_and_its_reasons(checkout):
    listed = run(checkout, "firmware_bridge", "rules", "list")
    assert "king-of-the-hill: King of the Hill\n" in listed.stdout
    checked = run(checkout, "firmware_bridge", "rules", "check", "king-of-the-hill", "e4")
    assert "kings-hill" in checked.stdout + checked.stderr
    assert "e4 is for kings alone." in checked.stdout + checked.stderr


def test_a_recording_of_it_is_refereed_in_its_own_words(checkout):
    recording = checkout / "hill.jsonl"
    lines = [GAME, *HANDS]
    recording.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    replayed = run(checkout, "firmware_bridge", "replay", recording)
    told = [json.loads(line) for line in replayed.stdout.splitlines()]
    said = " ".join(line["say"] for line in told if "say" in line)
    assert "Den Hügel darf nur ein König betreten." in said
    assert "kings-hill" in {line.get("reason") for line in told}
    assert [line["taken"] for line in told if "taken" in line] == ["d3d4"]
    assert "Ein König steht auf dem Hügel." in said


def test_the_tests_of_all_games_hold_for_it(checkout):
    shutil.copytree(ROOT / "tests", checkout / "tests", dirs_exist_ok=True)
    shutil.copy(ROOT / "pyproject.toml", checkout)
    tests = [f"tests/firmware_bridge/{name}" for name in ENUMERATING]
    tested = run(checkout, "pytest", "-q", "-k", "king-of-the-hill", *tests)
    assert tested.returncode == 0, tested.stdout
