import pytest

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Call
from rules.interface import Outcome
from tests.firmware_bridge.pages.app_help import PIN, sit
from tests.firmware_bridge.service.desk_help import desk_at

AGREED = Agreement(
    "mockery",
    settings=GameSettings.of({"time": "10 vs 5+3", "quiet": True}),
    players={"white": "Ada", "black": "Grace"},
)


async def over(hands):
    """Begin what was agreed, and let Black resign."""
    await hands.controller.begin(AGREED)
    await hands.begin()
    await hands.controller.submit(Call(hands.t, "resign", "black"))


def test_a_rematch_exchanges_colours_and_odds_and_keeps_everything_else():
    again = AGREED.rematch("20261122-1")
    assert again.players == {"white": "Grace", "black": "Ada"}
    assert again.settings == GameSettings.of({"time": "5+3 vs 10", "quiet": True})
    assert again.rematch("x").players == AGREED.players
    assert Agreement.from_data(again.to_data()) == again


def test_the_score_goes_with_the_players_and_not_with_the_colours():
    first = AGREED.rematch("1", ending=Outcome("black", "resigned"))
    assert first.score == {"black": 0, "white": 1}  # Grace won with Black and has White now
    second = first.rematch("2", ending=Outcome(None, "agreement"))
    assert second.score == {"black": 1.5, "white": 0.5}
    assert Agreement.from_data(second.to_data()) == second
    assert second.with_opponent("black", 1, "2", None, {}).score == {}


async def test_the_end_of_a_second_game_tells_how_the_row_stands(hands, browser):
    await over(hands)
    scene = (await browser.get("/api/v1/state?language=en")).json()
    assert not any("Grace" in line for line in scene["more"])
    await hands.controller.begin(await hands.controller.rematch())
    await hands.begin()
    scene = (await browser.get("/api/v1/state?language=en")).json()
    assert not any("Grace" in line for line in scene["more"])
    for call in (Call(hands.t, "offer-draw", "white"), Call(hands.t, "accept-draw", "black")):
        await hands.controller.submit(call)
    scene = (await browser.get("/api/v1/state?language=en")).json()
    assert scene["more"][0] == "The score: Ada 1½, Grace ½."


async def test_whoever_sat_at_the_game_sits_at_its_rematch_on_the_other_side(hands, browser):
    await over(hands)
    before = hands.controller.game_id
    await sit(hands, browser)
    answer = await browser.post("/api/v1/seat/white/rematch", json={})
    assert (answer.status_code, hands.controller.game_id == before) == (202, False)
    assert hands.controller.view().players == {"white": "Grace", "black": "Ada"}
    moved = await browser.get("/play/white")
    assert (moved.status_code, moved.headers["location"]) == (303, "/play/black")
    assert (await browser.get("/api/v1/seat/black/state")).status_code == 200
    assert (await browser.get("/api/v1/seat/white/state")).status_code == 403
    # Nobody else can take the seat in between, and the other one is free.
    assert [hands.controller.seats[side].taken for side in ("black", "white")] == [True, False]


async def test_a_key_of_the_other_seat_or_of_a_game_before_opens_nothing(hands, browser):
    await over(hands)
    await sit(hands, browser)
    key = browser.cookies["seat-white"]
    browser.cookies.clear()
    again = hands.controller.agreement.rematch(hands.controller.game_id, hands.controller.seats)
    await hands.controller.begin(again)
    browser.cookies.set("seat-black", key)
    assert (await browser.get("/play/black")).status_code == 200
    assert (await browser.get("/api/v1/seat/black/state")).status_code == 403
    browser.cookies.set("seat-white", key)
    await hands.controller.begin(AGREED)
    assert (await browser.get("/play/white")).status_code == 200
    assert (await browser.get("/api/v1/seat/black/state")).status_code == 403


@pytest.mark.parametrize("address", ["/api/v1/game/rematch", "/api/v1/seat/white/rematch"])
async def test_only_who_played_or_hosts_may_and_only_when_it_is_over(hands, browser, address):
    await over(hands)
    assert (await browser.post(address, json={})).status_code == 403
    await browser.post("/api/v1/referee", json={"key": PIN})
    await sit(hands, browser)
    assert (await browser.post(address, json={})).status_code == 202
    begun = hands.controller.game_id
    await sit(hands, browser)
    assert (await browser.post(address, json={})).json()["error"] == "not-over"
    assert hands.controller.game_id == begun


async def test_of_two_who_ask_at_once_one_is_heard_and_a_crash_loses_nothing(tmp_path):
    async with desk_at(tmp_path) as hands:
        await over(hands)
        wanted = hands.controller.agreement.rematch(hands.controller.game_id)
        await hands.controller.begin(wanted)
        begun = hands.controller.game_id
        await hands.controller.begin(wanted)
        assert hands.controller.game_id == begun
    async with desk_at(tmp_path) as hands:
        assert hands.controller.game_id == begun
        assert hands.controller.agreement.rematch_of == wanted.rematch_of


async def test_setting_up_the_pieces_after_the_end_is_a_rematch(tmp_path):
    async with desk_at(tmp_path) as hands:
        await over(hands)
        await hands.controller.submit(Snapshot(hands.t, {}))
        await hands.set_up()
        assert hands.controller.view().phase == "ready"
        assert hands.controller.view().players == {"white": "Grace", "black": "Ada"}
