"""What is known of each game's fairness stands on a page, in the reader's language."""

import pytest

from firmware_bridge.pages.texts import speaking
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.pages.app_help import pages_at

MEASURED = ("indistinguishable", "mockery", "reality-check", "realm", "reversi")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_measured_game_tells_its_share_and_how_odd_it_is(tmp_path, language):
    async with pages_at(tmp_path) as (_, browser):
        text = (await browser.get("/learn/balance", params={"language": language})).text
        assert "/learn/balance" in (await browser.get("/learn")).text
    for game in MEASURED:
        assert speaking(language, game)("name") in text
    assert text.count(" ± ") == 3 + 8 + 36 + len(MEASURED)  # the usual ones in a picture too
    assert ">page-" not in text
