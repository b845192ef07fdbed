"""What boards say of themselves reaches people in their language."""

import pytest

from drivers.board_reasons import NOTICE_TEXTS
from drivers.link import codec
from drivers.port import BoardNotice
from firmware_bridge.messages import PublicVerdict, Said
from firmware_bridge.pages.texts import texts
from firmware_bridge.referee.remarks import OF_THE_MOMENT
from firmware_bridge.service.alerts import KNOWN, LASTING, NO_NEWS, announcement
from firmware_bridge.service.state_feed import MOST, StateFeed
from firmware_bridge.views import Announcement
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.table.driving import Driven


def said(language, notice):
    news = announcement(notice)
    return texts(language, None).text(news.key, news.words)


def test_every_notice_of_the_own_boards_has_words():
    assert {*codec.NOTICES, *NOTICE_TEXTS} <= KNOWN | NO_NEWS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(KNOWN))
def test_a_notice_says_where_in_every_language(language, code):
    everywhere = said(language, BoardNotice(1.0, code, "?"))
    here = said(language, BoardNotice(1.0, code, "?", ("e4", "f4")))
    assert "{" not in everywhere
    assert ("e4, f4" in here) is (everywhere != here)


def test_a_notice_that_nobody_has_words_for_is_told_as_it_came():
    assert said("de", BoardNotice(1.0, "smoke", "It smells.")) == "Das Brett meldet: It smells."


def test_a_self_test_that_was_passed_is_no_news():
    assert announcement(BoardNotice(1.0, "self-test-passed", "?")) is None


def test_what_is_broken_is_shown_until_it_is_mended():
    feed = StateFeed()
    for code in sorted(LASTING):
        feed.break_down(code, announcement(BoardNotice(1.0, code, "?")))
    for _ in range(MOST):
        feed.post(Announcement("page-part-failed", {"part": "x"}))
    shown = {news.key for news in feed.shown}
    assert {f"page-notice-{code}" for code in LASTING} <= shown
    feed.mend()
    assert {news.key for news in feed.shown} == {"page-part-failed"}


@pytest.mark.parametrize("key", sorted(OF_THE_MOMENT))
def test_what_is_said_of_the_board_as_it_stands_goes_once_it_stands_otherwise(key):
    feed = StateFeed()
    feed.note((PublicVerdict(1.0, "in-progress"), Said(1.0, key, {})), open_to_all=False)
    assert [news.key for news in feed.shown] == [key]
    feed.note((PublicVerdict(2.0, "complete"),), open_to_all=False)
    assert feed.shown == ()


def test_of_two_turns_taken_together_the_last_one_is_told_of():
    driven = Driven("reversi", position="3k4/P7/8/8/8/8/8/K7 w - - 0 1", settings={"time": "5m"})
    driven.carry("a7", "a8")
    driven.carry("d8", "c7")  # it was a queen, and gave check
    before = len(driven.outputs)
    driven.press("black")
    feed = StateFeed()
    feed.note(driven.table.summary().told(driven.outputs[before:]), open_to_all=False)
    assert driven.position.side == "white"
    assert feed.shown == ()


def test_why_a_turn_was_taken_back_outlasts_what_it_made_vanish():
    feed = StateFeed()
    together = [*(["remark-unseen"] * (MOST - 1)), "puzzle-wrong"]
    feed.note([Said(1.0, key) for key in together], open_to_all=False)
    feed.note([Said(2.0, "want-board-right")], open_to_all=False)
    shown = [news.key for news in feed.shown]
    assert shown == ["want-board-right", *together[1:]]


def test_why_something_goes_back_is_told_until_the_board_is_right_whatever_is_taken_meanwhile():
    driven, feed = Driven("mockery", settings={"time": "5m"}), StateFeed()

    def told():
        feed.note(driven.table.summary().told(driven.outputs), open_to_all=False)
        driven.outputs.clear()
        return [news.key for news in feed.shown]

    driven.carry("d2", "d4")
    driven.carry("c2", "c4")
    driven.wait(1)
    assert told() == ["press-first"]
    driven.press("white")
    assert driven.turns == ["d2d4"]
    assert told() == ["press-first"]
    driven.carry("c4", "c2")
    assert told() == []
