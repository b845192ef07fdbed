"""A penalty applies itself and reports what it cost; a new kind is one class and its words."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from firmware_bridge.clock import control
from firmware_bridge.clock.clock import Clock
from firmware_bridge.messages import Ruled
from firmware_bridge.pages.texts import texts
from firmware_bridge.referee import penalties
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.table.driving import Driven

PAGE = Path(__file__).parents[3] / "docs" / "first-change.md"


def added_by_a_newcomer():
    """The penalty that the page for newcomers adds."""
    code = textwrap.dedent(re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[1])
    names = dict(vars(penalties))
    exec(compile(code, PAGE, "exec", annotations.compiler_flag), names)
    return names["HalfTheTime"]


@pytest.fixture
def half(monkeypatch):
    monkeypatch.setattr(penalties, "kinds", lambda: (*penalties.OWN, added_by_a_newcomer()))


def offended(game, **settings):
    driven = Driven(game, settings=settings)
    driven.carry("e2", "e5")
    driven.press("white")
    driven.wait(2)
    return driven


def costs(driven):
    return [output.penalty for output in driven.gave(Ruled)]


@pytest.mark.parametrize("game", ["mockery", "indistinguishable"])
def test_a_new_kind_is_one_class(half, game):
    driven = offended(game, time="1m", penalty="half")
    (cost,) = costs(driven)
    assert 29 < cost <= 30
    (told,) = [output for output in driven.outputs if getattr(output, "key", "") == "penalty-half"]
    assert re.fullmatch(r"29(\.\d)?|30", told.words["seconds"]), "nobody reads milliseconds"
    assert driven.view.clocks["white"].left_ms < 30_000
    assert "penalty-half" in driven.said
    assert driven.records[-1].kind != "ended"


def test_what_the_page_for_newcomers_has_hands_do_costs_half_of_the_time(half):
    """As `./run` plays by itself: first a legal turn, since before it nothing costs anything."""
    driven = Driven("indistinguishable", settings={"penalty": "half"})
    for source, target, presses in (("e2", "e4", "white"), ("d7", "d4", "black")):
        driven.carry(source, target)
        driven.press(presses)
        driven.wait(2)
    assert costs(driven)
    assert driven.view.clocks["black"].left_ms < 45 * 60_000 / 2


def test_a_new_kind_is_offered_and_told_of_with_the_others(half):
    assert str(penalties.parse("warning, half")) == "warning, half"
    with pytest.raises(penalties.BadPenalty, match=r"or half; several"):
        penalties.parse("a quarter")


def test_where_no_time_runs_no_time_is_said_to_be_lost():
    driven = offended("mockery", time="untimed", penalty="5m")
    assert costs(driven) == [0]
    assert not [key for key in driven.said if key.startswith("penalty")]


@pytest.mark.parametrize("kind", penalties.kinds())
def test_what_a_penalty_reports_is_what_the_clocks_show(kind):
    text = {"give": "+7s", "deduct": "7s"}.get(kind.kind, kind.kind)
    clock = Clock.of(control.parse("1m"))
    effect = penalties.parse(text).of(1).apply(clock, "white", 0)
    given = effect.clock.black.left - clock.black.left
    taken = clock.white.left - effect.clock.white.left
    assert effect.cost_ms == given + taken


def test_every_kind_has_its_words_on_the_page():
    for language in LANGUAGES:
        for kind in penalties.kinds():
            assert texts(language, None).text(f"penalty-form-{kind.kind}")
