"""The page of friends far away: who may use it, and what it says where nothing is set up."""

import pytest

from firmware_bridge.service.distant_games import DistantGames
from firmware_bridge.service.friends_desk import FriendsDesk
from tests.firmware_bridge.pages.app_help import pages_at

HERE = "127.0.0.1"
ASKED = {
    "invite": {},
    "join": {"words": "acorn zebra tulip oboe"},
    "forget": {"friend": "Grace"},
    "propose": {"friend": "Grace", "side": "white", "game": "reversi"},
    "answer": {"line": "0" * 32, "accepts": True},
}


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize(
    ("client", "kiosk", "status", "error"),
    [
        (HERE, False, 409, "no-distance"),
        (HERE, True, 403, "no-referee"),
        ("192.168.1.20", False, 403, "no-referee"),
    ],
)
async def test_only_who_is_at_the_board_makes_friends(tmp_path, what, client, kiosk, status, error):
    async with pages_at(tmp_path, client=client, kiosk=kiosk) as (_, browser):
        answer = await browser.post(f"/api/v1/distance/{what}", json=ASKED[what])
        assert (answer.status_code, answer.json()["error"]) == (status, error)
        assert answer.json()["message"]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_players_are_told_where_it_is_told_what_is_missing(tmp_path, language):
    async with pages_at(tmp_path, client=HERE) as (_, browser):
        page = await browser.get(f"/distance?language={language}")
        assert page.status_code == 200
        assert "distance." not in page.text
        there = f"/board?language={language}"
        assert f'href="{there}"' in page.text
        assert "[distance]" in (await browser.get(there)).text


async def test_what_is_typed_wrongly_is_told_as_on_the_page_of_new_games(tmp_path):
    wanted = {**ASKED["propose"], "settings": {"time": "soon"}}
    async with pages_at(tmp_path, client=HERE) as (hands, browser):
        context = hands.context
        context.friends = FriendsDesk(context.config, DistantGames(hands.controller, "Grace"))
        answer = await browser.post("/api/v1/distance/propose?language=de", json=wanted)
    assert "„soon“ ist nicht zu verstehen" in answer.json()["message"]
