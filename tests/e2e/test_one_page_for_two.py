"""The demo in one window: the simulated board, and beside it what the display says."""

import socket

import pytest
from playwright.sync_api import expect

from tests.browser import violations
from tests.e2e.conftest import Hand

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}}


def headline(page):
    return page.locator('[data-part="headline"]')


def test_two_people_need_one_window_for_everything(shared, window):
    shared.begin("indistinguishable")
    page = window(shared.board)
    hand = Hand(page)
    expect(headline(page)).to_contain_text("begin")
    expect(page).to_have_title("Indistinguishable Chess · Simulated board")
    hand.press("black")
    expect(headline(page)).to_have_text("White to move.")
    expect(page.locator('.clock.running[data-side="white"] .time')).to_contain_text(":")
    hand.drag("e2", "e5")
    hand.press("white")
    expect(page.locator('[data-part="news"]')).to_contain_text("Illegal")
    hand.drag("e5", "e2")
    expect(headline(page)).to_have_text("White to move.")
    page.get_by_role("link", name="Another game").click()
    page.check('[name="game"][value="realm"]')
    begin = page.locator('[data-part="begin"]')
    begin.click()
    expect(begin).to_contain_text("End it")
    begin.click()
    page.wait_for_url(f"{shared.board}*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Realm Chess")
    expect(headline(page)).to_contain_text("begin")
    assert window.complaints == []


def test_the_words_come_back_with_the_service(shared, window):
    shared.begin("mockery")
    page = window(shared.board)
    expect(headline(page)).to_contain_text("begin")
    killed = shared.kill_service()
    expect(page.locator('[data-part="lost"]')).to_be_visible()
    expect(page.locator('[data-part="lost"]')).to_be_hidden()
    expect(headline(page)).to_contain_text("begin")
    assert shared.service != killed


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


def test_a_port_that_is_taken_is_said(demo, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with demo("--port", str(port)) as running:
            said = (tmp_path / "output").read_text()
    assert f"Port {port} is taken" in said
    assert f":{port}/" not in running.display


def test_the_page_shuts_nobody_out_and_fits(shared, window):
    shared.begin("mockery")
    for options in ({}, PHONE, {"color_scheme": "dark"}):
        page = window(shared.board, **options)
        expect(headline(page)).to_contain_text("begin")
        assert violations(page, tags=None) == []
        inside = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert page.evaluate(inside)
