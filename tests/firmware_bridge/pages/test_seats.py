"""A seat is taken once with a code, and afterwards only as the phone that has it agrees."""

import contextlib

import httpx
import pytest

from firmware_bridge.messages import Seated
from firmware_bridge.pages.keys import TRIES
from firmware_bridge.pages.seat_requests import ASKS_SECONDS
from tests.firmware_bridge.pages.app_help import PIN, code, pages_at, sit
from tests.firmware_bridge.service.desk_help import desk_at

WHITE, BLACK = "/api/v1/seat/white", "/api/v1/seat/black"


@contextlib.asynccontextmanager
async def phones_at(folder, *addresses, **settings):
    """Give the hands at a controller and a browser for each address."""
    async with pages_at(folder, **settings) as (hands, one):
        app = one._transport.app
        async with contextlib.AsyncExitStack() as stack:
            browsers = [
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        transport=httpx.ASGITransport(app=app, client=(address, 4000)),
                        base_url="http://10.0.0.1",
                    )
                )
                for address in addresses
            ]
            yield hands, *browsers


async def sits(browser, side="white"):
    answer = await browser.get(f"/api/v1/seat/{side}/state")
    return answer.status_code == 200


async def news(browser):
    return (await browser.get("/api/v1/state")).json()["news"]


async def test_the_other_players_phone_is_not_told_to_press(tmp_path):
    settings = {"game": "mockery", "time": "5m"}
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6", **settings) as (hands, white, black):
        await sit(hands, white)
        await sit(hands, black, "black")
        await hands.begin()
        await hands.move("e2e4")
        headlines = [
            (await browser.get(f"{seat}/state")).json()["headline"]
            for browser, seat in ((white, WHITE), (black, BLACK))
        ]
        assert headlines == ["Press the clock.", "White to move."]


@pytest.mark.parametrize(("game", "offered"), [("reality-check", False), ("reversi", True)])
async def test_a_phone_offers_to_ask_for_a_take_back_where_there_is_one(tmp_path, game, offered):
    async with phones_at(tmp_path, "10.0.0.5", game=game) as (hands, white):
        await sit(hands, white)
        page = await white.get("/play/white")
        assert ('data-call="offer-take-back"' in page.text) is offered


async def test_a_code_is_good_once(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6") as (hands, first, second):
        key = {"key": code(hands)}
        assert (await first.post(WHITE, json=key)).status_code == 202
        for _ in range(2):  # a phone that scans its own code again keeps its seat
            assert (await first.post(WHITE, json=key)).status_code == 202
        refused = await second.post(WHITE, json=key)
        assert (refused.status_code, refused.json()["error"]) == (409, "seat-asked")
        assert await sits(first)
        assert not await sits(second)
        # What the phone keeps is no code, and a code is nothing that a phone keeps.
        kept = {"key": first.cookies["seat-white"]}
        assert (await second.post(WHITE, json=kept)).status_code == 403
        second.cookies.set("seat-white", key["key"])
        assert not await sits(second)


async def test_a_phone_that_has_not_heard_that_it_got_the_seat_gets_it_again(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.5", "10.0.0.5", "10.0.0.6") as hands_and:
        hands, phone, its_other_page, its_third_page, another = hands_and
        key = {"key": code(hands)}
        assert (await phone.post(WHITE, json=key)).status_code == 202
        assert (await another.post(WHITE, json=key)).status_code == 409
        assert (await its_other_page.post(WHITE, json=key)).status_code == 202  # sent by then
        assert await sits(its_other_page)
        assert await sits(phone)
        assert (await its_third_page.post(WHITE, json=key)).status_code == 409  # it has it


async def test_the_second_claim_is_told_everywhere_and_needs_the_seats_agreement(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6", "10.0.0.7") as (
        hands,
        first,
        second,
        referee,
    ):
        key = {"key": code(hands)}
        await first.post(WHITE, json=key)
        await referee.post("/api/v1/referee", json={"key": PIN})
        assert (await second.post(WHITE, json=key)).status_code == 409
        asked = "Another phone asks for White's seat."
        assert asked in await news(second)
        assert asked in (await referee.get("/api/v1/referee/state")).json()["news"]
        assert (await first.get(f"{WHITE}/state")).json()["asked"] is True
        for number in range(1, 4):  # it goes on asking, and nobody is told again
            assert (await second.post(WHITE, json=key)).status_code == 409, number
        assert (await news(second)).count(asked) == 1
        assert (await second.post(f"{WHITE}/hand-over", json={"agree": True})).status_code == 403
        assert (await first.post(f"{WHITE}/hand-over", json={"agree": True})).status_code == 202
        assert await sits(first)
        assert (await second.post(WHITE, json=key)).status_code == 202
        assert await sits(second)
        assert not await sits(first)
        assert "White's seat has gone to another phone." in await news(first)
        told = (await referee.get("/api/v1/referee/state")).json()["history"]
        assert [line["text"] for line in told if line["kind"] == "seated"] == [
            "A phone took White's seat."
        ] * 2


async def test_a_seat_that_is_kept_is_not_asked_for_again_soon(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6", "10.0.0.7") as (hands, one, two, three):
        key = {"key": code(hands)}
        await one.post(WHITE, json=key)
        await two.post(WHITE, json=key)
        assert (await one.post(f"{WHITE}/hand-over", json={"agree": False})).status_code == 202
        assert "White keeps the seat." in await news(two)
        for browser in (two, three):
            answer = await browser.post(WHITE, json=key)
            assert (answer.status_code, answer.json()["error"]) == (403, "seat-kept")
        late = await one.post(f"{WHITE}/hand-over", json={"agree": True})
        assert (late.status_code, late.json()["error"]) == (409, "nobody-asks")
        hands.t += ASKS_SECONDS
        assert (await two.post(WHITE, json=key)).status_code == 409
        assert (await one.get(f"{WHITE}/state")).json()["asked"] is True


async def test_only_the_phone_that_asked_gets_what_was_agreed(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6", "10.0.0.7") as (hands, one, two, three):
        key = {"key": code(hands)}
        await one.post(WHITE, json=key)
        await two.post(WHITE, json=key)
        await three.post(WHITE, json=key)
        await one.post(f"{WHITE}/hand-over", json={"agree": True})
        assert (await three.post(WHITE, json=key)).status_code == 409
        assert (await two.post(WHITE, json=key)).status_code == 202
        assert [await sits(browser) for browser in (one, two, three)] == [False, True, False]


async def test_a_code_that_never_was_one_asks_for_nothing(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6") as (hands, first, second):
        await sit(hands, first)
        following = {"key": code(hands)}  # nobody has been shown it
        for wrong in (following, {"key": code(hands, "black")}, {"key": ""}):
            assert (await second.post(WHITE, json=wrong)).status_code == 403
        assert await news(second) == []


async def test_a_browser_has_one_seat(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5") as (hands, browser):
        await sit(hands, browser)
        assert (await sit(hands, browser, "black")).status_code == 202
        assert await sits(browser, "black")
        assert not await sits(browser)
        assert "White's seat is free." in await news(browser)


async def test_a_seat_that_is_left_has_another_code(tmp_path):
    async with phones_at(tmp_path, "127.0.0.1", "10.0.0.5") as (hands, machine, phone):
        before = code(hands)
        assert before in (await machine.get("/setup")).text
        await phone.post(WHITE, json={"key": before})
        page = (await machine.get("/setup")).text
        assert "/play/white#key=" not in page
        assert "/play/black#key=" in page
        assert (await machine.post(f"{WHITE}/leave", json={})).status_code == 403
        assert (await phone.post(f"{WHITE}/leave", json={})).status_code == 202
        assert "seat-white" not in phone.cookies
        assert (await phone.post(WHITE, json={"key": before})).status_code == 403
        assert code(hands) in (await machine.get("/setup")).text
        assert (await sit(hands, phone)).status_code == 202


async def test_the_referee_frees_the_seat_of_a_phone_that_is_gone(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6") as (hands, phone, referee):
        await sit(hands, phone)
        await referee.post("/api/v1/referee", json={"key": PIN})
        assert (await referee.post(f"{WHITE}/leave", json={})).status_code == 202
        assert not await sits(phone)
        assert "White's seat is free." in await news(phone)


async def test_wrong_codes_are_few_and_asking_is_a_try(tmp_path):
    async with phones_at(tmp_path, "10.0.0.5", "10.0.0.6") as (hands, first, second):
        key = {"key": code(hands)}
        await first.post(WHITE, json=key)
        for _ in range(TRIES):
            assert (await second.post(WHITE, json={"key": "no"})).status_code == 403
        assert (await second.post(WHITE, json=key)).status_code == 429
        assert await news(second) == []


@pytest.mark.parametrize("taken", [True, False])
async def test_who_sits_is_known_after_a_restart_and_after_the_end(tmp_path, taken):
    async with desk_at(tmp_path) as hands:
        await hands.begin()
        await hands.controller.submit(Seated(hands.t, "white"))
        if not taken:
            await hands.controller.submit(Seated(hands.t, "white", taken=False))
    async with desk_at(tmp_path) as hands:
        assert hands.controller.seats["white"].claims == 1
        assert hands.controller.seats["white"].taken == taken
        assert not hands.controller.seats["black"].taken
