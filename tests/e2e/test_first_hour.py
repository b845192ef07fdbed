"""The first hour with the board, by mouse: people who forget the clock, begin by moving, or change
the game in the middle of it. Nobody is fined for what he did not do, and nothing comes to a stop.

By day each kind of player begins one game, at night every game, and plays it to its end.
"""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import begin_chosen
from tests.e2e.short_games import GAMES
from tests.e2e.test_games_to_their_end import Player
from tests.nightly import NIGHTLY
from tests.patience import PATIENCE
from tests.sample import SAMPLE

pytestmark = pytest.mark.browser
SHORT = 4
"""Turns that are played of a game by day."""
REMEMBER_ALL = """() => {
  const news = document.querySelector('[data-part="news"]');
  window.allNews = [];
  const note = () => window.allNews.push(...[...news.children].map((line) => line.textContent));
  new MutationObserver(note).observe(news, {childList: true});
  note();
}"""


class Visitor(Player):
    """Plays as somebody who has read nothing."""

    def __init__(self, game, hand, display):
        super().__init__(game, hand, display)
        self.headline = display.locator('[data-part="headline"]')
        display.evaluate(REMEMBER_ALL)

    def acts(self, side):
        expect(self.display.locator(f'.clock.to-act[data-side="{side}"]')).to_be_visible()

    def make(self, text):
        """Make a turn and leave the clock alone; the board sees that it is whole."""
        turn, side = self.position.parse_turn(text), self.position.side
        self._make(text, self.position.deed(turn))
        self.position = self.position.play(turn)
        return side

    def made(self, text):
        side = self.make(text)
        self.acts(side)
        expect(self.headline).to_contain_text("ress the clock")
        return side

    def end(self, short):
        """Show the result with the kings, where no turn has ended the game."""
        for king in short.kings:
            self.hand.drag(king[:2], king[2:])
        expect(self.headline).to_contain_text(short.words)

    def nobody_was_fined(self):
        said = " ".join(self.display.evaluate("window.allNews"))
        assert "llegal" not in said
        assert "off" not in said.split()


def forgets_the_clock(visitor, line):
    """Nobody presses until the game is over, and then because the board asks for it."""
    visitor.hand.press("black")
    visitor.acts("white")
    for text in line:
        side = visitor.made(text)
    visitor.hand.press(side)


def begins_by_moving(visitor, line):
    """White simply moves, and presses as he is told."""
    first, *others = line
    side = visitor.make(first)
    expect(visitor.headline).to_contain_text("to begin with this move")
    visitor.hand.press(side)
    visitor.play(" ".join(others))


STYLES = {"forgets": forgets_the_clock, "begins": begins_by_moving}
ALL = [(game, style) for game in GAMES for style in STYLES]
BY_DAY = [*zip(SAMPLE, STYLES, strict=False)]


@pytest.mark.parametrize(("game", "style"), ALL if NIGHTLY else BY_DAY)
def test_nobody_is_fined_or_stuck(game, style, shared, table, window):
    shared.begin(game, time="45m")
    hand, display = table(shared)
    visitor = Visitor(game, hand, display)
    line = GAMES[game].line.split()
    STYLES[style](visitor, line if NIGHTLY else line[:SHORT])
    if NIGHTLY:
        visitor.end(GAMES[game])
        assert "attempt" not in records_of_the_last_game(shared)
    else:
        expect(visitor.headline).to_contain_text(re.compile("wins|to move|turn a piece"))
    visitor.nobody_was_fined()
    assert window.complaints == []


def records_of_the_last_game(running):
    with urllib.request.urlopen(f"{running.display}api/v1/games", timeout=PATIENCE) as answer:
        last = json.load(answer)[0]["id"]
    address = f"{running.display}api/v1/games/{last}.json"
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return {record["kind"] for record in json.load(answer)["records"]}


class Changer:
    """Somebody who wants another game, whatever the board is doing."""

    def __init__(self, running, hand, display, window):
        self.running, self.hand, self.display, self.window = running, hand, display, window

    def change(self, game):
        setup = self.window(f"{self.running.display}setup")
        setup.check(f'[name="game"][value="{game}"]')
        begin_chosen(setup, self.running.display)
        setup.context.close()
        expect(self.display.locator('[data-part="headline"]')).to_contain_text("begin")

    def begin(self):
        self.hand.press("black")  # White is to act before it already: only the headline tells
        expect(self.display.locator('[data-part="headline"]')).to_contain_text("White to move")

    def lift(self, cell):
        self.hand.page.mouse.move(*self.hand._centre(cell))
        self.hand.page.mouse.down()

    def let_go(self):
        self.hand.page.mouse.up()


def test_the_game_is_changed_in_every_phase(shared, table, window):
    shared.begin("mockery", time="45m")
    hand, display = table(shared)
    display.evaluate(REMEMBER_ALL)
    visitor = Changer(shared, hand, display, window)
    headline = display.locator('[data-part="headline"]')
    visitor.change("indistinguishable")  # while it was ready
    hand.drag("a7", "a5")
    visitor.change("reversi")  # with a piece astray before the game
    visitor.begin()
    visitor.change("realm")  # at somebody's turn
    visitor.begin()
    hand.drag("e2", "e4")
    expect(headline).to_contain_text("Done?")
    visitor.change("reality-check")  # with a turn on the board
    visitor.begin()
    hand.drag("c3", "c4")
    hand.press("white")
    visitor.change("indistinguishable")  # after a turn
    visitor.begin()
    visitor.lift("d2")
    expect(headline).to_contain_text("White to move")
    visitor.change("mockery")  # with a piece in the air
    visitor.let_go()
    if "begin" not in headline.inner_text():
        hand.set_up("start")
    expect(headline).to_contain_text("begin")
    visitor.begin()
    killed = shared.kill_service()
    expect(headline).to_contain_text("Paused")
    assert shared.service != killed
    visitor.change("indistinguishable")  # while it is paused
    display.evaluate(REMEMBER_ALL)
    last = Visitor("indistinguishable", hand, display)
    hand.press("black")
    last.play(GAMES["indistinguishable"].line)
    expect(headline).to_contain_text("Black wins")
    last.nobody_was_fined()
    visitor.change("realm")  # after its end
    assert "attempt" not in records_of_the_last_game(shared)
