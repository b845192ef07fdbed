"""Somebody who knows only what is on the screen: visible words and roles, and nothing else.

By day one game by mouse and the lessons of another one by finger; at night every game, in both
languages and sizes, by mouse, finger and keys.
"""

import itertools
import json
import re

import pytest
from playwright.sync_api import expect

import rules
from firmware_bridge.games import metadata
from firmware_bridge.pages.texts import speaking
from tests.browser import violations
from tests.e2e.conftest import headline
from tests.nightly import NIGHTLY

pytestmark = pytest.mark.browser
WORDS = {
    "en": {
        "computer": "Play the computer", "clock": "White's clock", "go": "White to move",
        "press": "Press the clock", "done": "Done", "thinks": "Black is thinking",
        "empty": "empty", "first": "make a move", "leave": "Give up",
        "sure": "Really? Tap again", "lost": "Black wins",
        "again": "Rematch, colours changed", "level": "Computer, level",
        "other": "Another opponent", "strong": "Computer, level 3",
        "well": "Well done.", "next": "Next", "play": "Play it", "move": "From and to",
        "wrong": "What went wrong?", "none": "None: no turn gave much away.",
    },
    "de": {
        "computer": "Gegen den Computer spielen", "clock": "Uhr von Weiß", "go": "Weiß ist am Zug",
        "press": "die Uhr drücken", "done": "Fertig", "thinks": "Schwarz denkt",
        "empty": "leer", "first": "beginnt", "leave": "Aufgeben",
        "sure": "Wirklich? Noch einmal tippen", "lost": "Schwarz gewinnt",
        "again": "Revanche mit vertauschten Farben", "level": "Computer, Stufe",
        "other": "Anderer Gegner", "strong": "Computer, Stufe 3",
        "well": "Gut gemacht.", "next": "Weiter", "play": "Spielen", "move": "Von und nach",
        "wrong": "Was lief schief?", "none": "Keine: Kein Zug hat viel verschenkt.",
    },
}  # fmt: skip
SIZES = ((1280, 800), (390, 844))
BY_DAY = [("realm", "en", SIZES[0], "mouse")]
BY_DAY_LESSONS = [("reversi", "de", SIZES[1], "finger")]
AT_NIGHT = list(itertools.product(rules.games(), WORDS, SIZES, ("mouse", "finger", "keys")))
TWO_SCREENS = "document.documentElement.scrollHeight <= 2 * innerHeight"
SLOW_LINE = {"offline": False, "latency": 100, "downloadThroughput": -1, "uploadThroughput": -1}
"""Milliseconds between a touch and its answer: quick hands do not wait for it."""
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


class Stranger:
    """Eyes and hands before the board's page."""

    def __init__(self, page, words, means):
        self.page, self.words, self.means = page, words, means
        self.taps = 0

    def tap(self, name, *, exact=False):
        button = self.page.get_by_role("button", name=self.words[name], exact=exact)
        self._tap(button)

    def exchange(self):
        """Want another opponent; it costs the game, so it is asked twice."""
        self._tap(self.page.get_by_text(self.words["other"], exact=True))
        self.tap("strong", exact=True)
        self.tap("sure")
        plate = self.page.get_by_role("button", name=re.compile(f"^{self.words['strong']} "))
        expect(plate).to_be_visible()
        # The simulated board is put up anew for it.
        expect(headline(self.page)).to_have_text(
            re.compile(f"{self.words['go']}|{self.words['first']}")
        )

    def _tap(self, button):
        expect(button).to_be_visible()
        if self.means == "finger":
            button.tap()
        elif self.means == "keys":
            button.press("Enter")
        else:
            button.click()
        self.taps += 1

    def end_turn(self):
        """Do what the headline asks for, if anything: without time it is enough to move."""
        asked = headline(self.page)
        known = [self.words[name] for name in ("press", "done", "thinks")]
        expect(asked).to_have_text(re.compile("|".join(known)))
        if self.words["press"] in asked.inner_text():
            self.tap("clock")
        elif self.words["done"] in asked.inner_text():
            self.tap("done")

    def reads(self, name):
        expect(self.page.get_by_text(self.words[name], exact=False).first).to_be_visible()

    def carry(self, source, target):
        cells = [
            self.page.get_by_role("button", name=re.compile(f"^{cell},"))
            for cell in (source, target)
        ]
        expect(cells[0]).not_to_have_accessible_name(f"{source}, {self.words['empty']}")
        for cell in cells:  # both ends of the way are in view
            cell.scroll_into_view_if_needed()
        if self.means == "keys":
            cells[0].press("Enter")
            for key in _steps(source, target):
                self.page.keyboard.press(key)
            self.page.keyboard.press("Enter")
            return
        (x, y), end = (_middle(cell.bounding_box()) for cell in cells)
        if self.means == "finger":
            self._drag_by_finger((x, y), end)
            return
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=4)
        self.page.mouse.up()

    def follow(self, arrow):
        """Do on a drawn board what an arrow shows, or touch what is ringed."""
        source, target = arrow["source"], arrow["target"]
        ends = [target] if source == target else [source, target]
        if self.means == "keys":
            typed = self.page.get_by_placeholder(self.words["move"])
            typed.fill("".join(ends))
            typed.press("Enter")
            return
        for square in ends:
            x, y = self._drawn(square)
            if self.means == "finger":
                self.page.touchscreen.tap(x, y)
            else:
                self.page.mouse.click(x, y)

    def _drawn(self, square):
        """Find a square by the letter below the board and the number beside it."""
        board = self.page.locator("figure").get_by_role("img")
        board.scroll_into_view_if_needed()
        names = [board.get_by_text(name, exact=True).bounding_box() for name in square]
        (x, _), (_, y) = map(_middle, names)
        return x, y

    def _drag_by_finger(self, *points):
        """Drag, and rest before letting go: after a fling a browser swallows the next tap."""
        touch = self.page.context.new_cdp_session(self.page)
        start, end = points
        steps = (("touchStart", start), ("touchMove", end), ("touchMove", end), ("touchEnd", None))
        for kind, at in steps:
            fingers = [{"x": at[0], "y": at[1]}] if at else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
            self.page.wait_for_timeout(150)


def _middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _steps(source, target):
    files, ranks = (ord(target[at]) - ord(source[at]) for at in (0, 1))
    yield from ["ArrowRight" if files > 0 else "ArrowLeft"] * abs(files)
    yield from ["ArrowUp" if ranks > 0 else "ArrowDown"] * abs(ranks)


def first_move(game):
    """Return a movement of one piece that is a whole first turn."""
    start = rules.load(game).start()
    deeds = (start.deed(turn) for turn in start.turns())
    return next(deed.moves[0] for deed in deeds if len(deed.moves) == 1 and not deed.flips)


@pytest.mark.parametrize(("game", "language", "size", "means"), AT_NIGHT if NIGHTLY else BY_DAY)
def test_a_stranger_plays_gives_up_and_plays_again(shared, window, game, language, size, means):
    screen = {"viewport": dict(zip(("width", "height"), size, strict=True)), "has_touch": True}
    shared.begin(game)
    page = window(f"{shared.board}?language={language}", **screen)
    stranger = Stranger(page, WORDS[language], means)
    stranger.tap("computer")
    stranger.reads("go")
    stranger.carry(*first_move(game))
    stranger.end_turn()
    assert stranger.taps <= 2
    if not rules.load(game).traits.owners_secret:  # where players remember, it soon goes again
        expect(page.locator(".turns li, .news li").first).to_be_visible()
    stranger.reads("go")
    assert page.evaluate(FITS)
    assert page.evaluate(TWO_SCREENS)
    assert violations(page, tags=None) == []
    stranger.exchange()
    stranger.carry(*first_move(game))
    stranger.end_turn()
    stranger.tap("leave")
    stranger.tap("sure")
    stranger.reads("lost")
    page.get_by_role("link", name=WORDS[language]["wrong"]).click()
    expect(page.get_by_role("heading", level=3).first).to_be_visible()
    page.go_back()
    stranger.tap("again")
    expect(
        page.get_by_role("button", name=re.compile(f"{WORDS[language]['level']}"))
    ).to_be_visible()
    expect(page.get_by_text(WORDS[language]["lost"])).to_be_hidden()
    assert window.complaints == []


@pytest.mark.parametrize(
    ("game", "language", "size", "means"), AT_NIGHT if NIGHTLY else BY_DAY_LESSONS
)
def test_a_stranger_finishes_every_lesson(shared, window, game, language, size, means):
    screen = {"viewport": dict(zip(("width", "height"), size, strict=True)), "has_touch": True}
    page = window(f"{shared.display}learn?language={language}", **screen)
    line = page.context.new_cdp_session(page)
    line.send("Network.emulateNetworkConditions", SLOW_LINE)
    words = WORDS[language]
    stranger = Stranger(page, words, means)
    page.get_by_role("link", name=speaking(language, game)("name")).first.click()
    count = len(metadata.of(game).learn)
    for number in range(1, count + 1):
        expect(page.get_by_text(f" · {number} ")).to_be_visible()
        drawn = page.locator("figure").get_by_role("img")
        expect(drawn.get_by_text("4", exact=True)).to_be_visible()
        arrows = json.loads(page.locator("#scene").text_content())["advised"]  # as drawn
        for arrow in arrows:
            stranger.follow(arrow)
        expect(page.get_by_role("status")).to_contain_text(words["well"])
        assert page.evaluate(FITS)
        onward = page.get_by_role("link", name=words["next" if number < count else "play"])
        if means == "keys":
            onward.press("Enter")
        else:
            onward.click()
    page.wait_for_url("**/setup*")  # where it is chosen already, whatever lies on the table
    assert page.locator('[name="game"]:checked').input_value() == game
    assert window.complaints == []
