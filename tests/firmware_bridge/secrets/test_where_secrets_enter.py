"""Secrets enter the judging of hands at one place, and each for a reason."""

import inspect
import re
from pathlib import Path

from firmware_bridge.reconciler import secrecy
from tests.imports import ROOT

DOCS = (ROOT / "docs" / "secrets.md").read_text(encoding="utf-8")
SECRETS = re.compile("owners_secret|kinds_secret|records_forbidden|decides_in_secret")


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
