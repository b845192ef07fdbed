"""Published games and compositions: gone through to their end, in every language."""

import pytest

import rules
from firmware_bridge.games import metadata
from firmware_bridge.pages.show import show_scene
from firmware_bridge.service.demonstration import Frame, published
from firmware_bridge.words import offered
from tests.firmware_bridge.pages.app_help import pages_at

REALM = rules.load("realm")
ENDS = [
    ("3pk3/8/r7/pPpPppPP/1n2PQ2/2N5/PP6/2KRR3 b - - 0 13", None),
    ("8/Q1k4R/2RQ4/B1NN4/8/8/8/4K3 b - - 1 1", rules.Outcome("white", "checkmate")),
    ("6Q1/8/8/7R/4kN2/4NN2/B7/3R3K w - - 0 2", None),
]


@pytest.mark.parametrize(("number", "end"), list(enumerate(ENDS)))
def test_they_end_as_they_were_published(number, end):
    *_, (before, turn) = metadata.of("realm").classics[number].made(REALM)
    after = before.play(turn)
    assert (str(after), after.outcome) == end


@pytest.mark.parametrize("language", offered())
async def test_each_has_a_page_with_its_author_and_where_it_is_from(tmp_path, language):
    classics = metadata.of("realm").classics
    async with pages_at(tmp_path) as (_, browser):
        index = (await browser.get("/learn", params={"language": language})).text
        assert f"/learn/realm/classics/1?language={language}" in index
        for number, classic in enumerate(classics, start=1):
            answer = await browser.get(
                f"/learn/realm/classics/{number}", params={"language": language}
            )
            assert answer.status_code == 200
            for told in (classic.title[language], classic.by, classic.source):
                assert told in answer.text
            assert ">page-" not in answer.text


@pytest.mark.parametrize(
    "address", ["realm/classics/0", "realm/classics/4", "reversi/classics/1", "go/classics/1"]
)
async def test_what_nobody_published_is_not_found(browser, address):
    assert (await browser.get(f"/learn/{address}")).status_code == 404


def test_the_show_tells_no_decision_that_no_hand_made():
    game = rules.load("reality-check")
    assert not show_scene(Frame(game, game.start().shown, turn="keep"), "de")["text"]


def test_the_show_names_who_played():
    frame = next(published("realm"))
    assert show_scene(frame, "de")["name"] == "Eine Partie per E-Mail · Edward, Hunter"
