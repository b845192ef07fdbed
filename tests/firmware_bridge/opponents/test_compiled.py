"""What is compiled plays turn for turn as its source, and is never taken for another source's."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import compiling, main
from firmware_bridge.cli.compiling import build
from firmware_bridge.opponents import compiled
from tests.nightly import at_night

pytestmark = pytest.mark.timeout(600)
compiles = at_night("mypyc takes its time")

PLAY = """
import json, sys
from importlib import import_module
from pathlib import Path
from random import Random
from firmware_bridge.opponents import compiled
(home, level, games, plies), GAMES = (Path(sys.argv[1]), *map(int, sys.argv[2:5])), sys.argv[5:]
compiled.use(home)
import rules
from firmware_bridge.opponents import level_of
from firmware_bridge.opponents.any_game import AnyGame
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.match import Match, entrant
external.PROGRAMS = ()
told = []
for game_id in GAMES:
    players = (entrant(level_of(game_id, level)), entrant(level_of(game_id, level - 1)))
    match = Match(rules.load(game_id), players, "1", plies)
    told.append([game_id, *(match.play(number).turns for number in range(games))])
start = rules.load("reversi").start()
seen = start.game.believe("white", start.knowledge("white"))
told.append(AnyGame().choose(seen, level_of("elsewhere", level), Random(1)).line)
files = {name: import_module(name).__file__ for name in compiled.MODULES}
print(json.dumps([[name for name, file in files.items() if not file.endswith(".py")], told]))
"""
GAMES = ("reversi", "mockery", "chess960", "indistinguishable", "reality-check", "realm")
AT = ("7", "1", "100")
"""A level, how many games, and after how many plies they are cut."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("compiled")
    build(home)
    return home


def played(home):
    command = [sys.executable, "-c", PLAY, str(home), *AT, *GAMES]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@compiles
@pytest.mark.compiler
def test_it_plays_turn_for_turn_as_its_source(home, tmp_path):
    machine_code, turns = played(home)
    assert machine_code == [*compiled.MODULES]
    assert played(tmp_path) == [[], turns]


@compiles
@pytest.mark.compiler
def test_where_the_rules_run_as_source_already_all_does(home):
    late = """
import sys
from importlib import import_module
from pathlib import Path
import rules
rules.load("realm").start()
from firmware_bridge.opponents import compiled
compiled.use(Path(sys.argv[1]))
print([name for name in compiled.MODULES if not import_module(name).__file__.endswith(".py")])
"""
    command = [sys.executable, "-c", late, str(home)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("left", [(), ("unfinished",), (compiled.digest(compiled.sources()),)])
def test_where_nothing_was_compiled_the_source_runs(tmp_path, left):
    """As in a version that came in a file, which has no mypy; or the compiling was cut short."""
    for name in left:
        tmp_path.joinpath("home", name).mkdir(parents=True)
    finder = compiled.Finder(tmp_path / "home")
    assert not any(finder.find_spec(name) for name in compiled.MODULES)


@compiles
@pytest.mark.compiler
def test_what_other_source_became_is_not_used(home, monkeypatch):
    assert compiled.Finder(home).find_spec(compiled.MODULES[0]).origin.endswith(".so")
    changed = [(path, text + b"\n") for path, text in compiled.sources()]
    monkeypatch.setattr(compiled, "sources", lambda: changed)
    assert compiled.Finder(home).find_spec(compiled.MODULES[0]) is None


def test_it_says_why_it_could_not_be_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "HOME", tmp_path)
    monkeypatch.setattr(compiling, "_SETUP", "raise SystemExit('no mypyc here')")
    done = CliRunner().invoke(main, ["opponent", "compile"])
    assert done.exit_code == 1
    assert "no mypyc here" in done.stderr
    assert "gcc" in done.stderr
    assert not list(tmp_path.iterdir())
