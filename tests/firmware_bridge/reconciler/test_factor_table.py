"""The table of factors is told as it is."""

import re
import runpy
from pathlib import Path

import pytest

from firmware_bridge.reconciler import factors
from firmware_bridge.reconciler.settings import FACTORS, IMPOSSIBLE, SHIPPED

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reconciler.md").read_text(encoding="utf-8")


def test_the_page_has_the_table_of_the_code():
    assert runpy.run_path(ROOT / "docs" / "factors.py")["table"]() in PAGE


def test_every_factor_is_in_the_table_once():
    defined = [one for one in vars(factors).values() if isinstance(one, factors.Factor)]
    assert sorted(one.name for one in defined) == sorted(one.name for one in factors.TABLE)
    assert len({one.name for one in defined}) == len(defined)
    assert [one.name for one in factors.TABLE] == list(FACTORS) == list(SHIPPED.weights)


def test_the_whole_is_told_in_few_words():
    prose = "\n".join(line for line in PAGE.splitlines() if not line.startswith("|"))
    assert len(re.findall(r"\w+", prose)) <= 900


@pytest.mark.parametrize("factor", factors.TABLE, ids=lambda factor: factor.name)
def test_every_factor_speaks_against_what_it_holds_of(factor):
    assert IMPOSSIBLE <= SHIPPED.weights[factor.name] < 0
    assert factor.says
    assert factor.source
    assert factor.tiers
