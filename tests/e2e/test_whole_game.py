"""A whole real game by mouse: over the pty, through illegal attempts and a killed service.

By day one of eight turns, at night one of seventeen.
"""

from pathlib import Path

import chess.pgn
import pytest
from playwright.sync_api import expect

from tests.nightly import NIGHTLY
from tests.patience import until

GAME, IN_CHECK = ("opera-game.pgn", 21) if NIGHTLY else ("legal-mate.pgn", 13)
CASTLING = {"e1g1": ("h1", "f1"), "e1c1": ("a1", "d1"), "e8g8": ("h8", "f8"), "e8c8": ("a8", "d8")}
ATTEMPTS = {
    0: ("e7", "e5", "Illegal, opponent's piece."),
    3: ("b8", "b5", "Illegal move."),
    IN_CHECK: ("a7", "a6", "Illegal move - exposing your King to Check."),
}
"""Before this ply, the mover tries this and presses; the referee says that."""
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
    with (Path(__file__).parent.parent / "data" / GAME).open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    board = game.board()
    for move in game.mainline_moves():
        castling = CASTLING.get(move.uci()) if board.is_castling(move) else None
        yield ("white" if board.turn else "black"), move.uci(), castling
        board.push(move)


def try_illegal(hand, display, side, attempt):
    source, target, ruling = attempt
    hand.drag(source, target)
    hand.press(side)
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
    expect(display.locator('[data-part="headline"]')).to_contain_text("Paused")
    assert demo.service != killed
    hand.press(side)
    expect(display.locator('[data-part="headline"]')).to_contain_text("to move")


@pytest.mark.browser
def test_a_real_game_from_set_up_to_mate(demo, table, window):
    with demo() as running:
        hand, display = table(running)
        headline = display.locator('[data-part="headline"]')
        expect(headline).to_contain_text("begin")
        hand.press("black")
        for ply, (side, turn, castling) in enumerate(turns()):
            to_act = display.locator(f'.clock.to-act[data-side="{side}"]')
            expect(to_act).to_be_visible()
            if ply == KILLED_BEFORE:
                kill(running, hand, display, side)
                window.complaints.clear()  # the browser rightly said that the service was gone
            if ply in ATTEMPTS:
                try_illegal(hand, display, side, ATTEMPTS[ply])
            hand.drag(turn[:2], turn[2:4])
            if castling:
                hand.drag(*castling)
            hand.press(side)
        expect(headline).to_contain_text("White wins")
        expect(headline).to_contain_text("Checkmate")
        assert window.complaints == []
        white, black = display.locator(".clock .time").all_inner_texts()[::-1]
        assert int(white.split(":")[0]) < 40  # one penalty of five minutes
        assert int(black.split(":")[0]) < 35  # two of them
