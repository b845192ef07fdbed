"""Name the test files that lie nearest to what changed, for `./test --quick`.

`python -m tests.quick [BASE]` prints them, nearest first, as far as they fit into a minute and a
half of two cores. A test file is the nearer to a change the fewer imports lead from one to the
other; of several alike, those come first whose folders have the same names, and then the quickest.
A game is imported by who names it, too: it is loaded by its id. Where only comments and docstrings
have changed, the tests that read those are enough.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.imports import MODULES, ROOT, TESTS, kept, modules_named_in, name_of, nodes_of

SECONDS = ROOT / "tests" / "seconds.json"
"""What each long file of tests took when they were last timed, by its place."""
BUDGET = 150
"""Seconds of tests that fit beside starting, collecting and what nobody has timed, on two cores."""
SHORT = 0.3
"""What a file that is not among the long ones takes, roughly, in seconds."""


GAMES = {
    name.removeprefix("rules.games.").replace("_", "-"): name
    for name in MODULES
    if name.startswith("rules.games.") and name.count(".") == 2
}
"""The module or package of each game, by its id."""
CONFTESTS = {name: path for name, path in MODULES.items() if path.name == "conftest.py"}
FOUND = {
    "rules.registry": "rules.games.",
    "firmware_bridge.cli": "firmware_bridge.cli.",
    "tests.firmware_bridge.replay.test_stories": "firmware_bridge.reconciler.",
}
"""Who finds modules by itself, or feels them through a command; how the names of these begin."""
EXAMPLES = ROOT / "examples"
NAMED = {**GAMES, **{folder.name: folder.name for folder in EXAMPLES.iterdir()}}
"""What a test reaches by naming it: a game, or the folder of an example, which it installs."""
ORACLES = {path.stem: name for name, path in MODULES.items() if path.parent.name == "oracles"}
"""Slow twins lie on the path of the tests, which import them by their bare names."""


def seconds() -> dict[str, float]:
    """What the long files of tests take, in seconds, by their place below the checkout."""
    return dict(json.loads(SECONDS.read_text(encoding="utf-8"))) if SECONDS.exists() else {}


def keep_seconds(took: dict[str, float]) -> None:
    """Write down what files of tests took, those above a second, longest first."""
    long = sorted(
        ((place, round(time, 1)) for place, time in took.items() if time > 1), key=lambda x: -x[1]
    )
    SECONDS.write_text(json.dumps(dict(long), indent=1) + "\n", encoding="utf-8")


def changed(base: str) -> Iterator[Path]:
    """The files that differ from a commit, new ones included."""
    for command in (f"git diff --name-only {base}", "git ls-files --others --exclude-standard"):
        told = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, check=True)
        yield from (ROOT / line for line in told.stdout.splitlines())


def code(source: str) -> str:
    """What a module does: its syntax without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.Expr(ast.Constant(str())), *rest]:
                node.body = rest  # type: ignore[attr-defined]
    return ast.dump(tree)


def says_the_same(path: Path, base: str) -> bool:
    """Whether a module does what it did at a commit, whatever its words say of it now."""
    if path.suffix != ".py" or not path.exists():
        return False
    place = f"{base}:{path.relative_to(ROOT).as_posix()}"
    before = subprocess.run(
        ["git", "show", place], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return not before.returncode and code(before.stdout) == code(path.read_text(encoding="utf-8"))


def modules_at(path: Path, base: str) -> set[str]:
    """The module in a file; for data, a page or a script those that lie nearest to it."""
    if says_the_same(path, base):
        return {"tests.test_docs", "tests.test_layout"}
    if path.is_relative_to(EXAMPLES):
        return {path.relative_to(EXAMPLES).parts[0], "tests.test_docs"}
    if path.suffix == ".py":
        return {name for name, place in MODULES.items() if place == path}
    for folder in path.parents[: len(path.relative_to(ROOT).parents) - 1]:
        if beside := {name for name, place in MODULES.items() if place.parent == folder}:
            return beside
    return {"tests.test_docs"}


def reached_from(path: Path) -> Iterator[str]:
    """The modules that a module imports, finds, or is helped by, and what it names."""
    for name in modules_named_in(path):
        yield ORACLES.get(name, name)
    if begin := FOUND.get(name_of(path)):
        yield from (name for name in MODULES if name.startswith(begin))
    if path.name.startswith("test_"):
        yield from (name for name, helper in CONFTESTS.items() if helper.parent in path.parents)
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and node.value in NAMED:
            yield NAMED[node.value]


@cache
def importers_of_all() -> dict[str, set[str]]:
    """Who imports each module, finds it, is helped by it or names it."""
    importers: dict[str, set[str]] = {name: set() for name in MODULES}
    with kept():
        for name, path in MODULES.items():
            for imported in reached_from(path):
                importers.setdefault(imported, set()).add(name)
    return importers


def nearest_first(changes: Iterable[Path], base: str) -> list[Path]:
    """The files of tests that reach a change by their imports, the nearest first."""
    changes, importers = [*changes], importers_of_all()
    distance = {name: 0 for path in changes for name in modules_at(path, base)}
    edge = [*distance]
    for name in edge:
        for importer in importers.get(name, set()) - distance.keys():
            distance[importer] = distance[name] + 1
            edge.append(importer)
    tests = {MODULES[name]: far for name, far in distance.items() if MODULES.get(name) in TESTS}
    found = [path for path in tests if path.name.startswith("test_")]
    took, changed_words = seconds(), [words_of(path) for path in changes]

    def far(path: Path) -> tuple[int, int, float, Path]:
        alike = max(len(words & words_of(path)) for words in changed_words)
        return tests[path], -alike, took.get(place_of(path), SHORT), path

    return sorted(found, key=far)


def words_of(path: Path) -> set[str]:
    """Return the words in the names of a file and its folders."""
    return {word for part in path.with_suffix("").parts for word in part.split("_")}


def place_of(path: Path) -> str:
    """Where a file lies below the checkout."""
    return path.relative_to(ROOT).as_posix()


def main(base: str) -> None:
    """Print the files that fit, and on standard error how many did not."""
    took, left, fitting = seconds(), float(BUDGET), []
    near = [path for path in nearest_first(changed(base), base) if "benchmarks" not in path.parts]
    for path in near:
        place = place_of(path)
        needed = took.get(place, SHORT)
        if needed <= left:
            left -= needed
            fitting.append(place)
    sys.stdout.write("".join(f"{place}\n" for place in fitting))
    sys.stderr.write(
        f"{len(fitting)} of the {len(near)} files of tests that reach what changed since {base}."
        " ./test runs all there are.\n"
    )


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "HEAD")
