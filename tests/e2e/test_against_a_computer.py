"""One person plays the computer in the demo: chosen on a page, carried out, across kills."""

import os
import signal

import pytest
from playwright.sync_api import expect

from tests.browser import violations
from tests.e2e.conftest import Hand, headline
from tests.e2e.test_pages_in_browser import seat
from tests.nightly import one_of
from tests.patience import until

pytestmark = pytest.mark.browser
ATTRACT = {"en": "Play the computer", "de": "Gegen den Computer spielen"}
TO_MOVE = {"en": "White to move.", "de": "Weiß ist am Zug."}
PHONE = {"width": 390, "height": 844}


def state_at(page):
    return page.evaluate("fetch('/api/v1/state').then((answer) => answer.json())")


def answered(page, turns):
    """Whether so many turns stand, the last one carried out, and White is to move again."""
    state = state_at(page)
    return len(state["turns"]) == turns and state["headline"] == TO_MOVE["en"]


def test_a_lonely_visitor_plays_and_the_pieces_move_by_themselves(shared, window):
    shared.begin("mockery")
    page = window(shared.board)
    expect(headline(page)).to_contain_text("begin")
    page.get_by_role("link", name="New game").click()
    page.check('[name="game"][value="reversi"]')
    page.get_by_label("Me and the computer").check()
    page.get_by_role("radio", name="Computer, level 2").check()
    page.click('[data-part="begin"]')
    page.wait_for_url(f"{shared.board}*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Reversi Chess")
    expect(headline(page)).to_contain_text("begin")
    expect(page.locator(".clock", has_text="Computer, level 2")).to_be_visible()
    hand = Hand(page)

    def begun():  # the pieces of the new game may still be on their way
        hand.press("black")
        return headline(page).inner_text() == "White to move."

    until(begun, pause=0.5)
    hand.drag("e2", "e4")
    hand.press("white")
    display = window(f"{shared.display}?language=en")
    until(lambda: answered(display, turns=2))
    assert len(state_at(display)["pieces"]) == 32
    for process in shared.computers:
        os.kill(process, signal.SIGKILL)
    hand.drag("g1", "f3")
    hand.press("white")
    until(lambda: answered(display, turns=4))
    calls = seat(window, shared, "white", viewport=PHONE).locator('[data-part="calls"]')
    expect(calls.get_by_role("button", name="Take back", exact=True)).to_be_visible()
    expect(calls.get_by_role("button", name="Ask to take back")).to_be_hidden()
    assert window.complaints == []
    shared.kill_service()
    expect(headline(page)).to_contain_text("Press a clock button to go on")


def test_a_puzzle_is_chosen_by_key_set_up_and_solved_after_a_wrong_turn(shared, window):
    shared.begin("reversi")
    page = window(shared.board)
    expect(headline(page)).to_contain_text("begin")
    page.goto(f"{shared.display}learn/mockery/puzzles?language=en&at=board")
    page.get_by_role("button", name="Set it up: Puzzle 1").press("Enter")
    page.wait_for_url(f"{shared.board}*")
    expect(headline(page)).to_have_text("White to move.")
    expect(page.locator('[data-part="more"]')).to_contain_text("win with one turn")
    hand = Hand(page)
    hand.drag("e7", "g6")
    hand.press("white")
    expect(page.locator('[data-part="news"]')).to_contain_text("Not the one; take it back.")
    hand.drag("g6", "e7")
    expect(headline(page)).to_have_text("White to move.")
    hand.drag("e7", "c8")
    hand.press("white")
    expect(headline(page)).to_have_text("Solved!")
    assert window.complaints == []


@pytest.mark.parametrize(
    ("language", "ask", "told"), one_of(("de", "Tipp", "Tipp:"), ("en", "Hint", "Hint:"))
)
def test_a_hint_is_given_on_a_page_that_everybody_can_read(shared, window, language, ask, told):
    shared.begin("mockery")
    page = window(f"{shared.board}?language={language}")
    page.get_by_role("button", name=ATTRACT[language]).press("Enter")
    display = window(f"{shared.display}?language={language}", viewport=PHONE)
    expect(headline(display)).to_have_text(TO_MOVE[language])
    display.get_by_role("button", name=ask, exact=True).click()
    expect(display.locator("main")).to_contain_text(told)
    assert violations(display) == []
    assert window.complaints == []
