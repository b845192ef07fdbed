"""Who may have the board, and who may answer while it is built or set up."""

import asyncio
import itertools

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import load_description
from drivers.port import DriverError
from firmware_bridge.calibration.firmware_loading import Loading
from firmware_bridge.calibration.page import WalkPage
from firmware_bridge.calibration.procedure import Procedure
from firmware_bridge.calibration.session import CalibrationSession
from firmware_bridge.config import Config
from firmware_bridge.config.schema import BoardConfig
from firmware_bridge.messages import Call
from firmware_bridge.pages.keys import TRIES, Keys
from firmware_bridge.service.works import Wanted, works
from firmware_bridge.service.workshop import WORKS, Door, _work
from tests.firmware_bridge.pages.app_help import PIN, pages_at
from tests.running import ordered_to_end

STARTER = load_description("starter")


def door(ticket="t" * 32, clock=lambda: 0.0):
    return Door(Keys(b"k" * 32, PIN, clock), ticket)


def client(page, **cookies):
    transport = httpx.ASGITransport(page.app(), client=("192.168.1.20", 4000))
    return httpx.AsyncClient(transport=transport, base_url="http://10.0.0.1", cookies=cookies)


def shown(made):
    page = WalkPage("en", made)
    return page, page.attend(Procedure(STARTER, parts=("cells",)), STARTER)


async def test_a_word_that_nobody_asked_for_is_refused_and_not_lost_unseen():
    page = WalkPage("en", door())
    async with client(page, workshop="t" * 32) as owner:
        early = await owner.post("/words", json={"text": "y"})
        assert (early.status_code, early.json()) == (409, {"error": "nothing-asked"})
        said = page.attend(Procedure(STARTER, parts=("cells",)), STARTER)
        assert (await owner.post("/words", json={"text": "y"})).status_code == 200
        assert said.get_nowait() == "y"


async def test_the_browser_that_began_answers_and_nobody_else():
    page, said = shown(door())
    async with client(page) as stranger, client(page, workshop="t" * 32) as owner:
        assert (await stranger.post("/words", json={"text": "y"})).status_code == 403
        assert said.empty()
        assert (await owner.post("/words", json={"text": "y"})).status_code == 200
        assert said.get_nowait() == "y"


async def test_the_pin_opens_the_door_and_a_wrong_one_does_not():
    page, said = shown(door())
    async with client(page) as browser:
        assert (await browser.post("/enter", json={"key": "0000"})).status_code == 403
        assert (await browser.post("/words", json={"text": "y"})).status_code == 403
        assert (await browser.post("/enter", json={"key": PIN})).status_code == 200
        assert (await browser.post("/words", json={"text": "y"})).status_code == 200
    assert said.qsize() == 1


async def test_nobody_guesses_the_pin():
    page, _ = shown(door())
    async with client(page) as browser:
        answers = [await browser.post("/enter", json={"key": str(n)}) for n in range(TRIES)]
        assert {answer.status_code for answer in answers} == {403}
        assert (await browser.post("/enter", json={"key": PIN})).status_code == 429


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(ODD, st.sampled_from(["/enter", "/words"]), st.text(max_size=40))
async def test_whatever_is_sent_is_refused_or_an_answer_and_opens_nothing(body, address, ticket):
    page, said = shown(door())
    async with client(page, workshop=ticket.encode("ascii", "ignore").decode().strip()) as browser:
        answer = await browser.post(address, json=body)
        assert answer.status_code in {400, 403, 415, 429}
        assert not answer.cookies
    assert said.empty()


async def test_a_command_of_ones_own_machine_has_no_door():
    page = WalkPage("en")
    page.attend(Procedure(STARTER, parts=("cells",)), STARTER)
    async with client(page) as browser:
        assert (await browser.post("/enter", json={"key": PIN})).status_code == 404
        assert (await browser.post("/words", json={"text": "y"})).status_code == 200


async def test_the_board_is_given_for_the_pin_while_nobody_plays(tmp_path):
    left = []
    async with pages_at(tmp_path, "reversi") as (hands, browser):
        leaving = "/api/v1/board/work"
        body = {"key": PIN, "work": "setup"}
        assert (await browser.post(leaving, json=body)).status_code == 409
        assert (await browser.post(leaving, json=body | {"key": "1"})).status_code == 403
        assert (await browser.post(leaving, json={"key": PIN})).status_code == 400
        assert "board" in (await browser.get("/board?language=de")).text
        hands.context.leave_for, hands.context.works = left.append, ("setup",)
        await hands.set_up()
        assert (await browser.post(leaving, json=body)).status_code == 202, "nothing has begun"
        await hands.press("black")
        refused = await browser.post(leaving, json=body)
        assert (refused.status_code, refused.json()["error"]) == (409, "board-in-use")
        await hands.controller.submit(Call(hands.t, "adjourn"))
        assert (await browser.post(leaving, json=body)).status_code == 202
    assert [wanted.work for wanted in left] == ["setup", "setup"]


@pytest.mark.parametrize(
    ("board", "offered"),
    [
        ("starter", {"bring-up", "firmware", "setup"}),
        ("full", {"bring-up", "firmware", "setup", "pieces"}),
        ("starter-header", {"bring-up", "setup"}),
        ("certabo", {"setup", "pieces"}),
    ],
)
def test_each_board_is_offered_what_can_be_done_with_it(board, offered):
    config = Config.model_validate({"board": {"description": board}})
    assert {*works(config, load_description(board))} == offered
    assert offered <= set(WORKS)


def test_no_two_tickets_are_alike_nor_shown():
    wanted = [Wanted("setup", "en") for _ in range(10)]
    assert all(a.ticket != b.ticket for a, b in itertools.combinations(wanted, 2))
    assert wanted[0].ticket not in repr(wanted[0])


async def jammed(*_):
    """Be at a board that cannot be closed."""
    try:
        await asyncio.Event().wait()
    finally:
        raise DriverError("it cannot be closed")


async def test_who_is_told_to_end_at_a_board_that_cannot_be_closed_asks_nobody_what_to_do_now(
    monkeypatch,
):
    monkeypatch.setattr(CalibrationSession, "hold", jammed)
    sitting = CalibrationSession(BoardConfig(), None)
    assert await ordered_to_end(_work(sitting, WalkPage("en")), 3)
    monkeypatch.setattr(Loading, "_plugged", jammed)
    loading = Loading(STARTER, "en", lambda _: None, lambda: None)
    assert await ordered_to_end(loading.run(asyncio.Queue()), 3)
