"""The page that gives everything out as one file."""

import io
import zipfile

from firmware_bridge.journal import Journal
from tests.firmware_bridge.pages.app_help import PIN, pages_at


def pages_of(tmp_path, game):
    Journal(tmp_path / "data").close()
    return pages_at(tmp_path / "table", game, config={"data": tmp_path / "data"})


async def test_everything_is_given_for_the_pin_and_keys_where_they_are_wanted(tmp_path):
    async with pages_of(tmp_path, "reversi") as (_, browser):
        assert 'data-part="save"' in (await browser.get("/save?language=de")).text
        for body, status in (({"key": "1"}, 403), ({}, 400)):
            assert (await browser.post("/api/v1/save", json=body)).status_code == status
        for keys in (False, True):
            answer = await browser.post("/api/v1/save", json={"key": PIN, "keys": keys})
            assert answer.headers["content-disposition"].endswith('.saved.zip"')
            with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
                assert (PIN.encode() in packed.read("configuration.json")) == keys


async def test_a_game_whose_players_must_remember_is_not_given_before_its_end(tmp_path):
    async with pages_of(tmp_path, "indistinguishable") as (hands, browser):
        await hands.begin()
        refused = await browser.post("/api/v1/save", json={"key": PIN})
        assert (refused.status_code, refused.json()["error"]) == (409, "save-secret")
        await browser.post("/api/v1/referee", json={"key": PIN})
        await browser.post("/api/v1/referee/actions", json={"call": "resign", "side": "black"})
        assert (await browser.post("/api/v1/save", json={"key": PIN})).status_code == 200


async def test_what_cannot_be_saved_is_told(tmp_path):
    missing = {"data": tmp_path / "data", "board": {"pieces": tmp_path / "gone.json"}}
    async with pages_at(tmp_path / "table", config=missing) as (_, browser):
        refused = await browser.post("/api/v1/save", json={"key": PIN})
        assert refused.status_code == 503
        assert "gone.json" in refused.json()["error"]
