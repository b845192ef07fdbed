"""What boards say of themselves reaches people in their language."""

import pytest

from drivers.link import codec
from drivers.link.notices import NOTICE_TEXTS
from drivers.port import BoardNotice
from firmware_bridge.pages.texts import texts
from firmware_bridge.service.alerts import KNOWN, NO_NEWS, announcement
from firmware_bridge.words import LANGUAGES


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
