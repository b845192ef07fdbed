"""A language that is only half there: what it lacks is said in English, everywhere."""

import shutil
import sys

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main
from firmware_bridge.games import metadata
from firmware_bridge.pages import languages
from firmware_bridge.pages.texts import texts
from firmware_bridge.words import Catalogue, catalogue, language_files
from tests.firmware_bridge.pages.app_help import pages_at

WORDS = """
language = "Français"
paused = "Pause."
to-move = "{somebody} joue."
side-white = 7
over = "Fini {"
too-move = "Aux {side}."
board-port-busy = "{door} est pris."
"""
PAGES = ("/", "/setup", "/referee", "/play/white", "/learn", "/games")


@pytest.fixture(params=[WORDS, "this is = = no TOML", b"\xff\xfe"])
def french(request, tmp_path, monkeypatch):
    """A file of French words as somebody has begun it."""
    folder = tmp_path / "words"
    shutil.copytree(language_files.FOLDER, folder)
    data = request.param if isinstance(request.param, bytes) else request.param.encode()
    (folder / "fr.toml").write_bytes(data)
    monkeypatch.setattr(language_files, "FOLDER", folder)
    for place in (language_files, languages, sys.modules[Catalogue.__module__]):
        monkeypatch.setattr(place, "LANGUAGES", ("en", "de", "fr"))
    forget()
    yield request.param
    forget()


def forget():
    for kept in (language_files.own, language_files.offered, catalogue, texts):
        kept.cache_clear()


@pytest.mark.usefixtures("french")
async def test_every_page_is_there_in_every_language(tmp_path):
    screens = [f"/learn/{game}/{n}" for game in rules.games() for n in (1, 5)]
    async with pages_at(tmp_path) as (_, browser):
        for language in ("fr", "en", "de"):
            for path in (*PAGES, *screens):
                response = await browser.get(path, params={"language": language})
                assert response.status_code == 200, (path, language)
                assert f'lang="{language}"' in response.text


def test_what_can_be_used_is_used_and_all_else_is_english(french):
    words, english = catalogue("fr", "reversi"), catalogue("en", "reversi")
    other = {key for key, text in words.texts.items() if text != english.texts.get(key)}
    assert other == ({"language", "paused", "too-move"} if french == WORDS else set())
    assert language_files.offered() == ("en", "de")


def test_the_command_names_what_is_missing_and_what_nobody_says(french):
    done = CliRunner().invoke(main, ["words", "fr"])
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    missing = ("to-move", "side-white", "over", "why-syntax", "board-found", "board-port-busy")
    assert {f"fr.toml: {key}" for key in missing} <= set(lines)
    games = {"games/reversi.toml: learn 1", "games/reversi.toml: why-no-such-segment"}
    assert games <= set(lines)
    assert "simulator/fr.toml: title" in lines
    assert any(line.startswith("pages.fr.toml: page-") for line in lines)
    assert any(line.startswith("fr.toml: too-move is not said") for line in lines) == (
        french == WORDS
    )
    assert CliRunner().invoke(main, ["words", "de"]).stdout == ""
    assert CliRunner().invoke(main, ["words", "tlh"]).exit_code == 2


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_comes_with_this_program_is_complete(language):
    assert language_files.lacking(language) == {}
    assert {game: metadata.lacking(game, language) for game in rules.games()} == dict.fromkeys(
        rules.games(), ()
    )
    assert language in language_files.offered()


async def test_a_game_explained_in_english_only_is_read_in_english(tmp_path, monkeypatch):
    first, *rest = metadata.screens("reversi")
    only = first.model_copy(update={"title": {"en": "Alone"}, "text": {"en": "In English."}})
    monkeypatch.setattr(metadata, "screens", lambda _: (only, *rest))
    async with pages_at(tmp_path) as (_, browser):
        response = await browser.get("/learn/reversi/1", params={"language": "de"})
        assert response.status_code == 200
        assert "In English." in response.text
