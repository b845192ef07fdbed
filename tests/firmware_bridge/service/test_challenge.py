"""Somebody alone: a computer is offered, sits down, and is as strong as the results say."""

import contextlib
from dataclasses import replace

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import Summary
from firmware_bridge.messages import Call, Seated
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.service.challenge import may_join
from firmware_bridge.service.computer_players import ComputerPlayers
from firmware_bridge.service.kiosk import JOINS_AFTER, OFFERED_AFTER, UNANSWERED, KioskManager
from firmware_bridge.service.ladder import level_after
from tests.firmware_bridge.pages.app_help import pages_at, sit
from tests.firmware_bridge.service.desk_help import BOARD, desk_at, heard
from tests.firmware_bridge.service.test_exhibition import no_process
from tests.patience import soon


def games(*results):
    """Games that are over, the oldest first: the computer's level, and who won against it."""
    return [
        Summary(
            "", "", {"players": {"white": "Ann", "black": f"computer {level}"}}, {"winner": won}
        )
        for level, won in reversed(results)
    ]


@pytest.mark.parametrize(
    ("met", "level"),
    [
        ([], 1),
        ([(1, "white")], 2),
        ([(2, "black")], 2),
        ([(2, None)], 2),
        ([(2, "black"), (2, "black")], 1),
        ([(3, "black"), (3, "black"), (2, "black")], 2),
        ([(3, "black"), (3, None), (3, "black")], 3),
        ([(1, "black"), (1, "black")], 1),
        ([(LEVELS[-1], "white")], LEVELS[-1]),
    ],
)
def test_a_win_is_one_up_and_two_defeats_in_a_row_are_one_down(met, level):
    assert level_after(games(*met)) == level


def test_games_of_two_people_or_two_computers_tell_nothing():
    between = [
        Summary("", "", {"players": players}, {"winner": "white"})
        for players in ({}, {"white": "Ann"}, {"white": "computer 5", "black": "computer 4"})
    ]
    named = {"players": {"white": "Ann", "black": "Computer Ada"}, "away": "black"}
    far = Summary("", "", named, {"winner": "white"})
    assert level_after([far, *between, *games((3, "white"))]) == 4


@contextlib.asynccontextmanager
async def kiosk_at(folder, **settings):
    async with desk_at(folder, **settings) as hands:
        kiosk = KioskManager(hands.controller, Agreement("reversi"), 180, 20, no_process)
        await hands.set_up()
        yield hands, kiosk


async def test_nobody_is_spoken_to_before_somebody_comes(tmp_path):
    async with kiosk_at(tmp_path) as (hands, kiosk):
        hands.t += OFFERED_AFTER + 1
        await kiosk.look()
        assert "offer-computer" not in hands.said()


async def test_a_visitor_is_offered_a_computer_in_all_ways_once(tmp_path):
    async with kiosk_at(tmp_path) as (hands, kiosk):
        said = []
        hands.controller.listeners.append(said.extend)
        await hands.feel("e2", None)
        await hands.feel("e2", True)
        for _ in range(3):
            hands.t += OFFERED_AFTER
            await kiosk.look()
        assert hands.said().count("offer-computer") == 1
        assert [out.key for out in said if getattr(out, "key", "") == "offer-computer"]


async def test_one_who_does_not_rest_is_offered_it_all_the_same(tmp_path):
    async with kiosk_at(tmp_path) as (hands, kiosk):
        for _ in range(10):
            await hands.feel("e2", None)
            await hands.feel("e2", True)
            hands.t += 1.8
            await kiosk.look()
        assert "offer-computer" in hands.said()


async def test_a_computer_answers_a_first_turn_that_nobody_answers(tmp_path):
    async with kiosk_at(tmp_path) as (hands, kiosk):
        controller = hands.controller
        await hands.move("e2e4")
        await kiosk.look()
        hands.t += UNANSWERED
        await kiosk.look()
        assert "offer-computer-joins" in hands.said()
        assert not controller.view().computers
        hands.t += JOINS_AFTER
        await kiosk.look()
        view = controller.view()
        assert (view.computers, view.phase, view.to_act) == ({"black": 1}, "playing", "black")
        async with heard(controller, ComputerPlayers(controller)):
            await soon(lambda: controller.view().phase == "executing")
        assert controller.agreement.rematch("", {}).position is None


async def test_whoever_touches_a_piece_is_not_answered_for(tmp_path):
    async with kiosk_at(tmp_path) as (hands, kiosk):
        await hands.turn("e2e4")
        for _ in range(4):
            hands.t += UNANSWERED + JOINS_AFTER - 1
            await kiosk.look()
            await hands.feel("e7", None)
            await hands.feel("e7", True)
        assert not hands.controller.view().computers
        await hands.turn("e7e5", "black")
        hands.t += UNANSWERED + JOINS_AFTER + 1
        await kiosk.look()
        assert not hands.controller.view().computers


async def test_who_has_offered_a_draw_waits_for_a_person(tmp_path):
    async with kiosk_at(tmp_path) as (hands, _):
        view = hands.controller.view()
        assert may_join(view, BOARD)
        assert not may_join(replace(view, offer=("draw", "white")), BOARD)


async def test_two_with_phones_are_not_offered_one(tmp_path):
    async with kiosk_at(tmp_path) as (hands, kiosk):
        for side in ("white", "black"):
            await hands.controller.submit(Seated(hands.t, side))
        assert not may_join(hands.controller.view(), BOARD)
        hands.t += OFFERED_AFTER
        await kiosk.look()
        assert "offer-computer" not in hands.said()


@pytest.mark.parametrize("kiosk", [False, True])
async def test_a_rematch_is_played_at_the_level_that_the_results_suggest(tmp_path, kiosk):
    async with pages_at(tmp_path, kiosk=kiosk, client="127.0.0.1") as (hands, browser):
        await hands.set_up()
        assert (await browser.get("/api/v1/state")).json()["alone"]
        answer = await browser.post("/api/v1/game/computer", json={})
        assert answer.status_code == 202
        assert hands.controller.view().computers == {"black": 1}
        assert (await browser.post("/api/v1/game/computer", json={})).status_code == 409
        await hands.press("black")
        hands.t += 1
        won = {"winner": "white", "reason": "won"}
        await hands.controller.submit(Call(hands.t, "award", None, won))
        assert (await browser.post("/api/v1/game/rematch", json={})).status_code == 202
        assert hands.controller.view().computers == {"white": 2}


async def test_a_phone_keeps_its_seat_when_a_computer_takes_the_other(tmp_path):
    async with pages_at(tmp_path) as (hands, browser):
        await hands.set_up()
        assert (await browser.post("/api/v1/game/computer", json={})).status_code == 403
        await sit(hands, browser)
        assert (await browser.get("/api/v1/seat/white/state")).json()["alone"]
        answer = await browser.post("/api/v1/seat/white/computer", json={})
        assert answer.status_code == 202
        assert hands.controller.view().computers == {"black": 1}
        assert hands.controller.view().seated == {"white"}
        page = await browser.get("/play/white", follow_redirects=True)
        assert "/api/v1/seat/white/events" in page.text
        assert (await browser.get("/api/v1/seat/white/state")).status_code == 200


async def test_nobody_joins_where_somebody_sits_or_plays(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.set_up()
        await hands.controller.submit(Seated(hands.t, "black"))
        assert (await browser.post("/api/v1/game/computer", json={})).status_code == 409
        await hands.controller.submit(Seated(hands.t, "black", taken=False))
        for turn, side in (("e2e4", "white"), ("e7e5", "black")):
            await hands.turn(turn, side)
        answer = await browser.post("/api/v1/game/computer", json={})
        assert (answer.status_code, answer.json()["error"]) == (409, "not-alone")


async def test_another_opponent_is_chosen_at_the_board_and_the_game_begins_anew(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.set_up()
        offered = (await browser.get("/api/v1/state?language=en")).json()["opponents"]
        assert [one["level"] for one in offered if one["chosen"]] == [0]
        assert not any("sure" in one for one in offered)  # nothing is lost yet
        for level, players in ((3, {"black": 3}), (5, {"black": 5}), (0, {})):
            answer = await browser.post("/api/v1/game/computer", json={"level": level})
            assert answer.status_code == 202
            assert hands.controller.view().computers == players
            await hands.press("black")
            offered = (await browser.get("/api/v1/state?language=en")).json()["opponents"]
            assert [one["level"] for one in offered if one["chosen"]] == [level]
            assert all(one["sure"] for one in offered)
        refused = await browser.post("/api/v1/game/computer", json={"level": LEVELS[-1] + 1})
        assert refused.status_code == 400


async def test_a_phone_exchanges_a_computer_and_nobody_who_plays(tmp_path):
    async with pages_at(tmp_path) as (hands, browser):
        await hands.set_up()
        address = "/api/v1/seat/white/computer"
        assert (await browser.post(address, json={"level": 2})).status_code == 403
        await sit(hands, browser)
        assert (await browser.post(address, json={"level": 2})).status_code == 202
        assert hands.controller.view().computers == {"black": 2}
        for level, players, status in ((4, {"black": 4}, 202), (0, {}, 202), (1, {}, 409)):
            page = await browser.get("/play/white", follow_redirects=True)
            assert "/api/v1/seat/white/events" in page.text
            await hands.press("black")
            assert (await browser.post(address, json={"level": level})).status_code == status
            assert hands.controller.view().computers == players
            if not players:
                await hands.press("black")
        assert (await browser.get("/api/v1/seat/white/state")).json()["opponents"] == []


async def test_a_game_nobody_may_be_exchanged_in_offers_nobody(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        both = {"white": "computer 1", "black": "computer 2"}
        await browser.post("/api/v1/game", json={"game": "mockery", "players": both})
        assert (await browser.get("/api/v1/state")).json()["opponents"] == []
        assert (await browser.post("/api/v1/game/computer", json={"level": 2})).status_code == 409
        assert hands.controller.view().computers == {"white": 1, "black": 2}
