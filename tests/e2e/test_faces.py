"""Pages at which nobody has to stop: whatever happens in a game, all of it is seen and touched."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Hand
from tests.e2e.faces import FAULTS, SCREENS, SMALL, faults
from tests.e2e.short_games import GAMES
from tests.e2e.test_games_to_their_end import Visitor
from tests.e2e.test_pages_in_browser import PLACES, seat
from tests.nightly import NIGHTLY, at_night
from tests.patience import until

pytestmark = pytest.mark.browser
LANGUAGES = ("en", "de")
SHOWN = SCREENS if NIGHTLY else SMALL
"""Where each moment of a game is looked at: by day where words are cut off first."""


def several_wrong(hand):
    for source, target in (("a7", "a4"), ("b8", "d5"), ("h8", "h5"), ("c7", "c4")):
        hand.drag(source, target)


def put_right(hand):
    for source, target in (("a4", "a7"), ("d5", "b8"), ("h5", "h8"), ("c4", "c7")):
        hand.drag(source, target)


def a_pawn_captures_its_way(hand):
    moves = ("a7a6", "g4g5", "a6a5", "g5g6", "a5a4", "g6h7", "a4a3")
    for number, move in enumerate(moves):
        hand.drag(move[:2], move[2:])
        hand.press("white" if number % 2 else "black")
    hand.drag("h7", "g8")


MOMENTS = [
    (lambda hand: hand.press("black"), "White to move"),
    (lambda hand: hand.drag("g2", "g4"), "Press the clock"),
    (lambda hand: hand.press("white"), "Black to move"),
    (several_wrong, "back on"),
    (put_right, "Black to move"),
    (a_pawn_captures_its_way, "Which turn is it"),
    (lambda hand: hand.page.get_by_role("button", name="Promote to rook").last.click(), "Black to"),
    (lambda hand: hand.give_up(), "White wins"),
]
"""A game of Reversi Chess by what hands do, and what is said then."""


def test_nothing_is_cut_off_or_hard_to_touch_at_any_moment_of_a_game_or_where_it_is_looked_at(
    shared, window
):
    shared.begin("reversi", time="45m")
    board = window(shared.board)
    hand, phone = Hand(board), seat(window, shared, "white")
    pages = {"phone": phone, "board in German": window(f"{shared.board}?language=de")}
    if NIGHTLY:
        pages["board"], pages["display"] = window(shared.board), window(shared.display)
        pages["display in German"] = window(f"{shared.display}?language=de")
    found = {}
    for deeds, words in MOMENTS:
        deeds(hand)
        expect(board.locator('[data-part="headline"]')).to_contain_text(words)
        asked = len(shared.state["question"])
        for name, page in pages.items():
            expect(page.locator('[data-part="answers"] button')).to_have_count(asked)
            if wrong := faults(page, SHOWN):
                found[words, name] = wrong
    assert found == {}
    assert window.complaints == []
    display = window(shared.display)
    expect(display.locator('.piece.fallen [href$="#K"]')).to_have_count(1)
    expect(display.locator(".piece.black.fallen")).to_have_count(1)
    display.get_by_role("link", name="What went wrong?").click()
    expect(display.get_by_role("heading", name="How it went")).to_be_in_viewport()
    expect(display.locator('[data-part="reviewed"]')).to_be_in_viewport()


@at_night("one game shows by day what may happen in all")
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_cut_off_before_during_and_after_a_turn_of_any_game(game, shared, table, window):
    shared.begin(game, time="45m")
    hand, display = table(shared)
    visitor = Visitor(game, hand, display)
    pages = {"en": display, "de": window(f"{shared.display}?language=de")}
    found = {}

    def look(moment):
        for language, page in pages.items():
            if wrong := faults(page, SHOWN):
                found[moment, language] = wrong

    look("ready")
    hand.press("black")
    for text in GAMES[game].line.split():
        visitor.acts(visitor.position.side)
        side = visitor.make(text)
        look(text)
        hand.press(side)
    visitor.end(GAMES[game])
    look("end")
    assert found == {}


def test_how_a_game_is_played_is_one_touch_away_wherever_it_is_played(shared, window):
    pages = [window(address) for address in (shared.display, shared.board)]
    for game in ("mockery", "realm"):
        shared.begin(game)
        for page in pages:
            way = page.get_by_role("link", name="How to play")
            expect(way).to_have_attribute("href", re.compile(f"/learn/{game}/1"))
    way.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sixteen realms")


def test_no_choice_of_a_game_or_an_opponent_lies_under_the_button_that_begins(shared, window):
    page = window(f"{shared.display}setup?language=de")
    expect(page.locator('[data-part="link"]')).to_be_hidden()  # or what it says is above them, too
    tiles = page.locator("label.tile:visible, a.tile, label.choice")
    for width, height, who in (
        (740, 360, "people"),
        (800, 480, "people"),
        (390, 844, "computer"),
        (320, 640, "people"),
    ):
        page.set_viewport_size({"width": width, "height": height})
        page.check(f'[name="who"][value="{who}"]')
        page.evaluate("scrollTo(0, 0)")
        begin = page.locator('[data-part="begin"]').bounding_box()
        assert tiles.count() > len(LANGUAGES)
        assert max(_lowest(tile) for tile in tiles.all()) <= begin["y"], (width, height)


def _lowest(tile):
    box = tile.bounding_box()
    return box["y"] + box["height"]


def test_a_drawer_that_is_opened_is_seen(shared, window):
    shared.begin("reversi", time="45m")
    page = window(f"{shared.display}setup", viewport={"width": 360, "height": 740})
    for name, inside in (("Names", "White's name"), ("Time", "Time for each side")):
        page.click(f"summary:has-text('{name}')")
        expect(page.get_by_label(inside)).to_be_in_viewport(ratio=1)
        box, begin = (
            page.locator(what).bounding_box() for what in ("details[open] .panel", ".begin")
        )
        assert box["y"] + box["height"] <= begin["y"] + 24
    board = window(shared.board)
    board.click(".drawer > summary")
    expect(board.locator("#arrange")).to_be_in_viewport(ratio=1)
    expect(board.locator('[data-part="headline"]')).to_be_in_viewport(ratio=1)
    board.set_viewport_size(SCREENS["the Pi's own"])
    beside = board.locator(".beside").bounding_box()["height"]
    assert board.locator(".drawer").bounding_box()["height"] > 0.9 * beside  # room for one
    display = window(f"{shared.display}?language=de")
    assert faults(display, SMALL) == {}
    display.set_viewport_size(SCREENS["the Pi's own"])
    display.click(".opponents > summary")
    expect(display.get_by_role("button", name="Computer, Stufe 1")).to_be_in_viewport()


@pytest.mark.parametrize("language", LANGUAGES if NIGHTLY else ["de"])
def test_no_page_is_hard_to_touch_or_wider_than_its_screen_nor_with_text_twice_as_large(
    shared, table, window, language
):
    shared.begin("indistinguishable", time="45m")  # its name is the longest on the page of games
    hand, _ = table(shared)
    hand.press("black")
    hand.give_up()
    until(lambda: shared.phase == "over")  # or who gives up so late would give up the next game
    shared.begin("mockery")
    page, found = window("about:blank", bypass_csp=True), {}
    places = (f"{shared.display}{place}" for place in (*PLACES, "save", "board", "kiosk"))
    for place in (shared.board, *places):
        page.goto(f"{place}?language={language}")
        if wrong := faults(page, SHOWN):
            found[place] = wrong
        page.set_viewport_size(SCREENS["phone"])
        page.add_style_tag(content=":root { font-size: 32px !important; }")
        if wrong := [one for one in page.evaluate(FAULTS) if one.startswith("outside")]:
            found[place, "twice as large"] = wrong
    assert found == {}


def test_what_was_said_once_is_not_read_aloud_again_when_something_else_is_said(
    shared, table, window
):
    shared.begin("mockery", time="45m")
    hand, display = table(shared)
    hand.press("black")
    news = display.locator('[data-part="news"]')
    expect(news).to_contain_text("White begins")
    display.evaluate(
        """() => new MutationObserver((changes) => {
          const come = changes.flatMap((change) => [...change.addedNodes]);
          window.come = [...(window.come ?? []), ...come.map((node) => node.textContent)];
        }).observe(document.querySelector('[data-part="news"]'), { childList: true })"""
    )
    hand.drag("a7", "a4")
    expect(news).to_contain_text("Illegal")
    headline = display.locator('[data-part="headline"]')
    expect(headline).to_have_attribute("aria-live", "assertive")
    hand.drag("a4", "a7")
    expect(headline).to_have_text("White to move.")
    expect(headline).to_have_attribute("aria-live", "polite")
    come = display.evaluate("window.come")
    assert "White begins." not in come
    assert len(come) == len(set(come))


def test_who_has_chosen_colours_of_his_own_sees_whose_a_clock_is_and_what_a_light_means(
    shared, window
):
    shared.begin("mockery")
    pages = [window(at, forced_colors="active") for at in (shared.board, shared.display)]
    Hand(pages[0]).drag("e2", "e5")

    def looks(page, what, which):
        return page.locator(what).evaluate_all(
            "(nodes, which) => nodes.map((node) => getComputedStyle(node)[which])", which
        )

    phone = seat(window, shared, "black", forced_colors="active")
    for page in (phone, *pages):  # once their styles have come
        until(lambda page=page: len(set(looks(page, ".clock .stone", "backgroundColor"))) == 2)
    for page in pages:
        expect(page.locator(".swatch.must-go-here")).to_have_css("border-color", "rgb(255, 0, 0)")
        (acts,), (waits,) = (
            looks(page, f".clock{which}", "borderInlineStartWidth")
            for which in (".to-act", ":not(.to-act)")
        )
        assert float(acts[:-2]) > 2 * float(waits[:-2])
