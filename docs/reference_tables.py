"""Write the pages of docs/tables from the code: `.venv/bin/python docs/reference_tables.py`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

import rules
from drivers.description import load_description, shipped
from drivers.driver_registry import names
from firmware_bridge.cli.failures import ExitCode
from firmware_bridge.config import Config
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.reconciler.settings import FACTORS, IMPOSSIBLE, SHIPPED
from firmware_bridge.referee.stages import STEPS
from rules.reasons import COMMON

FOLDER = Path(__file__).parent / "tables"
SERVICE = FOLDER.parents[1] / "firmware_bridge"
TIERS = {"occupancy": "reeds", "identity": "tags", "face": "faces"}


def _page(title: str, told: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"# {title}\n\n{told} `docs/reference_tables.py` makes this page.\n\n{table}\n"


def factors() -> str:
    """Return what speaks against a story, one factor a line."""
    rows = []
    for name, row in FACTORS.items():
        tiers = row["tiers"]
        felt = "all" if len(tiers) == len(TIERS) else ", ".join(TIERS[tier] for tier in tiers)
        log = SHIPPED.weights[name]
        weight = "never" if log <= IMPOSSIBLE else f"{log:.1f}"
        rows.append((name, weight, row["settles"], felt, row["says"]))
    told = "What speaks against a [story](../reconciler.md#stories). All weights are guesses."
    return _page("Factors", told, ("factor", "weight", "settled by", "felt on", "says"), rows)


def reasons() -> str:
    """Return why a turn can be refused, one code a line."""
    owned = {game.name: game.own_reasons for game in rules.games().values()}
    rows = [
        (f"`{code}`", sentence, of)
        for of, codes in ({"all": COMMON} | owned).items()
        for code, sentence in codes.items()
    ]
    told = "What `IllegalTurn.reason` can say."
    return _page("Reasons", told, ("code", "said to players", "games"), rows)


def settings() -> str:
    """Return what can be configured, and what players agree on for a game, one key a line."""
    alike: dict[tuple[str, str], list[str]] = {}
    for key, default, says in (*_keys(Config), *_keys(GameSettings, "game.settings.")):
        alike.setdefault((default, says), []).append(key)
    rows = ((", ".join(keys), default, says) for (default, says), keys in alike.items())
    told = "What [the configuration file](../configuration.md) can hold."
    return _page("Settings", told, ("key", "default", "what it is"), rows)


def _keys(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    says = _attributes(model)
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _keys(kind, f"{prefix}{name}.")
        else:
            yield f"`{prefix}{name}`", _default(field), says[name]


def _attributes(model: type[BaseModel]) -> dict[str, str]:
    """Return what docstrings say of each field: its own, else the line in its class's."""
    said: dict[str, str] = {}
    for kind in reversed(model.__mro__[:-1]):
        if not issubclass(kind, BaseModel) or kind is BaseModel:
            continue
        listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")[2]
        said |= dict(re.findall(r"^ {4}(\w+): ((?:.|\n {8})*)", listed, re.MULTILINE))
        said |= _documented(kind)
    return {name: " ".join(text.split()) for name, text in said.items()}


def _documented(kind: type) -> dict[str, str]:
    """Return the docstring that stands below each value of a class."""
    (body,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    said = {}
    for value, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(value, ast.AnnAssign | ast.Assign) and isinstance(text, ast.Expr):
            name = value.target if isinstance(value, ast.AnnAssign) else value.targets[0]
            assert isinstance(name, ast.Name)
            said[name.id] = " ".join(ast.literal_eval(text.value).split())
    return said


def _default(field: FieldInfo) -> str:
    value = field.default
    if field.default_factory or value is None or value in ("", ()):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def parts() -> str:
    """Return what each part of the service is, as its docstring begins."""
    rows = []
    for path in sorted(SERVICE.iterdir()):
        module = path / "__init__.py" if path.is_dir() else path
        if module.suffix != ".py" or path.name.startswith("__") or not module.exists():
            continue
        docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        rows.append((f"`{path.name}`", docstring.partition("\n")[0]))
    return _page("Parts", "What `firmware_bridge` is made of.", ("place", "what it is"), rows)


def boards() -> str:
    """Return which boards of other makers can be played on, one description a line."""
    known = [load_description(name) for name in shipped()]
    others = {board.name: board.title for board in known if board.controller == "own"}
    drivers: dict[str, list[str]] = {name: [] for name in others}
    for driver in names():
        if fitting := [name for name in others if driver.startswith(name)]:
            drivers[max(fitting, key=len)].append(f"`{driver}`")
    rows = ((title, f"`{name}`", ", ".join(drivers[name])) for name, title in others.items())
    told = "[Boards that people own already](../boards.md), all with 8 by 8 squares."
    return _page("Boards", told, ("board", "description", "driver"), rows)


def stages() -> str:
    """Return a drawing of what leads from one stage of a game to another, or leaves it there."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for event, leads in STEPS.items():
        for arrow in leads.items():
            arrows.setdefault(arrow, []).append(event)
    drawn = "\n".join(
        f"    {here.replace('-', '_')} --> {there.replace('-', '_')}: {', '.join(events)}"
        for (here, there), events in arrows.items()
    )
    told = "What leads a [game](../referee.md#phases) from stage to stage, or leaves it there."
    made = "`docs/reference_tables.py` makes this page."
    drawing = f"```mermaid\nstateDiagram-v2\n    [*] --> set_up\n{drawn}\n```\n"
    return f"# Stages\n\n{told} {made}\n\n{drawing}"


def exit_codes() -> str:
    """Return what each exit code says."""
    says = _documented(ExitCode)
    rows = ((str(int(code)), says[code.name]) for code in ExitCode)
    return _page("Exit codes", "How a command ends.", ("code", "why"), rows)


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "boards.md": boards(),
        "exit-codes.md": exit_codes(),
        "factors.md": factors(),
        "parts.md": parts(),
        "reasons.md": reasons(),
        "settings.md": settings(),
        "stages.md": stages(),
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
