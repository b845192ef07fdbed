"""The table of factors is told as it is."""

import re
from pathlib import Path
from typing import get_args

import pytest

from firmware_bridge.reconciler.factors import HOLDS, OF_UNFELT, OF_WHOLE, Factor
from firmware_bridge.reconciler.settings import FACTORS, IMPOSSIBLE, SHIPPED

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def test_every_factor_is_in_the_table_once():
    assert list(get_args(Factor)) == list(FACTORS) == list(SHIPPED.weights)
    assert {*OF_WHOLE, *OF_UNFELT} <= HOLDS.keys() <= FACTORS.keys()
    for asked in (OF_WHOLE, OF_UNFELT):
        assert list(asked) == sorted(asked, key=list(FACTORS).index)


def test_the_whole_is_told_in_few_words():
    page = (DOCS / "reconciler.md").read_text(encoding="utf-8")
    prose = "\n".join(line for line in page.splitlines() if not line.startswith("|"))
    assert len(re.findall(r"\w+", prose)) <= 800


@pytest.mark.parametrize("name", FACTORS)
def test_every_factor_speaks_against_what_it_holds_of(name):
    assert IMPOSSIBLE <= SHIPPED.weights[name] < 0
    row = FACTORS[name]
    assert row["says"]
    assert row["source"]
    assert row["tiers"]
    assert row["settles"] in ("board", "press", "players")
