"""The house rules that no linter checks."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for package in ("rules", "drivers", "firmware_bridge")
    for path in (ROOT / package).rglob("*.py")
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


TOLD = (
    "rules",
    *(f"firmware_bridge/{part}" for part in ("clock", "reconciler", "referee", "table")),
)
"""What is told the time and given its chance, so that the same inputs lead to the same game."""
ASKING = {
    "asyncio",
    "datetime",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "threading",
    "time",
}
READING = {"now", "today", "monotonic", "perf_counter", "urandom", "open"}


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if str(path.relative_to(ROOT)).startswith(TOLD)],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_what_is_told_the_time_asks_nobody(path):
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in nodes
        if isinstance(node, ast.Call)
    }
    assert not {module.partition(".")[0] for module in imported} & ASKING
    assert not called & READING


STAMPS = {"support.py", "cli/support.py", "service/checkup.py", "journal/journal.py"} | {
    f"{package}.py" for package in ("mqtt/house", "wall/load", "wall/watch")
}
"""Where the calendar is read, for stamps on files and messages and to see whether it is set."""


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if ROOT / "firmware_bridge" in path.parents],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_game_knows_the_calendar(path):
    """So that setting the machine's clock, or a new summer time, moves no player's clock."""
    code = ast.unparse(ast.parse(path.read_text(encoding="utf-8")))
    reads = any(call in code for call in ("time.time(", "time.time,", "datetime.now", "utcnow"))
    assert reads == (str(path.relative_to(ROOT / "firmware_bridge")) in STAMPS)
