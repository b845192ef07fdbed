import io
import re
from importlib import resources

import chess.pgn
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from drivers.port import CellEvent
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.openapi import describe
from firmware_bridge.recordings import format as recordings
from firmware_bridge.referee.call_rules import CALLS
from tests.firmware_bridge.pages.app_help import PIN, pages_at, sit
from tests.nightly import few

PATHS = describe()["paths"]
ADDRESSES = sorted(PATHS)
CHANGES = [path for path in ADDRESSES if "post" in PATHS[path]]
LACKING = {"no-seat", "no-referee"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=8,
)
LIKELY = st.fixed_dictionaries(
    {},
    optional={
        "call": st.sampled_from(["press", "resign", "add-time", "set-position", "award", "x"]),
        "answer": st.text(max_size=12),
        "declare": st.text(max_size=12),
        "side": st.sampled_from(["white", "black", "green"]),
        "data": st.dictionaries(
            st.sampled_from(["side", "seconds", "reason", "position", "winner"]),
            st.text(max_size=30) | st.integers(),
            max_size=3,
        ),
        "key": st.text(max_size=10),
        "game": st.sampled_from(["realm", "mockery", "draughts"]),
    },
)


async def test_the_description_names_every_address_and_no_other(browser):
    described = (await browser.get("/api/v1/openapi.json")).json()
    assert described["openapi"] == "3.1.0"
    for path, item in described["paths"].items():
        address = path.format(side="white", game_id="20260101-000000-abcdef", kind="json")
        for method in item.keys() - {"parameters"}:
            if "events" in path and method == "get":
                continue
            answer = await browser.request(method, address, json={} if method == "post" else None)
            assert str(answer.status_code) in item[method]["responses"], (method, path)


async def test_who_has_no_key_is_refused_where_one_is_described_and_nowhere_else(browser):
    for number, (path, item) in enumerate(PATHS.items()):
        browser._transport.client = (f"192.168.2.{number}", 4000)  # who may change as much as any
        address = path.format(side="white", game_id="20260101-000000-abcdef", kind="json")
        for method, operation in item.items():
            if address == "/api/v1/events":  # never ends
                continue
            answer = await browser.request(method, address, json={} if method == "post" else None)
            refused = answer.status_code == 403 and answer.json()["error"] in LACKING
            assert refused == bool(operation["security"]), (method, path, answer.text)


def test_no_address_is_missing_from_the_description():
    routes = [route for route in _routes() if route.path.startswith("/api/v1/")]
    served = {re.sub(r":(side|export)}", "}", route.path) for route in routes}
    left_out = {"/api/v1/openapi.json", "/api/v1/learn/{game}/{number:int}"}
    assert served - left_out == set(ADDRESSES)


def _routes():
    class NoOffice:
        config = type("C", (), {"pages": type("P", (), {"names": ()})})
        visitor = None

    guard = create_app(NoOffice())
    return [route for route in guard.app.routes if isinstance(route, Route)]


@settings(max_examples=few(180))
@given(sent=st.lists(st.tuples(st.sampled_from(CHANGES), LIKELY | JSON), min_size=6, max_size=12))
async def test_whatever_is_sent_gets_a_described_answer(tmp_path_factory, sent):
    async with pages_at(tmp_path_factory.mktemp("games")) as (hands, browser):
        await hands.set_up()
        await browser.post("/api/v1/referee", json={"key": PIN})
        await sit(hands, browser)
        for address, body in sent:
            answer = await browser.post(address.format(side="white", game_id="x"), json=body)
            assert str(answer.status_code) in PATHS[address]["post"]["responses"], address
            assert (await browser.get("/api/v1/state")).status_code == 200


async def test_the_referee_takes_the_game_home(hands, browser):
    for kind in ("json", "pgn", "jsonl"):
        assert (await browser.get(f"/api/v1/referee/export.{kind}")).status_code == 403
    await browser.post("/api/v1/referee", json={"key": PIN})
    await hands.begin("e2e4")
    data = (await browser.get("/api/v1/referee/export.json")).json()
    assert [turn["turn"] for turn in data["turns"]] == ["e2e4"]
    text = (await browser.get("/api/v1/referee/export.pgn")).text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game.next().move.uci() == "e2e4"
    assert game.headers["Date"].replace(".", "") == hands.controller.game_id[:8]
    felt = (await browser.get("/api/v1/referee/export.jsonl")).text.splitlines()
    events = recordings.read(felt).events
    assert [event.cell for event in events if isinstance(event, CellEvent)] == ["e2", "e4"]


async def test_a_game_to_be_remembered_is_not_told_before_its_end(tmp_path):
    async with pages_at(tmp_path, "indistinguishable") as (hands, browser):
        await browser.post("/api/v1/referee", json={"key": PIN})
        await hands.begin()
        for kind in ("json", "pgn", "jsonl"):
            answer = await browser.get(f"/api/v1/referee/export.{kind}")
            assert answer.status_code == 409
        await browser.post("/api/v1/referee/actions", json={"call": "resign", "side": "white"})
        assert (await browser.get("/api/v1/referee/export.json")).status_code == 200


def test_every_button_of_the_pages_says_something_that_is_known():
    folder = resources.files("firmware_bridge.pages") / "templates"
    said = {
        call
        for page in folder.iterdir()
        for call in re.findall(r'data-call="([^"]+)"', page.read_text(encoding="utf-8"))
    }
    assert said
    assert said <= set(CALLS)
