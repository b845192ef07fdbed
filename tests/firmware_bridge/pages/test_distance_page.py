"""The page of friends far away: who may use it, and what it says where nothing is set up."""

import pytest

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
async def test_the_page_says_what_is_missing(tmp_path, language):
    async with pages_at(tmp_path, client=HERE) as (_, browser):
        page = await browser.get(f"/distance?language={language}")
        assert page.status_code == 200
        assert "[distance]" in page.text
