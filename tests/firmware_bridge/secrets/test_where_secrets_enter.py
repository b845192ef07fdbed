"""Secrets enter the judging of hands at one place, each for a reason, and leave at none."""

import inspect
import re
import tomllib
from pathlib import Path

from firmware_bridge.reconciler import secrecy
from tests.imports import MODULES, ROOT, modules_named_in

DOCS = (ROOT / "docs" / "secrets.md").read_text(encoding="utf-8")
SECRETS = re.compile("owners_secret|kinds_secret|records_forbidden|decides_in_secret")
REACHED = re.compile(r"controller\.(table|shown|whole_game|recorders|kept(?!\.agreement))\b")
"""What a controller has of a game that its views do not show to everyone."""
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


def test_no_driver_logs_what_a_board_reads():
    """Its notices have codes and cells; what fails is logged by its place in the program alone."""
    logging = {
        name
        for name, path in MODULES.items()
        if name.startswith("drivers.") and "logging" in modules_named_in(path)
    }
    assert logging == {"drivers.beside", "drivers.commercial.detect"}  # it looks for boards alone
