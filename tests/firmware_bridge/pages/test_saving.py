"""The page that gives everything out as one file."""

import io
import zipfile

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Call
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
    """Nor while it is adjourned, with another game on the table."""
    async with pages_of(tmp_path, "indistinguishable") as (hands, browser):
        await hands.begin()
        controller, hidden = hands.controller, hands.controller.game_id
        await refused(browser)
        await controller.submit(Call(hands.t, "adjourn"))
        await controller.begin(Agreement("reversi"))
        await refused(browser)
        await controller.take_up(hidden)
        await controller.submit(Call(hands.t, "resign", "black"))
        assert (await browser.post("/api/v1/save", json={"key": PIN})).status_code == 200


async def test_what_a_computer_hides_is_not_given_before_the_set_up_either(tmp_path):
    async with pages_of(tmp_path, "reversi") as (hands, browser):
        for players, hides in (({}, False), ({"black": "computer 1"}, True)):
            await hands.controller.begin(Agreement("reality-check", players=players))
            assert hands.controller.view().phase == "waiting"
            if hides:
                await refused(browser)
            else:
                assert (await browser.post("/api/v1/save", json={"key": PIN})).status_code == 200


async def refused(browser):
    """See that nothing is given."""
    answer = await browser.post("/api/v1/save", json={"key": PIN})
    assert (answer.status_code, answer.json()["error"]) == (409, "save-secret")


async def test_what_cannot_be_saved_is_told(tmp_path):
    missing = {"data": tmp_path / "data", "board": {"pieces": tmp_path / "gone.json"}}
    async with pages_at(tmp_path / "table", config=missing) as (_, browser):
        answer = await browser.post("/api/v1/save", json={"key": PIN})
        assert answer.status_code == 503
        assert "gone.json" in answer.json()["error"]
