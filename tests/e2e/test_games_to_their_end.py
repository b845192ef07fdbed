"""Games by mouse, over the pty: to a result on the display, through illegal attempts and a killed
service, and by people who forget the clock or begin by moving, whom nobody fines.
"""

import itertools
import json
import re
from pathlib import Path

import chess.pgn
import pytest
from playwright.sync_api import expect

import rules
from tests.browser import violations
from tests.e2e.conftest import LOOKS_MS, get, headline
from tests.e2e.short_games import GAMES
from tests.nightly import NIGHTLY
from tests.patience import until

pytestmark = pytest.mark.browser
REMEMBER_ALL = """() => {
  const news = document.querySelector('[data-part="news"]');
  window.allNews = [];
  const note = () => window.allNews.push(...[...news.children].map((line) => line.textContent));
  new MutationObserver(note).observe(news, {childList: true});
  note();
}"""


class Visitor:
    """Makes the turns of a game with a mouse, and looks at the display in between."""

    def __init__(self, game, hand, display):
        self.position = rules.load(game).start()
        self.hand, self.display = hand, display
        self.asked = headline(display)
        display.evaluate(REMEMBER_ALL)

    def play(self, line):
        for text in line.split():
            self.acts(self.position.side)
            self.hand.press(self.make(text))

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
            expect(choices).to_have_count(0)
        elif declares:
            self.hand.press("declare")

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
        expect(self.asked).to_contain_text("ress the clock")
        return side

    def end(self, short):
        """Show the result with the kings, where no turn has ended the game."""
        for king in short.kings:
            self.hand.drag(king[:2], king[2:])
        expect(self.asked).to_contain_text(short.words)


def nobody_was_fined(display):
    said = " ".join(display.evaluate("window.allNews"))
    assert "llegal" not in said
    assert "off" not in said.split()


def whole_realms_moved(hand, display):
    expect(display.locator(".regions path")).to_have_count(1)
    expect(hand.page.locator("path.regions")).to_have_attribute("d", re.compile("^M"))
    expect(headline(display)).to_contain_text("White to move")
    expect(display.locator('[data-part="news"]')).to_contain_text(re.compile("Concentration"))


ALSO_SHOWN = {"realm": whole_realms_moved}
"""What the pages show besides, once the turns of a game are made."""
GIVEN_AWAY = "reversi"
"""The game of which one turn gave so much away that the end shows it as a picture."""


def presses(visitor, line):
    """Each turn is ended with the clock."""
    visitor.hand.press("black")
    visitor.play(" ".join(line))


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
    expect(visitor.asked).to_contain_text("to begin with this move")
    visitor.hand.press(side)
    visitor.play(" ".join(others))


STYLES = {"presses": presses, "forgets": forgets_the_clock, "begins": begins_by_moving}
BY_DAY = {"indistinguishable": "begins"}
"""The game with the fewest turns; that in which hands do most is played by keys."""


def test_no_name_here_matches_nothing():
    assert {*ALSO_SHOWN, *BY_DAY} <= rules.games().keys()


@pytest.mark.parametrize(
    ("game", "style"), [*itertools.product(GAMES, STYLES)] if NIGHTLY else [*BY_DAY.items()]
)
def test_a_game_is_played_to_its_end_and_nobody_is_fined(game, style, shared, table, window):
    short = GAMES[game]
    shared.begin(game, time="45m")
    hand, display = table(shared)
    visitor = Visitor(game, hand, display)
    expect(visitor.asked).to_contain_text("begin")
    STYLES[style](visitor, short.line.split())
    if game in ALSO_SHOWN and style == "presses":
        ALSO_SHOWN[game](hand, display)
    visitor.end(short)
    nobody_was_fined(display)
    assert "attempt" not in records_of_the_last_game(shared)
    if game == GIVEN_AWAY:
        worst = display.locator('[data-part="worst"]')
        expect(worst).to_be_visible(timeout=60_000)
        assert violations(display) == []
        worst.click()
        expect(display.locator('[data-part="reviewed"]')).to_be_visible()
    assert window.complaints == []


def records_of_the_last_game(running):
    games = f"{running.display}api/v1/games"
    last = json.loads(get(games))[0]["id"]
    return {record["kind"] for record in json.loads(get(f"{games}/{last}.json"))["records"]}


REAL_GAME, IN_CHECK = ("opera-game.pgn", 21) if NIGHTLY else ("legal-mate.pgn", 13)
CASTLING = {"e1g1": ("h1", "f1"), "e1c1": ("a1", "d1"), "e8g8": ("h8", "f8"), "e8c8": ("a8", "d8")}
ATTEMPTS = {
    0: ("e7", "e5", "Illegal, opponent's piece."),
    3: ("b8", "b5", "Illegal move."),
    IN_CHECK: ("a7", "a6", "Illegal move - exposing your King to Check."),
}
"""Before this ply, the mover tries this; the referee says that."""
KILLED_BEFORE = 12
WATCH_LOSS = """() => {
  const lost = document.querySelector('[data-part="lost"]');
  new MutationObserver(() => {
    if (lost.hidden) return;
    const times = [...document.querySelectorAll('.clock .time')];
    window.timesWhenLost = times.map((time) => time.textContent);
  }).observe(lost, {attributes: true});
}"""
"""The service may be back before a test can look: the page itself remembers what it showed."""


def turns():
    with (Path(__file__).parent.parent / "data" / REAL_GAME).open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    board = game.board()
    for move in game.mainline_moves():
        castling = CASTLING.get(move.uci()) if board.is_castling(move) else None
        yield ("white" if board.turn else "black"), move.uci(), castling
        board.push(move)


def try_illegal(hand, display, attempt):
    """Wait for the ruling: who presses after it came is told something else instead of it."""
    source, target, ruling = attempt
    display.wait_for_timeout(LOOKS_MS)
    hand.drag(source, target)
    expect(display.locator('[data-part="news"]')).to_contain_text(ruling)
    expect(display.locator("[data-light]")).not_to_have_count(0)
    hand.drag(target, source)
    expect(display.locator("[data-light]")).to_have_count(0)


def kill(demo, hand, display, side):
    display.evaluate(WATCH_LOSS)
    killed = demo.kill_service()
    times = until(lambda: display.evaluate("window.timesWhenLost"))
    assert len(times) == 2
    assert not any(character.isdigit() for time in times for character in time)
    expect(display.locator('[data-part="lost"]')).to_be_hidden()
    expect(headline(display)).to_contain_text("Paused")
    assert demo.service != killed
    hand.press(side)
    expect(headline(display)).to_contain_text("to move")


def test_a_real_game_from_set_up_to_mate(shared, table, window):
    shared.begin("indistinguishable", time="45m")
    hand, display = table(shared)
    asked = headline(display)
    expect(asked).to_contain_text("begin")
    hand.press("black")
    for ply, (side, turn, castling) in enumerate(turns()):
        to_act = display.locator(f'.clock.to-act[data-side="{side}"]')
        expect(to_act).to_be_visible()
        if ply == KILLED_BEFORE:
            kill(shared, hand, display, side)
            window.complaints.clear()  # the browser rightly said that the service was gone
        if ply in ATTEMPTS:
            try_illegal(hand, display, ATTEMPTS[ply])
        hand.drag(turn[:2], turn[2:4])
        if castling:
            hand.drag(*castling)
        hand.press(side)
    expect(asked).to_contain_text("White wins")
    expect(asked).to_contain_text("Checkmate")
    assert window.complaints == []
    white, black = display.locator(".clock .time").all_inner_texts()[::-1]
    assert int(white.split(":")[0]) < 40  # one penalty of five minutes
    assert int(black.split(":")[0]) < 35  # two of them
