"""The pages for who does not see them, or has no mouse: told once, named, played by keys."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Hand
from tests.e2e.short_games import GAMES
from tests.e2e.test_games_to_their_end import Visitor
from tests.e2e.test_pages_in_browser import seat
from tests.nightly import NIGHTLY, at_night
from tests.patience import until

pytestmark = pytest.mark.browser
HEARD = """() => {
  window.heard = [];
  const live = '[aria-live="polite"], [aria-live="assertive"], [role="alert"], [role="status"]';
  const hear = (node, text) => {
    const region = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(live);
    if (region?.checkVisibility() && text.trim()) heard.push(text.trim());
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      const came = [...addedNodes].map((node) => node.textContent).join("");
      if (type === "childList") hear(target, came);
      else if (type === "characterData" || !target.hidden) hear(target, target.textContent);
    }
  }).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"] });
}"""
"""A page remembers what it has given to a reader of screens to be said, as it came."""
MOMENTS = [
    (lambda hand: hand.drag("e2", "e4"), "Black"),
    (lambda hand: hand.drag("a7", "a4"), "Put the black pawn back"),
    (lambda hand: hand.drag("a4", "a7"), "Black"),
    (lambda hand: hand.give_up(), "White wins"),
]
CONTROLS = {"button", "link", "textbox", "checkbox", "radio", "combobox", "DisclosureTriangle"}
REACHED = """() => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const wanted = [...document.querySelectorAll("a, button:not(:disabled), summary")].filter(seen);
  window.unreached = new Set(wanted);
  addEventListener("focusin", ({ target }) => unreached.delete(target));
}"""


@at_night("test_faces.py hears a headline said once")
def test_each_headline_is_said_once_and_each_control_has_a_name_and_a_key(shared, window):
    shared.begin("mockery")
    board, display = window(shared.board), window(shared.display)
    pages = {"board": board, "display": display, "phone": seat(window, shared, "white")}
    for page in pages.values():
        expect(page.locator('[data-part="headline"]')).to_contain_text("White")
        page.evaluate(HEARD)
    controls = itertools.cycle(pages)
    for deeds, words in MOMENTS:
        deeds(Hand(board))
        tried = pages.keys() if NIGHTLY else {next(controls)}
        for name, page in pages.items():
            headline = page.locator('[data-part="headline"]')
            expect(headline).to_contain_text(words)
            said = headline.inner_text().replace("\n", " ")
            until(lambda page=page, said=said: said in page.evaluate("heard"))
            heard = page.evaluate("heard.splice(0)")
            assert heard.count(said) == 1, (name, heard)
            if name in tried:
                assert nameless(page) == [], name
                assert unreached_by_keys(page) == [], name
    assert window.complaints == []


def nameless(page):
    """What can be done on a page and has no name, by the tree that a reader of screens gets."""
    line = page.context.new_cdp_session(page)
    tree = line.send("Accessibility.getFullAXTree")["nodes"]
    line.detach()
    controls = [node for node in tree if node.get("role", {}).get("value") in CONTROLS]
    assert controls
    return [node for node in controls if not node.get("name", {}).get("value", "").strip()]


def unreached_by_keys(page):
    """What can be touched on a page and is not come to by the Tab key."""
    page.evaluate(REACHED)
    for _ in range(60):
        if not page.evaluate("unreached.size"):
            break
        page.keyboard.press("Tab")
    return page.evaluate("[...unreached].map((node) => node.innerText)")


class Keys(Hand):
    """Hands that have a keyboard alone."""

    def drag(self, source, target):
        self._sees_a_piece(source)
        self._take(f'[data-cell="{source}"]', target)

    def drop(self, piece, target):
        self.page.locator('[data-cell="e5"]').press("ArrowRight")
        while not self.page.evaluate("document.activeElement.dataset.piece"):
            self.page.keyboard.press("ArrowRight")  # off the board
        self._take(f'[data-piece^="{piece}-"][data-at="tray"]', target)

    def touch(self, cell):
        self._take(f'[data-cell="{cell}"]', cell)

    def turn_over(self, cell):
        self._sees_a_piece(cell)
        self._go(f'[data-cell="{cell}"]')
        self.page.keyboard.press("f")

    def press(self, button):
        pressed = self.page.locator(f'[data-button="{button}"]')
        if not pressed.is_visible():
            self._open_drawer()
        pressed.press("Enter")

    def _open_drawer(self):
        self.page.locator(".drawer > summary").press("Enter")

    def _take(self, source, target):
        self._go(source)
        self.page.keyboard.press("Enter")
        self._go(f'[data-cell="{target}"]')
        self.page.keyboard.press("Enter")

    def _go(self, wanted):
        """Go there by arrows: along the longer way first, and along the other where that ends."""
        if not self.page.evaluate("document.activeElement.closest('#board')"):
            self.page.locator('[data-cell][tabindex="0"]:not([hidden])').focus()
        for _ in range(40):
            x, y = self.page.evaluate(TO_GO, wanted)
            if (x, y) == (0, 0):
                return
            keys = [("ArrowRight", x), ("ArrowLeft", -x), ("ArrowDown", y), ("ArrowUp", -y)]
            for key, far in sorted(keys, key=lambda each: -each[1]):
                if far > 0:
                    self.page.keyboard.press(key)
                    if self.page.evaluate(TO_GO, wanted) != [x, y]:
                        break
        raise AssertionError(f"no arrow leads to {wanted}")


TO_GO = """(wanted) => {
  const [here, there] = [document.activeElement, document.querySelector(wanted)];
  const middle = (node) => { const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2]; };
  const [[x, y], [toX, toY]] = [middle(here), middle(there)];
  return here === there ? [0, 0] : [toX - x, toY - y];
}"""


@pytest.mark.parametrize("game", GAMES if NIGHTLY else ["reality-check"])
def test_a_whole_game_is_played_by_keys_alone(game, shared, window):
    shared.begin(game, press=True)
    hand = Keys(window(shared.board))
    visitor = Visitor(game, hand, window(shared.display))
    expect(visitor.asked).to_have_text(re.compile("begin|to move"))
    hand.press("black")
    visitor.play(GAMES[game].line)
    visitor.end(GAMES[game])
    assert window.complaints == []
