import json
import re

import pytest

import rules
from firmware_bridge.games import metadata
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.pages.app_help import pages_at


@pytest.mark.parametrize("game", rules.games())
async def test_every_game_has_five_screens_whose_turns_are_legal(tmp_path, game):
    screens = metadata.of(game).learn
    assert len(screens) == 5
    async with pages_at(tmp_path) as (_, browser):
        for number, told in enumerate(screens, start=1):
            for language in LANGUAGES:
                page = await browser.get(f"/learn/{game}/{number}", params={"language": language})
                assert page.status_code == 200
            if told.turn or told.offence:
                answer = await browser.post(f"/api/v1/learn/{game}/{number}", json={})
                assert answer.json()["done"]


async def test_what_is_tried_is_answered_with_the_reason(tmp_path):
    async with pages_at(tmp_path) as (_, browser):
        address = "/api/v1/learn/mockery/1"
        good = (await browser.post(address, json={"move": "e2e4"})).json()
        assert good["legal"]
        assert good["scene"]["pieces"]["e4"]["kind"] == "P"
        bad = (await browser.post(address, json={"move": "a1a5"})).json()
        assert not bad["legal"]
        assert bad["text"] == "Illegal. Something stands in the way."
        assert "a1" in bad["scene"]["pieces"]


@pytest.mark.parametrize("path", ["/learn/draughts/1", "/learn/realm/0", "/learn/realm/99"])
async def test_screens_that_are_not_there_are_not_found(tmp_path, path):
    async with pages_at(tmp_path) as (_, browser):
        assert (await browser.get(path)).status_code == 404
        assert (await browser.post(f"/api/v1{path}", json={})).status_code == 404


@pytest.mark.parametrize("body", [{"move": "e9e99"}, {"move": 4}, {"turn": "e2e4"}, {"move": ""}])
async def test_what_is_no_movement_is_refused(tmp_path, body):
    async with pages_at(tmp_path) as (_, browser):
        answer = await browser.post("/api/v1/learn/mockery/1", json=body)
        assert answer.status_code == 400


async def test_the_index_leads_to_every_game(tmp_path):
    async with pages_at(tmp_path) as (_, browser):
        text = (await browser.get("/learn")).text
        for game in rules.games():
            assert f"/learn/{game}/1" in text
        for query in ("", "?language=de"):
            led = (await browser.get(f"/learn/realm{query}")).headers["location"]
            assert led == f"/learn/realm/1{query}"


@pytest.mark.parametrize("game", rules.games())
async def test_every_screen_is_done_piece_by_piece_as_its_arrows_say(tmp_path, game):
    async with pages_at(tmp_path) as (_, browser):
        for number, told in enumerate(metadata.of(game).learn, start=1):
            page = (await browser.get(f"/learn/{game}/{number}")).text
            scene = json.loads(re.search(r'id="scene">(.*?)</script>', page)[1])
            moves = [arrow["source"] + arrow["target"] for arrow in scene["advised"]]
            assert bool(moves) == bool(told.turn or told.offence), (game, number)
            for made in range(len(moves)):
                body = {"move": moves[made], "made": moves[:made]}
                sent = await browser.post(f"/api/v1/learn/{game}/{number}", json=body)
                answer = sent.json()
                assert answer["done"] == (made + 1 == len(moves)), (game, number)
                assert answer["text"].startswith("Well done.") == answer["done"]
