"""Which of our modules imports which: sources and tests alike, read from their syntax."""

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for package in ("rules", "drivers", "firmware_bridge")
    for path in (ROOT / package).rglob("*.py")
)
TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)


def name_of(path: Path) -> str:
    """The name of the module in a file, as imports write it."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in (*SOURCES, *TESTS)}


@contextmanager
def kept() -> Iterator[None]:
    """Have no garbage looked for meanwhile: what is read stays, and that took most of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return [*ast.walk(parsed(path))]


def modules_named_in(path: Path) -> Iterator[str]:
    """The modules that a module imports, wherever in it, and be it for types only."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            inside = {f"{node.module}.{name.name}" for name in node.names} & MODULES.keys()
            yield from inside or {node.module or ""}
