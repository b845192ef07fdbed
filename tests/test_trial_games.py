"""Three games from another package, unlike any of ours: everything finds them.

`tests/trial_games` stands for an installed package: it lies on the path with its entry points. One
game has another board, start and text; one has a secret and a declaration of its own; in the third
a turn is one of a thousand.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.nightly import NIGHTLY, at_night

ROOT = Path(__file__).parent.parent
TRIALS = ROOT / "tests" / "trial_games"
IDS = ("breakthrough", "masked-king")
LONG = "marseillais"
OF_ALL_GAMES = (
    "recordings/test_export.py",
    "pages/test_learn.py",
    "service/test_demonstration.py",
    "simulation/test_simulate.py",
    "simulation/test_hands.py",
    "table/test_play.py",
    "table/test_resume.py",
    "table/test_set_up.py",
    "table/test_storms.py",
    "views",
    "words/test_words.py",
)
"""Every suite is run for them at night; these are quick, and find most."""
SUITES = (
    "tests/trial_games/trials.py",
    "tests/rules/test_laws.py",
    *(f"tests/firmware_bridge/{suite}" for suite in (("",) if NIGHTLY else OF_ALL_GAMES)),
)
COMPLETE = """
from rules import Game, Position

class Lacking(Game):
    id = "{id}"
    name = "Lacking"
    squares = frozenset({{"a1"}})
    def parse(self, text):
        return self.start()
    def start(self):
        return {start}

class Half(Position):
    game = side = outcome = placement = shown = None
    def turns(self): ...
    def play(self, turn): ...
"""


def run(*arguments, path=TRIALS, **environment):
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{path}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_suites_of_all_games_hold_for_them():
    chosen = " or ".join((*IDS, "trials"))
    tested = run("pytest", "-q", "-n0", "-k", chosen, *SUITES)
    assert tested.returncode == 0, tested.stdout
    for trial in IDS:
        assert trial not in tested.stdout.partition("short test summary")[2]


@at_night("a thousand turns take time")
def test_the_suites_of_all_games_hold_where_a_turn_is_one_of_a_thousand():
    chosen = f"{LONG} and not turns_of_computers"  # which take a second each
    tested = run("pytest", "-q", "-n0", "-k", chosen, *SUITES, FIRMWARE_BRIDGE_NIGHTLY="")
    assert tested.returncode == 0, tested.stdout


def test_the_command_line_knows_them_and_their_reasons():
    assert "masked-king: The Masked King\n" in run("firmware_bridge", "rules", "list").stdout
    checked = run("firmware_bridge", "rules", "check", "breakthrough", "-p", "W:Wc3:Bc4:9", "c3-c4")
    assert "straight-capture" in checked.stdout + checked.stderr


def test_the_bench_plays_them_and_names_its_rows():
    bench = run(
        "firmware_bridge", "bench", "reconcile", "--games", 1, "--plies", 6, "--only", IDS[0]
    )
    assert bench.returncode == 0, bench.stdout + bench.stderr
    assert "breakthrough" in bench.stdout
    unknown = run("firmware_bridge", "bench", "reconcile", "--only", "draughts")
    assert unknown.returncode == 2
    assert "masked-king identity" in unknown.stderr


def test_a_reason_without_a_message_is_said_in_the_sentence_of_all_games():
    checked = run("firmware_bridge", "rules", "check", "breakthrough", "a2-a4")
    assert "not legal: no-such-move (a4). That piece does not move like this." in checked.stderr


LACKING = {
    "empty": ("", ":Lacking of the package lacking (Attrib"),
    "broken": ("def x(:", "(SyntaxError: invalid syntax"),
    "number": ("Lacking = 5", ":Lacking is no class of Game"),
    "other": (
        "from rules import Game\nclass Lacking(Game): id = 'less'",
        "its `id` must be 'other'\n  - it has no `name`\n  - it lacks parse, squares, start",
    ),
    "half": (COMPLETE.format(id="half", start="Half()"), "__str__, deed, parse_turn"),
    "seven": (
        COMPLETE.format(id="seven", start="7"),
        "`start` must return a rules.Position, not int",
    ),
    "realm": ("", "the package lacking offers a game 'realm', but"),
}
"""Sources of games, by the names under which a package offers them, and what is said of each."""


def test_what_games_lack_is_named_when_they_are_loaded(tmp_path):
    info = tmp_path / "lacking-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lacking\nVersion: 1\n")
    offered = "".join(f"{name} = lacking_{name}:Lacking\n" for name in LACKING)
    (info / "entry_points.txt").write_text(f"[firmware_bridge.games]\n{offered}")
    for name, (code, _) in LACKING.items():
        (tmp_path / f"lacking_{name}.py").write_text(code)
    failed = run("firmware_bridge", "rules", "list", path=tmp_path)
    assert failed.returncode != 0
    told = failed.stderr.replace("', '", ", ")  # Python 3.12 quotes each
    assert [name for name, (_, said) in LACKING.items() if said not in told] == []
    assert "Traceback" not in failed.stderr
    assert "realm: Realm Chess\n" in failed.stdout, "the others are listed all the same"
