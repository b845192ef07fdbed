"""One person plays Reality Check against the computer in the demo: its pieces are tokens."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Hand
from tests.patience import until

pytestmark = pytest.mark.browser


def headline(page):
    return page.locator('[data-part="headline"]').inner_text()


def answered(display, stands_on):
    """Return the pieces once White is to move, one of his on this square."""
    told = "fetch('/api/v1/state').then((answer) => answer.json())"
    pieces = display.evaluate(told)["pieces"]
    return pieces if stands_on in pieces and "White to move" in headline(display) else {}


def test_tokens_are_exchanged_as_the_board_names_them(demo, window):
    with demo("--game", "reality-check", "--set=players.black=computer 1") as running:
        page = window(running.board)
        display = window(f"{running.display}?language=en")
        expect(page.locator('[data-part="headline"]')).to_contain_text("Ready")
        hand = Hand(page)
        hand.press("black")
        expect(page.locator('[data-part="headline"]')).to_have_text("White to move.")
        hand.drag("d3", "b5")
        hand.press("white")
        pieces = until(lambda: answered(display, "b5"))
        for square, piece in sorted(pieces.items()):
            if piece["side"] == "black" and "frozen" not in piece["marks"]:
                hand.turn_over(square)
                break
        target = "c4" if "c4" not in pieces else "a4"
        hand.drag("b5", target)
        expect(page.locator('[data-part="headline"]')).to_contain_text("the clock")
        hand.press("white")
        until(lambda: answered(display, target))
        assert window.complaints == []
