"""What a game wants said can be said, or is named; and a game that cannot be used is left out."""

import pytest

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.games import metadata, shelf
from firmware_bridge.words.catalogue import catalogue, hold_said
from rules.games.reversi import GAME as Reversi  # noqa: N811 - a class
from tests.firmware_bridge.pages.app_help import pages_at

PAGES = ("/", "/setup", "/learn", "/learn/balance", "/games", "/static/looks.css", "/distance")
REVERSI = metadata.of("reversi")


@pytest.fixture
def told(monkeypatch):
    """Let Reversi Chess say something else."""

    def tell(words, language="en"):
        said = {**REVERSI.words[language], **words}
        changed = REVERSI.model_copy(update={"words": {**REVERSI.words, language: said}})
        real = metadata.of
        monkeypatch.setattr(
            metadata, "of", lambda game: changed if game == "reversi" else real(game)
        )
        for made in (catalogue, hold_said, shelf.usable):
            made.cache_clear()

    yield tell
    monkeypatch.undo()
    for made in (catalogue, hold_said, shelf.usable):
        made.cache_clear()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ({"converted": "{nothing} and {anchor}"}, "nothing fills nothing in 'converted'"),
        ({"tagline": "{brace"}, "the braces of 'tagline' do not match"),
        ({"option-none": "a } b"}, "the braces of 'option-none' do not match"),
    ],
)
def test_what_cannot_be_said_is_named_before_anybody_plays(told, words, named):
    told(words)
    with pytest.raises(rules.UnusableGame, match=named):
        Agreement("reversi").terms()


def test_where_a_data_file_may_lie_is_said_where_there_is_none(monkeypatch):
    monkeypatch.setattr(metadata.registry, "find", lambda _: Reversi)
    with pytest.raises(
        rules.UnusableGame, match=r"firmware_bridge/games/none.toml or .*rules/games"
    ):
        metadata.of("none")


def test_a_key_without_words_is_named(told, monkeypatch):
    told({})
    changed = metadata.of("reversi").model_copy(update={"rulings": ("unheard-of",)})
    monkeypatch.setattr(metadata, "of", lambda _: changed)
    with pytest.raises(rules.UnusableGame, match="there are none for 'unheard-of'"):
        hold_said("reversi")


@pytest.mark.parametrize("text", ["{nothing}", "{brace"])
def test_what_another_language_cannot_say_is_said_in_english(told, text):
    told({"converted": text}, "de")
    hold_said("reversi")
    assert catalogue("de", "reversi").texts["converted"] == REVERSI.words["en"]["converted"]


async def test_a_game_that_cannot_be_used_is_left_out_and_named_once(tmp_path, told, caplog):
    told({"tagline": "{brace"})
    assert "reversi" not in shelf.usable()
    assert shelf.usable().keys() == rules.games().keys() - {"reversi"}
    async with pages_at(tmp_path, "realm", client="127.0.0.1") as (_, browser):
        for page in PAGES:
            assert (await browser.get(page)).status_code in {200, 404}, page
        refused = await browser.post("/api/v1/game", json={"game": "reversi"})
        assert refused.status_code == 400
        assert "braces" in refused.text
    (named,) = (record.message for record in caplog.records if "left out" in record.message)
    assert "the braces of 'tagline' do not match" in named
