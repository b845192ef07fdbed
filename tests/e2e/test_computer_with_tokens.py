"""One person plays Reality Check against the computer in the demo: its pieces are tokens."""

import pytest
from playwright.sync_api import expect

import rules
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Piped
from firmware_bridge.service.seat_process import lines
from tests.browser import violations
from tests.e2e.conftest import Hand, headline
from tests.firmware_bridge.table.carrying_out import follow
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import at_night
from tests.patience import until

pytestmark = pytest.mark.browser
START = rules.load("reality-check").start().placement.keys()
WHITE_PAWN = ("white", "P")


def scene(display):
    return display.evaluate("fetch('/api/v1/state').then((answer) => answer.json())")


def answered(display, left):
    """Return the pieces once the computer has changed what White left, and White is to move."""
    pieces = scene(display)["pieces"]
    return (
        pieces
        if pieces.keys() != left and "White to move" in headline(display).inner_text()
        else {}
    )


def step(display, pieces):
    """Return where a pawn of White's can go: to a free square beside it."""
    for square in (
        s for s, piece in pieces.items() if (piece["side"], piece["kind"]) == WHITE_PAWN
    ):
        file, rank = ord(square[0]), int(square[1])
        around = ((file, rank + 1), (file - 1, rank), (file + 1, rank), (file, rank - 1))
        for target in (f"{chr(f)}{r}" for f, r in around):
            if target in scene(display)["squares"] and target not in pieces:
                return square, target
    raise AssertionError("no pawn can go anywhere")


def test_tokens_are_exchanged_as_the_board_names_them(demo, window):
    with demo("--game", "reality-check", "--set=players.black=computer 1") as running:
        page = window(running.board)
        display = window(f"{running.display}?language=en")
        expect(page.locator(".cell:is(.light, .dark):visible")).to_have_count(39)
        hand = Hand(page)
        expect(headline(page)).to_have_text("White to move.")
        hand.drag("d3", "b5")
        hand.press("white")
        left = START - {"d3"} | {"b5"}
        pieces = until(lambda: answered(display, left))
        for square, piece in sorted(pieces.items()):
            if piece["side"] == "black" and "frozen" not in piece["marks"]:
                hand.turn_over(square)
                break
        source, target = step(display, pieces)
        hand.drag(source, target)
        hand.press("white")
        left = pieces.keys() - {source} | {target}
        until(lambda: answered(display, left))
        assert window.complaints == []


def write_down(folder):
    """Play a little against the computer and resign."""
    journal = Journal(folder)
    driven = Driven("reality-check", computers={"black": 1})
    follow(driven, "d3b5", "b7b6/c7", "b5c4/e3")
    driven.say("resign", "white")
    told = lines(driven.table.summary().briefing("black"))
    through = (*(f"> {line}" for line in ("uci", *told, "go movetime 10000")), "< bestmove b7b6/c7")
    driven.feed(Piped(driven.t, "", "black", through))
    journal.append(journal.new_game(), driven.table.records)
    journal.close()


@at_night("tests/firmware_bridge/secrets plays it at a table")
def test_what_it_knew_and_what_it_hid_is_open_at_the_end(demo, window, tmp_path):
    write_down(tmp_path / "games")
    with demo("--game", "reality-check", "--set=players.black=computer 1") as running:
        display = window(f"{running.display}?language=en")
        expect(display.locator('[data-part="promised"] code')).to_have_count(1)
        expect(display.locator('[data-part="promised"] img')).to_be_visible()
        assert violations(display) == []
        for language, checked in (("en", "Checked"), ("de", "Geprüft")):
            page = window(f"{running.display}games/newest?language={language}")
            expect(page.locator(".promised b")).to_contain_text(checked)
            page.locator('a[href*="/known"]').focus()
            page.keyboard.press("Enter")
            expect(page.locator(".known tbody tr")).to_have_count(7)
            expect(page.locator(".known code").nth(1)).to_contain_text('"side": "black"')
            assert violations(page) == []
        assert window.complaints == []
