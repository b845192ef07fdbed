"""The example package outside the tree: built, installed, found, tried and played."""

import ast
import asyncio
import importlib.util
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from drivers.testing import soon
from firmware_bridge import extensions
from tests.wheels import LIBRARIES, build, installed

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "plug_in"
PACKAGES = ("rules", "drivers", "firmware_bridge")
START = {f"{file}{rank}": "man" for file in "abcdefgh" for rank in (1, 2, 7, 8)}


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLE / "tests" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LineDevice = load("line_device").LineDevice


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Return the Python of an environment into which the built package was installed."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    subprocess.run(["cp", "-r", EXAMPLE, source], check=True)
    # What is installed here is there too, and the bridge itself as it stands.
    return installed(build(source, folder), ROOT, LIBRARIES)


def bridge(python, *arguments):
    return subprocess.run(
        [python, "-m", "firmware_bridge", *map(str, arguments)],
        cwd=python.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def told(python):
    """Return what its parts tell of themselves where it is installed, by their names."""
    ran = subprocess.run(
        [python, "-c", ASKED], cwd=python.parent, capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


ASKED = """
import json
from firmware_bridge import puzzles
from firmware_bridge.clock import control
from firmware_bridge.clock.clock import Clock
from firmware_bridge.referee import penalties
from firmware_bridge.words import LANGUAGES, catalogue, offered

agreed = control.parse("1m BYO-YOMI 3 x 30")
clock, left = Clock.of(agreed), []
for seconds in (50, 25, 29, 31, 45):
    clock = clock.start("white", 0).complete("white", seconds * 1000)
    left.append(clock.left("white", seconds * 1000))
    clock = clock.stop(0)
gaps = {"side": "side-black", "seconds": "9"}
said = [catalogue(language).text("penalty-half", gaps) for language in ("en", "de", "fr")]
found = [
    (puzzle.id, puzzle == puzzles.find(puzzle.id), puzzle.goal)
    for puzzle in puzzles.of("king-of-the-hill")
]
print(json.dumps({
    "time": [str(agreed), *left],
    "penalty": [str(penalties.parse("warning, Half")), "fr" in LANGUAGES, "fr" in offered(), *said],
    "puzzles": found,
}))
"""


def imported():
    """Yield what the example imports of the project, and from which module."""
    for file in EXAMPLE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom):
                for name in node.names:
                    yield node.module, name.name


def test_it_uses_only_what_others_may_import():
    ours = [(m, name) for m, name in imported() if m.split(".")[0] in PACKAGES]
    assert ours
    for module, name in ours:
        offered = getattr(importlib.import_module(module), "__all__", ())
        assert name in offered or is_offering(f"{module}.{name}"), (module, name)


def is_offering(name):
    """Return whether this is a module that says what may be imported from it."""
    return importlib.util.find_spec(name) and hasattr(importlib.import_module(name), "__all__")


def test_it_has_one_of_each():
    groups = set(re.findall(r"`(firmware_bridge\.[a-z_]+)` \|", extensions.__doc__))
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    assert set(project["entry-points"]) == groups


def test_its_game_and_its_own_reasons_are_known(python):
    assert "king-of-the-hill: King of the Hill\n" in bridge(python, "rules", "list").stdout
    checked = bridge(python, "rules", "check", "king-of-the-hill", "e4")
    assert "kings-hill" in checked.stdout + checked.stderr


def test_its_command_is_one_of_ours(python):
    assert "hill-steps" in bridge(python, "--help").stdout
    assert bridge(python, "hill-steps", "a1").stdout == "3\n"


def test_its_mind_plays_its_game_at_levels_of_its_own(python):
    levels = bridge(python, "opponent", "levels", "king-of-the-hill").stdout
    assert "7 master: looks at up to 300 positions a turn\n" in levels
    hill = "4k3/7p/8/8/8/4K3/P7/8 w - - 0 60"
    best = bridge(python, "opponent", "best", "king-of-the-hill", "--position", hill, "--turns")
    assert best.returncode == 0, best.stderr
    turn, told = best.stdout.splitlines()
    assert turn in ("e3e4", "e3d4")
    assert json.loads(told)["depth"] == 1


def test_its_time_is_counted_in_periods_that_a_quick_turn_leaves_whole(told):
    # 50 s of the minute; 15 s into the first period; within it; one period gone; the last begun.
    assert told["time"] == ["1m byo-yomi 3x30s", 100_000, 90_000, 90_000, 60_000, 30_000]


def test_its_carrier_makes_two_boards_friends(python, tmp_path):
    (tmp_path / "between").mkdir()
    settings = ["distance.carrier=folder", f"distance.settings.path={tmp_path / 'between'}"]
    ada, grace = (
        [word for each in (*settings, f"data={tmp_path / name}") for word in ("-s", each)]
        for name in ("ada", "grace")
    )
    command = [python, "-m", "firmware_bridge", "distance", "invite", *ada]
    with subprocess.Popen(command, cwd=python.parent, stdout=subprocess.PIPE, text=True) as inviter:
        words = next(line for line in inviter.stdout if " join " in line).split()[-4:]
        joined = bridge(python, "distance", "join", *words, *grace)
        assert "friends now" in joined.stdout, joined.stderr
        assert "friends now" in inviter.communicate()[0]
    refused = bridge(python, "distance", "doctor", *grace, "-s", "distance.settings.way=1")
    assert 'The carrier "folder" knows no setting "way".' in refused.stderr


def test_its_penalty_and_its_words_are_there_in_every_language(told):
    assert told["penalty"] == [
        *("warning, half", True, False),
        "An illegal move: half of Black's time is gone, 9 seconds.",
        "Ein ungültiger Zug: Die halbe Zeit von Schwarz ist weg, 9 Sekunden.",
        "Un coup illégal : la moitié du temps des Noirs est perdue, 9 secondes.",
    ]


def test_its_puzzle_is_among_the_puzzles_of_its_game(told):
    assert told["puzzles"] == [["king-of-the-hill-1.1", True, "puzzle-win-1"]]


def test_its_board_does_every_duty_of_a_driver(python):
    tests = EXAMPLE / "tests" / "test_line_board.py"
    options = ("-q", "-p", "no:cacheprovider", "--rootdir", EXAMPLE)
    tried = subprocess.run(
        [python, "-m", "pytest", "-n0", *options, "-c", os.devnull, tests],
        cwd=python.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.returncode == 0, tried.stdout
    assert "13 passed" in tried.stdout


async def test_its_board_is_found_and_a_game_is_played_and_shown(python, tmp_path):
    async with LineDevice(tmp_path / "port", START) as device:
        found = await asyncio.to_thread(bridge, python, "boards", tmp_path / "port")
        device.commands.clear()
        assert "Line board" in found.stdout, found.stderr
        board = tomllib.loads(found.stdout)["board"]
        clock = tmp_path / "clock.txt"
        settings = {
            "board.driver": board["driver"],  # and so its own board
            "board.settings.port": board["settings"]["port"],
            "game.id": "king-of-the-hill",
            "game.settings.time": "5m",
            "indicators.text-clock.path": clock,
            "pages.port": 0,
            "data": tmp_path / "games",
        }
        service = await asyncio.create_subprocess_exec(
            *(python, "-m", "firmware_bridge", "run"),
            *(f"--set={key}={value}" for key, value in settings.items()),
            cwd=tmp_path,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            shown = lambda: clock.read_text() if clock.exists() else ""  # noqa: E731
            await soon(lambda: service.returncode is not None or "5:00 | 5:00" in shown())
            await soon(lambda: b"light" in b"".join(device.commands))  # it knows what stands there
            for cell, label in (("e2", None), ("e3", "man")):
                device.put(cell, label)
            await soon(lambda: {"e2", "e3"} & device.lights)
            device.pressed("white")
            await soon(lambda: shown().endswith(" black\n"))
            await soon(lambda: "4:5" in shown())  # it is refreshed while nothing happens
        finally:
            if service.returncode is None:
                service.terminate()
            _, complaints = await service.communicate()
        assert service.returncode == 0, complaints.decode()
