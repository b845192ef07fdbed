"""The house rules that no linter checks."""

import ast
import sys
import tomllib

from tests.imports import ROOT, SOURCES, kept, modules_named_in, name_of, nodes_of, parsed


def named(paths):
    """Their places below the checkout, for a failure that is read at a glance."""
    return [path.relative_to(ROOT).as_posix() for path in paths]


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_files_stay_small():
    assert named(path for path in SOURCES if len(lines_of(path)) > 500) == []


def test_tests_lie_in_a_folder_of_the_name_of_what_they_test():
    """Beside them are what hands do and what no hand may learn, both of the whole service."""
    ours, theirs = (
        {found.parent.name for found in (ROOT / folder).glob("*/*.py")}
        for folder in ("tests/firmware_bridge", "firmware_bridge")
    )
    assert ours - theirs == {"replay", "secrets"}


def imported_by(path):
    """The packages that a module names in its imports."""
    names = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def called_in(path):
    """The names of everything that a module calls."""
    called = [node.func for node in nodes_of(path) if isinstance(node, ast.Call)]
    return {getattr(name, "attr", "") or getattr(name, "id", "") for name in called}


def is_number(value):
    """Whether an expression is a number, or a tuple of them, that somebody chose."""
    match value:
        case ast.Constant(number):
            return type(number) in (int, float) and number not in (0, 1)
        case ast.UnaryOp():
            return is_number(value.operand)
        case ast.BinOp():
            return is_number(value.left) or is_number(value.right)
        case ast.Tuple():
            return any(is_number(element) for element in value.elts)
    return False


def unexplained(body, lines):
    """The constants of a module or class for which no comment beside and no string below tells why.

    One string tells of all constants in the lines right above it.
    """
    told, line_told = False, 0
    for node in reversed(body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told, line_told = True, node.lineno
            continue
        told = told and node.end_lineno == line_told - 1
        line_told = node.lineno
        if not isinstance(node, ast.Assign) or not is_number(node.value):
            continue
        above = lines[node.lineno - 2].startswith("#")
        beside = above or any("#" in line for line in lines[node.lineno - 1 : node.end_lineno])
        if ast.unparse(node.targets[0]).isupper() and not told and not beside:
            yield ast.unparse(node)


def test_every_number_with_a_name_tells_what_it_is_and_why():
    with kept():
        bare = {path: [*unexplained(parsed(path).body, lines_of(path))] for path in SOURCES}
    assert {path: numbers for path, numbers in bare.items() if numbers} == {}


def test_the_rules_need_nothing_but_chess():
    used = set().union(*(imported_by(path) for path in SOURCES if ROOT / "rules" in path.parents))
    assert used - sys.stdlib_module_names == {"chess", "rules"}


def test_the_opponents_need_nothing_but_the_rules():
    """A list of what they may not import would not name what is added later."""
    place = ROOT / "firmware_bridge" / "opponents"
    imports = {
        name
        for path in SOURCES
        if place in path.parents
        for name in modules_named_in(path)
        if name.partition(".")[0] not in sys.stdlib_module_names | {"chess", "rules"}
    }
    assert {name for name in imports if not name.startswith("firmware_bridge.opponents")} == set()


WRITERS = {
    "journal/open_file.py",
    "journal/harm.py",  # copies of what a damaged card left
    "journal/letter_book.py",  # what friends far away write
    "journal/small_file.py",  # this installation's secret and friends
    "diagnostics/support_bundle.py",  # what a crash leaves behind
    "diagnostics/update_status.py",  # what people wish of an update
    "saved/archive.py",  # everything as one file, for whoever asks
    "saved/restoring.py",  # the same, put in place before the service starts
}
"""What writes to the disk while the service runs."""
TOOLS = ("bench", "calibration", "cli")
"""What writes where people ask for it: recordings, board files, images, and its own benches."""
WRITING = {"fdopen", "makedirs", "mkdir", "rename", "write_bytes", "write_text", "ZipFile"}


def test_only_the_journal_and_few_others_write_to_the_disk():
    service = ROOT / "firmware_bridge"
    writing = {
        path.relative_to(service).as_posix()
        for path in SOURCES
        if service in path.parents and called_in(path) & WRITING
    }
    assert {path for path in writing if not path.startswith(TOOLS)} == WRITERS


def show_the_game():
    """The modules whose contract it is to know views alone."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        each
        for each in contracts["tool"]["importlinter"]["contracts"]
        if each["name"].startswith("who shows a game")
    )
    for path in SOURCES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if name.startswith(tuple(contract["source_modules"])):
            yield path


def test_who_shows_a_game_asks_no_table():
    """The controller owns one; what it hands on is made by views."""
    showing = [*show_the_game()]
    assert len(showing) > 30
    asking = [
        path
        for path in showing
        if any(isinstance(node, ast.Attribute) and node.attr == "table" for node in nodes_of(path))
    ]
    assert named(asking) == []


TOLD = (
    "rules",
    *(f"firmware_bridge/{part}" for part in ("clock", "reconciler", "referee", "table")),
)
"""What is told the time and given its chance, so that the same inputs lead to the same game."""
ASKING = {
    "asyncio",
    "datetime",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "threading",
    "time",
}
READING = {"now", "today", "monotonic", "perf_counter", "urandom", "open"}


def test_what_is_told_the_time_asks_nobody():
    told = [path for path in SOURCES if str(path.relative_to(ROOT)).startswith(TOLD)]
    assert len(told) > 60
    asking = [path for path in told if imported_by(path) & ASKING or called_in(path) & READING]
    assert named(asking) == []


STAMPS = {
    "cli/support.py",
    "dashboard/subscriber.py",
    "diagnostics/checkup.py",
    "diagnostics/support_bundle.py",
    "distance/greeting.py",
    "journal/journal.py",
    "mqtt/bridge.py",
    "saved/archive.py",
    "service/places_aside.py",
}
"""Where the calendar is read, for stamps on files and messages, to see whether it is set,
and for how long a host was off while days were counted."""


CALENDAR = ("time.time(", "time.time,", "datetime.now", "utcnow")


def test_no_game_knows_the_calendar():
    """So that setting the machine's clock, or a new summer time, moves no player's clock."""
    service = ROOT / "firmware_bridge"
    reading = {
        path.relative_to(service).as_posix()
        for path in SOURCES
        if service in path.parents
        if any(call in path.read_text(encoding="utf-8") for call in CALENDAR)
    }
    assert reading == STAMPS


def reached(start, graph):
    """All modules that are imported from one, directly or through others."""
    found, new = set(), [start]
    while new:
        more = graph[new.pop()] - found
        found |= more
        new += more
    return found


def test_no_modules_import_each_other_not_even_for_types():
    modules = {name_of(path): set(modules_named_in(path)) for path in SOURCES}
    graph = {name: there & modules.keys() - {name} for name, there in modules.items()}
    reach = {name: reached(name, graph) for name in graph}
    assert len(reach["firmware_bridge.cli.run"]) > 50
    circles = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in graph
        if name in reach[name]
    }
    assert not circles


def begins_tasks(node):
    """Whether this begins a task elsewhere than in a group, which raises what ends one."""
    match node:
        case ast.Call(func=ast.Attribute(ast.Name("group"), "create_task")):
            return False
        case ast.Call(func=ast.Attribute(attr="create_task" | "ensure_future")):
            return True
    return False


def test_no_task_ends_unseen():
    """All others begin where it is seen to that their end is told."""
    beginning = [path for path in SOURCES if any(map(begins_tasks, nodes_of(path)))]
    assert named(beginning) == ["drivers/beside.py"]
