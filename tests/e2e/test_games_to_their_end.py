"""Games whose turns are more than a move, by mouse, over the pty, to a result on the display."""

import re

import pytest
from playwright.sync_api import expect

import rules
from tests.browser import violations
from tests.e2e.short_games import GAMES
from tests.nightly import NIGHTLY

pytestmark = pytest.mark.browser


class Player:
    """Makes the turns of a game with a mouse, and looks at the display in between."""

    def __init__(self, game, hand, display):
        self.position = rules.load(game).start()
        self.hand, self.page, self.display = hand, hand.page, display

    def play(self, line):
        for text in line.split():
            turn, side = self.position.parse_turn(text), self.position.side
            expect(self.display.locator(f'.clock.to-act[data-side="{side}"]')).to_be_visible()
            self._make(text, self.position.deed(turn))
            self.hand.press(side)
            self.position = self.position.play(turn)

    def _make(self, text, deed):
        for source, target in deed.moves:
            self.hand.drag(source, target)
        for square, label in deed.placed:
            self.hand.drop(label[:3], square)
        for square, _ in deed.flips:
            self.hand.turn_over(square)
        declares = text.endswith("!")
        if deed.touch or declares:
            choices = self.display.locator('[data-part="answers"] button')
            expect(choices).to_have_count(2)
        if deed.touch:
            self.hand.touch(deed.touch)
        elif declares:
            self.hand.press("declare")


def whole_realms_moved(hand, display):
    expect(display.locator(".regions path")).to_have_count(1)
    expect(hand.page.locator("path.regions")).to_have_attribute("d", re.compile("^M"))
    expect(display.locator('[data-part="headline"]')).to_contain_text("White to move")
    expect(display.locator('[data-part="news"]')).to_contain_text(re.compile("Concentration"))


ALSO_SHOWN = {"realm": whole_realms_moved}
"""What the pages show besides, once the turns of a game are made."""
GIVEN_AWAY = "reversi"
"""The game of which one turn gave so much away that the end shows it as a picture."""


BY_DAY = ("reality-check", "realm", "reversi")
"""Those in which hands do more than move: turn over, drop, declare, move many, touch."""


def test_no_name_here_matches_nothing():
    assert {*ALSO_SHOWN, *BY_DAY} <= rules.games().keys()


@pytest.mark.parametrize("game", GAMES if NIGHTLY else BY_DAY)
def test_a_game_is_played_to_its_end(shared, table, window, game):
    short = GAMES[game]
    shared.begin(game)
    hand, display = table(shared)
    headline = display.locator('[data-part="headline"]')
    expect(headline).to_contain_text("begin")
    hand.press("black")
    Player(game, hand, display).play(short.line)
    if game in ALSO_SHOWN:
        ALSO_SHOWN[game](hand, display)
    for king in short.kings:
        hand.drag(king[:2], king[2:])
    expect(headline).to_contain_text(short.words)
    if game == GIVEN_AWAY:
        worst = display.locator('[data-part="worst"]')
        expect(worst).to_be_visible(timeout=60_000)
        assert violations(display) == []
        worst.click()
        expect(display.locator('[data-part="reviewed"]')).to_be_visible()
    assert window.complaints == []
