"""Games that are over, looked at again in a real browser."""

import contextlib

import pytest
from playwright.sync_api import expect

from firmware_bridge.journal import Journal
from tests.browser import violations
from tests.e2e.conftest import started
from tests.firmware_bridge.table.driving import GAMES, Driven
from tests.nightly import NIGHTLY, one_of

pytestmark = pytest.mark.browser

TURNS = 8
STEPPED = ("indistinguishable", "reality-check")
"""Through which games one steps by day."""
UNSEEN = "Object.defineProperty(document, 'hidden', {value: true}); requestAnimationFrame = () => 0"
"""A tab opened in the background."""


def write_down(folder):
    """Play a little of every game and resign it, then two to look at; return the ends of all."""
    reviewed, analysed = Driven("indistinguishable"), Driven("mockery")
    for turn in ("f2f3", "e7e5", "g2g4", "d8h4"):
        reviewed.play(turn)
    analysed.random_turns(seed=1, count=4)
    analysed.say("resign", analysed.position.side)
    played = [Driven(game, settings={"time": "5m"}) for game in GAMES]
    for driven in played:
        driven.random_turns(seed=4, count=TURNS)
        driven.say("resign", driven.position.side)
    ends = {}
    with contextlib.closing(Journal(folder)) as journal:
        for driven in (*played, reviewed, analysed):
            game_id = journal.new_game()
            journal.append(game_id, driven.table.records)
            ends[game_id] = len(driven.table.state.played), dict(driven.position.placement)
    return ends


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory):
    """A service that has kept games, and their ends by the games' ids, in order."""
    folder = tmp_path_factory.mktemp("kept")
    ends = write_down(folder / "games")
    with started(folder=folder) as running:
        yield running, ends


def test_games_are_stepped_through(looked_at, window):
    running, ends = looked_at
    page = window(f"{running.display}games")
    expect(page.locator(".finished")).to_have_count(len(ends))
    assert violations(page) == []
    page.add_init_script(UNSEEN)
    for (game_id, (turns, placement)), game in zip(ends.items(), GAMES, strict=False):
        if not NIGHTLY and game not in STEPPED:
            continue
        page.click(f'.finished a[href*="{game_id}"]')
        page.wait_for_selector(".piece")
        assert violations(page) == [], game_id
        expect(page.locator('[data-step="back"]')).to_be_disabled()
        for _ in range(turns - 1):
            page.keyboard.press("ArrowRight")
        page.click('[data-step="on"]')
        expect(page.locator('[data-step="on"]')).to_be_disabled()
        expect(page.locator(".turns button")).to_have_count(turns)
        expect(page.locator(".turns button").last).to_have_attribute("aria-current", "true")
        assert standing(page) == {
            (square, "white" if label[0] == "w" else "black") for square, label in placement.items()
        }
        page.click('[data-step="first"]')
        expect(page.locator('[data-part="turn"]')).to_have_text("")
        page.go_back()
    assert window.complaints == []


def test_a_game_is_reviewed_by_keyboard_and_on_a_phone(looked_at, window):
    running, ends = looked_at
    page = window(f"{running.display}games/{[*ends][-2]}?language=de")
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator('[data-part="ask"]').focus()
    page.keyboard.press("Enter")
    point = page.locator('[data-part="points-white"] button', has_text="2. g4")
    point.focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-part="turn"]')).to_have_text("Schwarz: e5")
    expect(page.locator(".advised .arrow")).to_have_count(1)
    page.locator(".review summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chances tbody tr")).to_have_count(5)
    expect(page.locator(".chances tbody tr").last).to_contain_text("0 %")
    assert violations(page) == []
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(wide)
    assert window.complaints == []


@pytest.mark.parametrize("language", one_of("de", "en"))
def test_a_game_is_analysed_and_other_turns_are_tried_on_a_phone(looked_at, window, language):
    running, _ = looked_at
    page = window(f"{running.display}games/newest?language={language}")
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator(".analysis > summary").click()
    page.locator('[data-part="analyse"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-part="lines"] button')).to_have_count(3)
    expect(page.locator(".advised .arrow").first).to_be_visible()
    expect(page.locator('[data-part="bar"]')).to_have_js_property("value", 50)
    page.fill('[name="turn"]', "e2e4")
    page.keyboard.press("Enter")
    expect(page.locator('[data-part="branch"]')).to_contain_text("e2e4")
    expect(page.locator('.piece.white[data-square="e4"]')).to_have_count(1)
    expect(page.locator('[data-part="lines"] button').first).to_be_enabled()
    for square in ("e7", "e5"):
        page.locator(f'rect[data-square="{square}"]').dispatch_event("click")
    expect(page.locator('[data-part="branch"]')).to_contain_text("e2e4 e7e5")
    for square in ("a1", "a8"):
        page.locator(f'rect[data-square="{square}"]').dispatch_event("click")
    expect(page.locator('[data-part="thinking"]')).to_contain_text(
        "geht hier nicht" if language == "de" else "cannot be made"
    )
    page.click('[data-part="undo"]')
    expect(page.locator('[data-part="branch"]')).not_to_contain_text("e7e5")
    expect(page.locator('[data-part="lines"] button')).to_have_count(3)
    assert violations(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert all("409" in complaint for complaint in window.complaints)


def standing(page):
    return {
        (square, side)
        for square, side in page.eval_on_selector_all(
            ".piece[data-square]",
            "nodes => nodes.map((one) => [one.dataset.square, one.classList[1]])",
        )
    }
