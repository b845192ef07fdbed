import re

import pytest

from drivers.port import Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.journal import StorageFailed
from firmware_bridge.messages import Call, FactTold, Tick
from firmware_bridge.pages.keys import TRIES
from tests.firmware_bridge.pages.app_help import PIN, code, pages_at, sit

SEAT = "/api/v1/seat/white"


async def test_a_seat_is_taken_with_its_key_and_left_with_the_game(hands, browser):
    assert (await browser.get(f"{SEAT}/state")).status_code == 403
    response = await sit(hands, browser)
    assert response.status_code == 202
    assert "HttpOnly" in response.headers["set-cookie"]
    assert "SameSite=strict" in response.headers["set-cookie"]
    assert (await browser.get(f"{SEAT}/state")).json()["side"] == "white"
    assert (await browser.get("/api/v1/seat/black/state")).status_code == 403
    await hands.controller.begin(hands.controller.agreement)
    assert (await browser.get(f"{SEAT}/state")).status_code == 403


async def test_phones_that_show_the_right_key_are_never_kept_waiting(hands, browser):
    right = {"key": code(hands)}
    for _ in range(20):
        assert (await browser.post(SEAT, json=right)).status_code == 202
    wrong = [(await browser.post(SEAT, json={"key": "x"})).status_code for _ in range(20)]
    assert wrong[0] == 403
    assert wrong[-1] == 429


async def test_a_player_presses_and_resigns_from_the_phone(hands, browser):
    await hands.set_up()
    await sit(hands, browser, "black")
    press = {"call": "press"}
    assert (await browser.post("/api/v1/seat/black/actions", json=press)).status_code == 202
    assert hands.controller.view().phase == "playing"
    await browser.post("/api/v1/seat/black/actions", json={"call": "resign"})
    assert hands.controller.view().ending.winner == "white"


async def test_a_player_answers_only_for_himself(hands, browser):
    await hands.begin()
    await sit(hands, browser, "black")
    await browser.post("/api/v1/seat/black/actions", json={"answer": "e2e4", "side": "white"})
    assert hands.controller.view().number == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"call": "award", "data": {"winner": "white", "reason": "x"}}, 403),
        ({"call": "fly"}, 400),
        ({"call": "press", "answer": "e2e4"}, 400),
        ({}, 400),
        ({"call": "press", "data": {"seconds": "1"}}, 400),
        ({"call": "press", "data": {"seconds": 1}}, 400),
        ({"answer": "x" * 500}, 400),
        ({"what": "press"}, 400),
        ([], 400),
        (7, 400),
    ],
)
async def test_what_a_player_may_not_say_is_refused(hands, browser, body, status):
    await sit(hands, browser)
    response = await browser.post(f"{SEAT}/actions", json=body)
    assert response.status_code == status
    assert response.json()["error"]


async def test_without_a_seat_nothing_can_be_done(browser):
    assert (await browser.post(f"{SEAT}/actions", json={"call": "press"})).status_code == 403
    wrong = await browser.post(SEAT, json={"key": "0" * 32})
    assert wrong.status_code == 403
    assert "set-cookie" not in wrong.headers


async def test_the_referee_enters_with_the_pin_and_rules(tmp_path):
    async with pages_at(tmp_path, time="5m") as (hands, browser):
        await hands.begin()
        rule = {"call": "add-time", "data": {"side": "white", "seconds": "60", "reason": "noise"}}
        assert (await browser.post("/api/v1/referee/actions", json=rule)).status_code == 403
        assert (await browser.post("/api/v1/referee", json={"key": PIN})).status_code == 202
        assert (await browser.post("/api/v1/referee/actions", json=rule)).status_code == 202
        assert hands.controller.view().clocks["white"].left_ms > 300_000
        state = (await browser.get("/api/v1/referee/state")).json()
        assert any("noise" in line["text"] for line in state["history"])


async def test_the_referee_leaves_and_his_cookie_with_him(browser):
    assert (await browser.post("/api/v1/referee/leave", json={})).status_code == 403
    entered = await browser.post("/api/v1/referee", json={"key": PIN})
    # Without an age a browser keeps it until it is closed.
    assert not re.search("max-age|expires", entered.headers["set-cookie"], re.IGNORECASE)
    cookie = browser.cookies["referee"]
    assert 'data-part="leave"' in (await browser.get("/referee")).text
    assert (await browser.post("/api/v1/referee/leave", json={})).status_code == 202
    assert "referee" not in browser.cookies
    browser.cookies.set("referee", cookie)
    assert (await browser.get("/api/v1/referee/state")).status_code == 403


async def test_guessing_the_pin_ends_soon_even_with_the_right_one(browser):
    for number in range(TRIES):
        wrong = await browser.post("/api/v1/referee", json={"key": f"{number:06d}"})
        assert wrong.status_code == 403
    assert (await browser.post("/api/v1/referee", json={"key": PIN})).status_code == 429


async def test_games_are_begun_by_the_referee_or_at_the_machine(tmp_path):
    wanted = {"game": "mockery", "players": {"white": " Ada ", "black": ""}}
    async with pages_at(tmp_path) as (hands, browser):
        assert (await browser.post("/api/v1/game", json=wanted)).status_code == 403
        await browser.post("/api/v1/referee", json={"key": PIN})
        assert (await browser.post("/api/v1/game", json=wanted)).status_code == 202
        assert hands.controller.view().game == "mockery"
        assert hands.controller.view().players == {"white": "Ada"}


async def test_the_machine_itself_needs_no_pin_but_a_proxy_is_not_the_machine(tmp_path):
    wanted = {"game": "mockery"}
    async with pages_at(tmp_path, client="127.0.0.1") as (_, browser):
        proxied = {"X-Forwarded-For": "203.0.113.9"}
        assert (await browser.post("/api/v1/game", json=wanted, headers=proxied)).status_code == 403
        assert (await browser.post("/api/v1/game", json=wanted)).status_code == 202


@pytest.mark.parametrize(
    ("wanted", "status", "word"),
    [
        ({"game": "draughts"}, 400, "draughts"),
        ({"game": "realm", "options": {"strength": True}}, 400, "strength"),
        ({"game": "realm", "settings": {"tiem": "5m"}}, 400, "time"),
        ({"game": "realm", "settings": {"time": "soon"}}, 400, "soon"),
        ({"game": "realm", "players": {"white": "\x00"}}, 400, "players.white: "),
        ({"game": "realm", "players": {"white": "A\nB"}}, 400, "players.white: "),
        ({"game": "realm", "players": {"white": "x" * 41}}, 400, "players.white: "),
        ({"game": "realm", "players": {"white": "computer"}}, 400, "players.white: "),
        ({"game": "realm", "players": {"white": "computer 0"}}, 400, "level 1 to 7"),
        ({"game": "realm", "players": {"white": "computer 8"}}, 400, "level 1 to 7"),
        ({"game": "realm", "players": {"white": "computer two"}}, 400, "level 1 to 7"),
        ({"game": "reality-check"}, 409, "Not on this board"),
    ],
)
async def test_games_that_cannot_be_are_refused_with_the_reason(tmp_path, wanted, status, word):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        before = hands.controller.game_id
        for address in ("/api/v1/game", "/api/v1/game/check"):
            response = await browser.post(address, json=wanted)
            assert response.status_code == status
            told = response.json()  # a form that does not fit tells no more than what is wrong
            assert word in told.get("message", told["error"])
        assert hands.controller.game_id == before


async def test_whether_a_game_can_be_is_told_without_beginning_it(tmp_path):
    wanted = {"game": "mockery", "settings": {"time": "1h30+10 vs 5", "penalty": "keine"}}
    async with pages_at(tmp_path) as (_, browser):
        assert (await browser.post("/api/v1/game/check", json=wanted)).status_code == 403
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        before = hands.controller.game_id
        answer = await browser.post("/api/v1/game/check", json=wanted)
        assert (answer.status_code, hands.controller.game_id) == (200, before)
        assert answer.json() == {"time": "90m+10s vs 5m", "penalty": "none"}


async def promoting(hands):
    """Set up a pawn that has gone to the last rank, with the question what it becomes."""
    await hands.begin()
    position = {"position": "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "reason": "test"}
    await hands.controller.submit(Call(hands.t, "set-position", None, position))
    await hands.controller.submit(Call(hands.t, "resume", None))
    hands.t += 1
    await hands.controller.submit(Snapshot(hands.t, {"a7": True, "e7": True, "e1": True}))
    await hands.move("a7a8")


async def test_the_screen_beside_the_board_answers_what_is_asked_of_all_and_nothing_else(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await promoting(hands)
        assert "data-actions" in (await browser.get("/")).text
        for body in ({"answer": "e1e2"}, {"call": "adjourn"}, {"call": "offer-draw"}):
            assert (await browser.post("/api/v1/table/actions", json=body)).status_code == 409
        for body in ({}, {"call": "take-back"}, {"answer": "a7a8q", "declare": "reality-check"}):
            assert (await browser.post("/api/v1/table/actions", json=body)).status_code == 400
        right = await browser.post("/api/v1/table/actions", json={"answer": "a7a8r"})
        assert right.status_code == 202
        assert hands.controller.view().board["a8"].kind == "R"
        gave_up = await browser.post("/api/v1/table/actions", json={"call": "resign"})
        assert gave_up.status_code == 202
        assert hands.controller.view().ending.winner == "white"


async def test_who_has_a_clock_and_no_phone_pauses_beside_the_board_and_goes_on(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1", time="5+3") as (hands, browser):
        await hands.begin()
        for call, phase in (("pause", "paused"), ("resume", "playing")):
            scene = (await browser.get("/api/v1/state")).json()
            assert [one["call"] for one in scene["exits"]] == [call, "resign"]
            said = await browser.post("/api/v1/table/actions", json={"call": call})
            assert said.status_code == 202
            assert hands.controller.view().phase == phase
    async with pages_at(tmp_path / "untimed", "mockery", client="127.0.0.1") as (hands, browser):
        await hands.begin()
        scene = (await browser.get("/api/v1/state")).json()
        assert [one["call"] for one in scene["exits"]] == ["resign"]


@pytest.mark.parametrize("call", ["adjourn", "offer-draw"])
async def test_to_somebody_far_away_it_is_said_at_the_screen_whoever_is_to_move(tmp_path, call):
    agreement = Agreement("chess", away="white")
    async with pages_at(tmp_path, client="127.0.0.1", agreement=agreement) as (hands, browser):
        await hands.set_up()
        clock = [*hands.controller.table.state.clock.reading("white", 0)]
        begun = {"at": "white", "clock": clock, "what": "start", "by": None, "data": {}}
        await hands.controller.submit(FactTold(hands.t, "", 1, "call", begun))
        asked = await browser.post("/api/v1/table/actions", json={"call": call})
        assert asked.status_code == 202
        assert hands.controller.table.state.asked == call


async def test_who_has_no_phone_answers_an_offer_beside_the_board(tmp_path):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.set_up()
        late = await browser.post("/api/v1/table/actions", json={"call": "resign"})
        assert late.status_code == 409  # it was meant for the game before
        await hands.begin()
        for taken, status in ((False, 202), (True, 409)):
            if taken:
                await sit(hands, browser, "black")
            await hands.controller.submit(Call(hands.t, "offer-draw", "white"))
            places = ("state", "question"), ("seat/black/state", "decision")
            for at, (place, asked) in enumerate(places[: 1 + taken]):
                scene = (await browser.get(f"/api/v1/{place}")).json()
                calls = [one["call"] for one in scene[asked]]
                assert calls == ["accept-draw", "decline"] * (at == taken)
            said = await browser.post("/api/v1/table/actions", json={"call": "decline"})
            assert said.status_code == status
            assert (hands.controller.table.state.offer is None) is not taken


async def test_a_display_elsewhere_only_tells_where_to_answer(hands, browser):
    await promoting(hands)
    page = (await browser.get("/")).text
    assert "data-actions" not in page
    assert "Answer on a phone" in page
    refused = await browser.post("/api/v1/table/actions", json={"answer": "a7a8q"})
    assert refused.status_code == 403


async def test_what_cannot_be_done_is_told_to_whoever_asked_alone(tmp_path):
    async with pages_at(tmp_path, "mockery") as (hands, browser):
        await browser.post("/api/v1/referee", json={"key": PIN})
        data = {"position": "8/8/8/8/8/8/8/8 w - - 0 1", "reason": "a slip"}
        wrong = {"call": "set-position", "data": data}
        answer = await browser.post("/api/v1/referee/actions", json=wrong)
        assert answer.status_code == 409
        assert answer.json()["error"] == "refused-position"
        assert answer.json()["message"].endswith(" 7 fields are needed, not 6.")
        await sit(hands, browser)
        answer = await browser.post(f"{SEAT}/actions", json={"call": "accept-draw"})
        assert (answer.status_code, answer.json()["error"]) == (409, "refused-no-offer")
        await hands.controller.submit(Tick(hands.t))
        scene = (await browser.get("/api/v1/state")).json()
        assert scene["news"] == []


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"declare": "reality-check"}, 400, "in this game nothing is declared"),
        ({"declare": ""}, 400, "declare"),
        ({"answer": "zzz"}, 409, "That is no turn."),
        ({"answer": "e2e5"}, 409, "That piece does not move like this."),
        ({"answer": "e7e5"}, 409, ""),
        ({"call": "distrust", "data": {"cell": "z9"}}, 409, "such as e4"),
        ({"call": "distrust"}, 409, "data.cell"),
        ({"call": "distrust", "data": {"cell": " "}}, 409, "data.cell"),
        ({"call": "fly"}, 400, "offer-draw"),
        ({"color": "white"}, 400, "answer"),
    ],
)
async def test_nonsense_from_a_phone_is_answered_with_what_is_wrong(
    hands, browser, body, status, told
):
    await hands.begin()
    await sit(hands, browser)
    answer = await browser.post(f"{SEAT}/actions", json=body)
    assert answer.status_code == status
    sentences = answer.json()
    assert told in sentences.get("message", sentences["error"])
    assert hands.controller.view().number == 0


async def test_an_answer_is_taken_from_whoever_is_to_move_alone(hands, browser):
    await promoting(hands)
    await sit(hands, browser, "black")
    wrong = await browser.post("/api/v1/seat/black/actions", json={"answer": "a7a8q"})
    assert (wrong.status_code, wrong.json()["error"]) == (409, "refused-turn")
    await sit(hands, browser)
    right = await browser.post(f"{SEAT}/actions", json={"answer": "a7a8q"})
    assert right.status_code == 202


@pytest.mark.parametrize("what", ["", "zzz", "reality-check"])
async def test_at_the_table_nothing_can_be_declared_that_the_game_does_not_know(tmp_path, what):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.begin()
        answer = await browser.post("/api/v1/table/actions", json={"declare": what})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("declare: reversi knows no")


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        ({"side": "white", "seconds": "soon", "reason": "x"}, "refused-seconds"),
        ({"side": "white", "seconds": "nan", "reason": "x"}, "refused-seconds"),
        ({"side": "white", "seconds": "-360001", "reason": "x"}, "refused-seconds"),
        ({"side": "nobody", "seconds": "60", "reason": "x"}, "refused-side"),
        ({"side": "white", "seconds": "60", "reason": " "}, "refused-details"),
        ({"side": "white", "reason": "x"}, "refused-details"),
    ],
)
async def test_the_referee_is_told_which_detail_is_wrong(tmp_path, data, refusal):
    async with pages_at(tmp_path, time="5m") as (hands, browser):
        await browser.post("/api/v1/referee", json={"key": PIN})
        await hands.begin()
        ruling = {"call": "add-time", "data": data}
        answer = await browser.post("/api/v1/referee/actions", json=ruling)
        assert (answer.status_code, answer.json()["error"]) == (409, refusal)
        assert answer.json()["message"]


async def test_nothing_is_said_to_be_done_once_storage_has_failed(hands, browser):
    await hands.begin()
    await sit(hands, browser)
    hands.controller.table.fail()
    await hands.controller.submit(Tick(hands.t))
    answer = await browser.post(f"{SEAT}/actions", json={"call": "offer-draw"})
    assert (answer.status_code, answer.json()["error"]) == (503, "storage-failed")
    assert "check the disk" in answer.json()["message"]
    ready = await browser.get("/readyz")
    assert (ready.status_code, "check the disk" in ready.text) == (503, True)


async def test_past_games_are_said_to_be_out_of_reach_while_storage_fails(
    hands, browser, monkeypatch
):
    monkeypatch.setattr(hands.controller._journal, "finished", _full)
    for place in ("/games", "/api/v1/games"):
        answer = await browser.get(place)
        assert (answer.status_code, answer.json()["error"]) == (503, "storage-failed")


@pytest.mark.parametrize(
    ("place", "asked"),
    [
        ("game", {"game": "realm", "options": {}, "settings": {}, "players": {}}),
        ("game/puzzle", {"puzzle": "mockery-1"}),
        ("game/computer", {}),
    ],
)
async def test_no_game_is_said_to_have_begun_while_it_cannot_be_kept(
    tmp_path, monkeypatch, place, asked
):
    async with pages_at(tmp_path, client="127.0.0.1") as (hands, browser):
        await hands.set_up()
        monkeypatch.setattr(hands.controller._journal, "append", _full)
        for _ in range(2):  # when it is found out, and while it is known
            answer = await browser.post(f"/api/v1/{place}", json=asked)
            assert (answer.status_code, answer.json()["error"]) == (503, "storage-failed")


def _full(*_):
    raise StorageFailed("full")


@pytest.mark.parametrize("name", ["time", "penalty"])
async def test_what_was_typed_wrongly_is_told_in_the_readers_language(tmp_path, name):
    async with pages_at(tmp_path, client="127.0.0.1") as (_, browser):
        wanted = {"game": "realm", "settings": {name: "bald"}, "players": {"black": "computer 99"}}
        answer = await browser.post("/api/v1/game?language=de", json=wanted)
        assert answer.status_code == 400
        assert "„bald“ ist nicht zu verstehen" in answer.json()["message"]
        assert answer.json()["fields"] == [name, "black"]
