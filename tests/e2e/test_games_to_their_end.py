"""Games whose turns are more than a move, by mouse, over the pty, to a result on the display."""

import re

import pytest
from playwright.sync_api import expect

import rules

REVERSI = "d2d3 f7f5 h2h4 b7b5 g2g3 h7h6 b1a3 c8b7 f1h3 g7g5 a3c4 b7f3 e2e4 f3h1~a8 d1h5"  # mate
MOCKERY = (
    "h2h4 f7f5 g2g4 a7a6 f2f3 e7e6 d2d3 e8e7 d1d2 g7g6 b1a3 e7f6 g4g5 g8h6 g5f6"  # takes the king
)
REALITY_CHECK = (
    "c3c4 b7b6/e8 c2b4/b4 b6c6/d2 b4xc6! c7b7/e8 c6xd8! b7c7/e8 d2a5/e7 c8b6/e3 a5xb6! RR@b7 "
    "d8xb7!"  # the last true piece
)
REALM = "D-cd12:c1g5,c2c4,d1d3,d2d4 C-ef56:e7e5,f7f5,g8f6"

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
            self.page.click('[data-button="declare"]')


ELSEWHERE = {"indistinguishable": "test_whole_game.py", "realm": "a test of its own below"}
GAMES = {
    "reversi": (REVERSI, "White wins. Checkmate."),
    "mockery": (MOCKERY, "White wins. The king was captured."),
    "reality-check": (REALITY_CHECK, "White wins. A side has no true pieces left."),
}


def test_no_name_here_matches_nothing():
    assert GAMES.keys() | ELSEWHERE.keys() <= rules.games().keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end(demo, table, window, game):
    line, words = GAMES[game]
    with demo("--game", game) as running:
        hand, display = table(running)
        headline = display.locator('[data-part="headline"]')
        expect(headline).to_contain_text("Ready")
        hand.press("black")
        player = Player(game, hand, display)
        player.play(line)
        assert player.position.outcome
        expect(headline).to_contain_text(words)
        assert window.complaints == []


def test_whole_realms_move_and_kings_in_the_centre_tell_the_result(demo, table, window):
    with demo("--game", "realm") as running:
        hand, display = table(running)
        headline = display.locator('[data-part="headline"]')
        expect(headline).to_contain_text("Ready")
        hand.press("black")
        Player("realm", hand, display).play(REALM)
        expect(display.locator(".regions path")).to_have_count(1)
        expect(hand.page.locator("path.regions")).to_have_attribute("d", re.compile("^M"))
        expect(headline).to_contain_text("White to move")
        expect(display.locator('[data-part="news"]')).to_contain_text(re.compile("Concentration"))
        hand.drag("e1", "e4")
        hand.drag("e8", "d5")
        expect(headline).to_contain_text("White wins")
        assert window.complaints == []
