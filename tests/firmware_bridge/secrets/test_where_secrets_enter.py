"""Secrets enter the judging of hands at one place, each for a reason, and leave at none."""

import ast
import inspect
import re
import tomllib
from pathlib import Path

from firmware_bridge.reconciler import secrecy
from tests.imports import MODULES, ROOT, modules_named_in, nodes_of

DOCS = (ROOT / "docs" / "secrets.md").read_text(encoding="utf-8")
SECRETS = re.compile("owners_secret|kinds_secret|records_forbidden|decides_in_secret")
REACHED = re.compile(r"controller\.(table|shown|whole_game|recorders|kept(?!\.agreement))\b")
"""What a controller has of a game that its views do not show to everyone."""
JUDGED = re.compile(r"\btable\.(reconciler\.\w+)")
BESIDE_THE_TABLE = tuple(f"firmware_bridge.{part}." for part in ("mqtt", "pages", "service"))
LOGGED = {
    *("error", "fault", "fault.kind", "harm.kind", "harm.text", "harm.copy", "of"),
    *("game_id", "stood", "turns"),  # an id, seconds, and how many were kept
    *("purpose", "address", "_address(request)", "_known(action.call)"),
    "why or 'they can be kept again.'",
}
"""What those log, beside fixed words, who know what stands and is played."""
OPEN = {
    "firmware_bridge.pages.endpoints": {"whole_game"},  # for the PIN
    "firmware_bridge.pages.past_games": {"recorders"},  # of games that are over
}


def test_one_module_of_the_reconciler_asks_what_is_secret():
    here = Path(secrecy.__file__)
    naming = {path for path in here.parent.glob("*.py") if SECRETS.search(path.read_text())}
    assert naming == {here}


def test_each_thing_that_is_asked_there_has_its_reason():
    (table,) = re.findall(r"\| asked \| since \|\n(.*?)\n\n", DOCS, re.DOTALL)
    reasons = [re.findall("`(.+?)`", row.split("|")[1]) for row in table.splitlines()[1:]]
    asked = {name for name in vars(secrecy.Secrecy) if not name.startswith("_")} - {"of"}
    asked |= set(inspect.get_annotations(secrecy.Secrecy)) | {"decides"}
    assert {name for names in reasons for name in names} == asked


def test_who_shows_a_game_reaches_nothing_of_it_but_its_views():
    """Imports are held to that by the contract whose list of modules this is."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    shows = contracts["who shows a game knows its views, not what they are made from"]
    reached = {
        name: found
        for name, path in MODULES.items()
        if any(f"{name}.".startswith(f"{package}.") for package in shows["source_modules"])
        if (found := set(REACHED.findall(path.read_text(encoding="utf-8"))))
    }
    assert reached == OPEN


def test_who_acts_beside_the_table_goes_by_nothing_that_only_its_judge_knows():
    """When a computer answers would tell it; the controller has the judge work ahead, and no more.

    Who writes games down, for later, may know it.
    """
    reached = {
        name: found
        for name, path in MODULES.items()
        if name.startswith(("firmware_bridge.service.", "firmware_bridge.pages."))
        if (found := set(JUDGED.findall(path.read_text(encoding="utf-8"))))
    }
    assert reached == {"firmware_bridge.service.controller": {"reconciler.prepare"}}


def test_who_knows_what_stands_and_is_played_logs_nothing_of_it():
    """No filter can tell a secret by its looks: whoever logs something new decides here."""
    logged = {
        ast.unparse(told)
        for name, path in MODULES.items()
        if name.startswith(BESIDE_THE_TABLE) and _knows_the_game(path)
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_LOG.")
        for told in node.args[1:]
    }
    assert logged == LOGGED


def _knows_the_game(path):
    """Return whether a module reaches the game on a table, or has words for what is played."""
    named = {name.partition(".")[0] for name in modules_named_in(path)}
    return "rules" in named or REACHED.search(path.read_text(encoding="utf-8"))


def test_no_driver_logs_what_a_board_reads():
    """Its notices have codes and cells; what fails is logged by its place in the program alone.

    What is found is logged besides: boards, and what packages add.
    """
    logging = {
        name
        for name, path in MODULES.items()
        if name.startswith("drivers.") and "logging" in modules_named_in(path)
    }
    assert logging == {"drivers.beside", "drivers.commercial.detect", "drivers.plug_ins"}
