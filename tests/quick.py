"""Name the test files that lie nearest to what changed, for `./test --quick`.

`python -m tests.quick [BASE]` prints them, nearest first, as far as they fit into a minute and a
half of two cores. A test file is the nearer to a change the fewer imports lead from one to the
other. Where only comments and docstrings have changed, the tests that read those are enough.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.imports import MODULES, ROOT, TESTS, modules_named_in

SECONDS = ROOT / "tests" / "seconds.json"
"""What each long file of tests took when they were last timed, by its place."""
BUDGET = 120
"""Seconds of tests that fit beside starting, collecting and what nobody has timed, on two cores."""
SHORT = 0.3
"""What a file that is not among the long ones takes, roughly, in seconds."""


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
    if path.suffix == ".py":
        return {name for name, place in MODULES.items() if place == path}
    for folder in path.parents[: len(path.relative_to(ROOT).parents) - 1]:
        if beside := {name for name, place in MODULES.items() if place.parent == folder}:
            return beside
    return {"tests.test_docs"}


def nearest_first(changes: Iterable[Path], base: str) -> list[Path]:
    """The files of tests that reach a change by their imports, those with the fewest first."""
    importers: dict[str, set[str]] = {name: set() for name in MODULES}
    for name, path in MODULES.items():
        for imported in modules_named_in(path):
            importers.setdefault(imported, set()).add(name)
    distance = {name: 0 for path in changes for name in modules_at(path, base)}
    edge = [*distance]
    for name in edge:
        for importer in importers[name] - distance.keys():
            distance[importer] = distance[name] + 1
            edge.append(importer)
    tests = {MODULES[name]: steps for name, steps in distance.items() if MODULES[name] in TESTS}
    found = [path for path in tests if path.name.startswith("test_")]
    return sorted(found, key=lambda path: (tests[path], path))


def main(base: str) -> None:
    """Print the files that fit, and on standard error how many did not."""
    took, left, fitting = seconds(), float(BUDGET), []
    near = [path for path in nearest_first(changed(base), base) if "benchmarks" not in path.parts]
    for path in near:
        place = path.relative_to(ROOT).as_posix()
        left -= took.get(place, SHORT)
        if left > 0:
            fitting.append(place)
    sys.stdout.write("".join(f"{place}\n" for place in fitting))
    sys.stderr.write(
        f"{len(fitting)} of the {len(near)} files of tests that reach what changed since {base}."
        " ./test runs all there are.\n"
    )


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "HEAD")
