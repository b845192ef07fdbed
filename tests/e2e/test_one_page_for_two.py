"""The demo in one window: the simulated board, and beside it what the display says."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Hand, headline
from tests.e2e.held_line import HeldLine

pytestmark = pytest.mark.browser


def test_two_people_need_one_window_for_everything_also_when_the_service_dies(shared, window):
    shared.begin("indistinguishable")
    page = window(shared.board)
    hand = Hand(page)
    expect(headline(page)).to_contain_text("begin")
    expect(page).to_have_title("Indistinguishable Chess · Simulated board")
    here = page.locator(".plate .here")
    expect(here.first).to_be_visible()
    expect(here.last).to_be_hidden()
    hand.press("black")
    expect(headline(page)).to_have_text("White to move.")
    expect(here.first).to_be_hidden()
    expect(page.locator('.clock.running[data-side="white"] .time')).to_contain_text(":")
    hand.drag("e2", "e5")
    hand.press("white")
    expect(page.locator('[data-part="news"]')).to_contain_text("Illegal")
    hand.drag("e5", "e2")
    expect(headline(page)).to_have_text("White to move.")
    page.get_by_role("link", name="New game").click()
    page.check('[name="game"][value="realm"]')
    begin = page.locator('[data-part="begin"]')
    begin.click()
    expect(begin).to_contain_text("End it")
    with page.expect_response(lambda answer: "/api/v1/events" in answer.url):  # it listens
        begin.click()
    page.wait_for_url(f"{shared.board}*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Realm Chess")
    expect(headline(page)).to_contain_text("begin")
    assert window.complaints == []
    killed = shared.kill_service()
    expect(page.locator('[data-part="lost"]')).to_be_visible()
    expect(page.locator('[data-part="lost"]')).to_be_hidden()
    expect(headline(page)).to_contain_text("begin")
    assert shared.service != killed


def test_who_has_no_mouse_is_led_on_where_a_button_goes_and_told_how_hands_move(shared, window):
    """What has the focus and goes leaves it to what is to be done now."""
    shared.begin("reality-check")
    page = window(shared.board)
    expect(page.get_by_text("double tap to turn over")).to_be_visible()
    for name in ("Play the computer", "Give up", "Really? Tap again", "Rematch, colours changed"):
        page.get_by_role("button", name=name).press("Enter")
        if name != "Give up":  # it asks once more, in the same place
            expect(headline(page)).to_be_focused()
    assert window.complaints == []


def test_a_page_whose_scripts_died_with_the_service_comes_to_life(shared, window):
    shared.begin("mockery")
    page = window(shared.board)
    page.route("**/display/static/*.js", lambda route: route.abort())
    page.reload()
    expect(page.locator('[data-part="lost"]')).to_be_visible()
    page.unroute_all()
    shared.begin("realm")
    expect(page.get_by_role("heading", level=1)).to_have_text("Realm Chess")
    expect(page.locator('[data-part="lost"]')).to_be_hidden()


def test_a_clock_that_shows_no_time_is_seen_to_be_the_one_that_ends_a_pause(shared, window):
    shared.begin("reversi", time="untimed")
    page = window(shared.board)
    hand = Hand(page)
    hand.drag("e2", "e4")
    expect(headline(page)).to_contain_text("Black")
    shared.kill_service()
    expect(headline(page)).to_have_text("Paused. Press a clock button to go on.")
    asked = page.locator(".plate:has(.here:visible)")
    expect(asked).to_contain_text("press this clock")
    asked.click()
    expect(headline(page)).to_contain_text("Black to move")
    # While the service is gone the browser says so, where it asks for something just then.
    assert [line for line in window.complaints if "502" not in line] == []


SLOW = {"offline": False, "latency": 800, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""Milliseconds, and bytes a second."""


def test_a_page_whose_line_is_slow_stands_or_breaks_says_so_and_catches_up_by_itself(
    shared, window
):
    shared.begin("reversi")
    hand = Hand(window(shared.board))
    with HeldLine(urlsplit(shared.display).port) as line:
        page = window("about:blank")
        net = page.context.new_cdp_session(page)
        net.send("Network.enable")
        net.send("Network.emulateNetworkConditions", SLOW)
        page.goto(f"http://127.0.0.1:{line.port}/")
        expect(headline(page)).to_have_text("White begins: make a move.")
        expect(page.locator('.piece[data-square="e2"]')).to_be_visible()
        loaded = page.evaluate("performance.timeOrigin")
        lost = page.locator('[data-part="lost"]')
        for trouble, move, then in (
            (line.stand_still, ("e2", "e4"), "Black to move."),
            (line.break_off, ("e7", "e5"), "White to move."),
        ):
            expect(lost).to_be_hidden()
            trouble()
            hand.drag(*move)
            expect(headline(hand.page)).to_have_text(then)
            expect(lost).to_be_visible()
            expect(headline(page)).to_be_hidden()  # nobody is told what was to be done before
            line.go_on()
            expect(headline(page)).to_have_text(then)
            expect(page.locator(f'.piece[data-square="{move[1]}"]')).to_be_visible()
        assert page.evaluate("performance.timeOrigin") == loaded
