"""A computer is chosen for a seat on the set-up page, where the board and the game allow it."""

import pytest

from firmware_bridge.messages import Call, Chosen, Hinted
from firmware_bridge.opponents.levels import LEVELS
from tests.firmware_bridge.pages.app_help import pages_at, sit
from tests.sample import SAMPLE

CHECK = "/api/v1/game/check"


@pytest.mark.parametrize("game", SAMPLE)
async def test_a_computer_may_take_a_seat_in_every_game(tmp_path, game):
    async with pages_at(tmp_path, client="127.0.0.1") as (_, browser):
        checked = [
            await browser.post(CHECK, json={"game": game, "players": {"black": name}})
            for name in ("Bob", "computer 1")
        ]
        assert checked[0].status_code == checked[1].status_code
        assert checked[0].text == checked[1].text


async def test_the_name_of_a_computer_makes_one(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        wanted = {"game": "mockery", "players": {"white": "Ann", "black": " Computer 2"}}
        assert (await browser.post("/api/v1/game", json=wanted)).status_code == 202
        assert hands.controller.agreement.computers == {"black": 2}
        assert hands.controller.view().computers == {"black": 2}
        scene = (await browser.get("/api/v1/state")).json()
        assert scene["sides"]["black"]["name"] == "Computer, level 2"
        assert scene["sides"]["white"]["name"] == "Ann"


@pytest.mark.parametrize("name", ["Computerworld", "The computer 3", "Ann"])
async def test_other_names_are_people(tmp_path, name):
    async with pages_at(tmp_path, client="127.0.0.1") as (_, browser):
        taken = await browser.post(CHECK, json={"game": "mockery", "players": {"white": name}})
        assert taken.status_code == 200


async def test_no_phone_sits_down_for_a_computer(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        wanted = {"game": "mockery", "players": {"black": "computer 2"}}
        await browser.post("/api/v1/game", json=wanted)
        for side, status in (("black", 403), ("white", 202)):
            assert (await sit(hands, browser, side)).status_code == status
        page = (await browser.get("/setup?language=en")).text
        assert "/play/black" not in page


async def test_a_turn_is_taken_back_at_the_screen_where_nobody_is_asked_and_all_is_right(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        for players, status in (({}, 409), ({"black": "computer 2"}, 202)):
            await browser.post("/api/v1/game", json={"game": "mockery", "players": players})
            await hands.begin("e2e4")
            controller = hands.controller
            if players:
                number = controller.table.state.number
                await controller.submit(Chosen(controller.now(), "e7e5", number))
            offered = (await browser.get("/api/v1/state")).json()["declarations"]
            assert [one.get("call") for one in offered] == ["offer-take-back"] * len(players)
            await hands.carry_out()
            await hands.move("b1b4")
            await hands.wait(1)
            amiss = (await browser.get("/api/v1/state")).json()
            assert (amiss["tone"], amiss["declarations"]) == ("urgent", [])
            await hands.move("b4b1")
            said = await browser.post("/api/v1/table/actions", json={"call": "offer-take-back"})
            assert said.status_code == status
            assert bool(controller.table.state.played) is not bool(players)
            if players:
                back = (await browser.get("/api/v1/state")).json()
                assert (back["phase"], back["declarations"]) == ("restoring", [])
        refused = await browser.post("/api/v1/table/actions", json={"call": "award"})
        assert refused.status_code == 400


async def test_a_hint_is_asked_for_beside_the_board_and_shown_there(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        for players, status in (({}, 409), ({"black": "computer 2"}, 202)):
            await browser.post("/api/v1/game", json={"game": "mockery", "players": players})
            await hands.begin()
            scene = (await browser.get("/api/v1/state")).json()
            assert [one.get("call") for one in scene["declarations"]] == ["hint"] * len(players)
            said = await browser.post("/api/v1/table/actions?language=de", json={"call": "hint"})
            assert said.status_code == status
            assert players or "Tipps" in said.json()["message"]
        controller = hands.controller
        waiting = (await browser.get("/api/v1/state")).json()
        assert "A hint is being looked for." in waiting["more"]
        await controller.submit(Hinted(controller.now(), controller.table.state.number, "g1f3"))
        scene = (await browser.get("/api/v1/state")).json()
        assert scene["advised"] == [{"source": "g1", "target": "f3"}]
        assert "Hint: Knight from g1 to f3." in scene["more"]
        assert scene["sides"]["white"]["note"] == "Hints: 1"
        assert scene["declarations"] == []


@pytest.mark.parametrize(
    ("level", "loser", "told"),
    [
        (2, "black", "Well played! Next time the computer plays at level 3."),
        (LEVELS[-1], "black", "You have beaten the computer's highest level!"),
        (2, "white", "After two defeats in a row the computer plays one level lower."),
        (1, "white", None),
    ],
)
async def test_who_has_played_the_computer_is_told_what_comes_next(tmp_path, level, loser, told):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        players = {"black": f"computer {level}"}
        await browser.post("/api/v1/game", json={"game": "mockery", "players": players})
        await hands.begin()
        controller = hands.controller
        await controller.submit(Call(controller.now(), "resign", loser, own=loser == "black"))
        scene = (await browser.get("/api/v1/state")).json()
        assert scene["phase"] == "over"
        assert ([line for line in scene["more"] if "computer" in line] or [None]) == [told]
