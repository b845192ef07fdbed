"""How long each part takes, run after run, as a multiple of the yardstick on the same machine.

    pytest --benchmark-only --benchmark-json=results.json tests/benchmarks
    python -m tests.benchmarks.history results.json

appends a line for each benchmark to `history.csv` and says what has become slower.
"""

import csv
import json
import sys
from pathlib import Path
from statistics import geometric_mean, median

HISTORY = Path(__file__).with_name("history.csv")
YARDSTICK = "test_yardstick"
SLOWER = 1.25
"""So many times the usual ratio is told; a quiet machine gives the same within a tenth."""
USUAL = 10
"""What is usual, so many of the last runs say."""


def ratios(results):
    """Return how many yardsticks each benchmark takes, with its parameters in the middle."""
    took = {}
    for each in results["benchmarks"]:
        took.setdefault(each["name"].partition("[")[0], []).append(each["stats"]["median"])
    if YARDSTICK not in took:
        raise SystemExit(f"{YARDSTICK} was not run: run it with those that it measures.")
    one = geometric_mean(took.pop(YARDSTICK))
    return {name: geometric_mean(times) / one for name, times in sorted(took.items())}


def slower(name, ratio, rows):
    """Return what to say of a benchmark that takes longer than in the rows before, or nothing."""
    before = [float(row["ratio"]) for row in rows if row["benchmark"] == name][-USUAL:]
    if not before or ratio <= SLOWER * median(before):
        return ""
    return f"{name} takes {ratio / median(before):.2f} times as long as usual."


def append(results, history):
    """Write a run down, and return what has become slower in it."""
    with history.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = ratios(results)
    day, commit = results["datetime"][:10], results["commit_info"]["id"][:8]
    with history.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows((day, commit, name, f"{ratio:.3g}") for name, ratio in found.items())
    return [told for name, ratio in found.items() if (told := slower(name, ratio, rows))]


if __name__ == "__main__":
    for line in append(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), HISTORY):
        sys.stdout.write(f"{line}\n")
