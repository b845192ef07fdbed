"""Two demos on one machine, as two friends in two towns: by words, by letters, by hands."""

import re

import pytest
from playwright.sync_api import expect

from firmware_bridge.pages.texts import speaking
from tests.browser import violations
from tests.e2e.conftest import LOOKS_MS, Hand, headline
from tests.e2e.towns import directly
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.nightly import one_of
from tests.patience import until

pytestmark = [pytest.mark.browser, pytest.mark.broker]


@pytest.fixture(params=one_of("broker", "direct"))
def friends(request, demo, window, tmp_path):
    """Start two demos whose letters are carried so; give each with its page of friends."""
    with Mosquitto(tmp_path) as broker:
        one, other = 2 * ({"host": "127.0.0.1", "port": broker.port},)
        if request.param == "direct":
            one, other = directly()
        with (
            demo(*said("Ada", one), folder=tmp_path / "ada") as ada,
            demo(*said("Grace", other), folder=tmp_path / "grace") as grace,
        ):
            yield ada, grace


def said(name, carrier):
    """Return the options of a demo."""
    changes = {"name": name, **carrier}
    return ["--game=reversi", *(f"-sdistance.{key}={value}" for key, value in changes.items())]


def board_of(demo, window):
    board = window(demo.board)
    board.wait_for_selector('[data-piece][data-at="d1"]')
    return Hand(board)


def signatures(page):
    """Return how many hashes and signatures a game's page shows."""
    page.reload()
    return page.locator(".promised code").count()


def play(boards, side, source, target):
    """Make a turn, and see it on both boards: the simulated one carries out the other side's."""
    hand, display = boards[side]
    expect(headline(display)).to_contain_text(re.compile(f"{side.title()} (begins|to move)"))
    hand.drag(source, target)
    hand.press(side)
    for board, _ in boards.values():
        board.page.wait_for_selector(f'[data-piece][data-at="{target}"]', state="attached")


def test_two_friends_play_reality_check_and_neither_board_knows_the_others_discs(friends, window):
    """Options are proposed, a press binds, a host dies, and all is open at the end."""
    ada, grace = friends
    here, there = become_friends(ada, grace, window)
    here.select_option('[name="game"]', "reality-check")
    options = here.locator('fieldset[data-for="reality-check"]')
    options.locator('[name="memory"]').check()
    assert violations(here) == []
    here.click('[data-part="propose"] button.main')
    expect(there.locator('[data-part="proposals"]')).to_contain_text("Memory")
    expect(there.get_by_label("The words of your friend's board")).to_be_hidden()  # one is there
    there.goto(grace.display)
    there.get_by_role("link", name="Answer").click()
    there.click('[data-part="proposals"] .main')
    here.wait_for_url(ada.display)
    there.wait_for_url(grace.display)
    boards = {"white": (board_of(ada, window), here), "black": (board_of(grace, window), there)}
    for side, (hand, display) in boards.items():
        expect(headline(display)).to_contain_text("discs lie as you want them")
        hand.press(side)
    for _, display in boards.values():
        expect(headline(display)).to_contain_text(re.compile("White.* to move"))
    grace.kill_service()
    play(boards, "white", "d3", "b5")  # while the other host is away
    hand, display = boards["black"]
    expect(headline(display)).to_contain_text("Black to move")
    hand.page.wait_for_timeout(LOOKS_MS)
    hand.drag("c7", "c6")
    hand.turn_over("d1")  # White's: only White's board knows what is below
    hand.press("black")
    expect(headline(here)).to_contain_text("White to move")
    expect(headline(there)).to_contain_text("White, far away, is to move")
    there.get_by_role("button", name="Give up").click()
    there.get_by_role("button", name="Really?").click()
    for one in (here, there):
        expect(one.locator("body")).to_contain_text("White wins")
        expect(one.locator("body")).to_contain_text("everything was as it had been told")
        assert violations(one) == []
    for one, language in one_of((ada, "en"), (grace, "de")):
        page, say = window(f"{one.display}games?language={language}"), speaking(language, None)
        page.get_by_role("link", name=say("page-replay")).click()
        page.get_by_text(say("page-take-home")).click()
        until(lambda page=page: signatures(page) == 3, "nobody has signed it")
        page.get_by_text(say("page-take-home")).click()
        expect(page.locator(".promised").last).to_have_text(say("distance-audited"))
        page.get_by_role("button", name=say("page-replay-last")).click()
        assert violations(page) == []


def become_friends(ada, grace, window):
    """Show words at one demo, enter them at the other; return the pages of friends."""
    here, there = (window(f"{one.display}distance") for one in (ada, grace))
    here.click('[data-part="invite"]')
    words = until(lambda: here.locator('[data-part="words"]').inner_text())
    there.fill('[name="words"]', words)
    there.click('[data-part="join"] button')
    expect(there.locator('[data-part="told"]')).to_contain_text("Ada")
    expect(here.locator('[data-part="told"]')).to_contain_text("Grace")
    return here, there
