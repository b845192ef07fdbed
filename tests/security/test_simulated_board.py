"""The simulated board's page in a network: whoever has not said the PIN sees and moves nothing."""

import asyncio
import contextlib
import json
import random

import pytest

from drivers.description import load_description
from drivers.simulator import relay
from drivers.simulator.control_page import make_app
from drivers.simulator.serving import _listen, _Server, configured
from drivers.simulator.station import Station
from drivers.simulator.wording import Wording
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules import load
from tests.patience import in_time
from tests.security.doors import MACHINE, PIN, ask, call, open_doors, stranger
from tests.security.test_mutated_requests import answered, mutated

REQUESTS = 1_500
ENTRY = relay.ENTRY
READ = ("/", "/about", "/state", "/events", "/display/api/v1/state", "/display/api/v1/events",
        "/display/static/board.js", "/nothing")  # fmt: skip
ORDERS = {
    "/hands": {"steps": [{"button": "white"}]},
    "/arrange": {"name": "start"},
    "/faults": {"dead": ["e1"]},
    "/cable": {"plugged": False},
    "/reset": {},
    "/display/api/v1/table/actions": {"call": "resign"},
    "/display/api/v1/game/computer": {},
    "/display/api/v1/game/rematch": {},
}
TELLING = ("wPN", "wK-1", "look", '"pieces"')
"""What would tell a piece, its underside or its tag."""


@contextlib.asynccontextmanager
async def board_in_network(folder):
    """Serve a game, and the simulated board it is played on, at all addresses of this machine."""
    async with open_doors(folder, "reality-check") as hands:
        display = f"http://{MACHINE}:{hands.port}/"
        pieces = simulated_pieces(load("reality-check"))
        station = Station(load_description("simulated"), pieces, folder / "board")
        station.arrange(pieces.arrangements["start"])
        with _listen("0.0.0.0", 0) as listener:
            app = make_app(station, Wording(display=display))
            server = _Server(configured(app), station.close)
            hands.board_port = listener.getsockname()[1]
            async with station:
                serving = asyncio.create_task(server.serve(sockets=[listener]))
                try:
                    yield hands, station
                finally:
                    station.close()
                    server.should_exit = True
                    await in_time(serving)


async def says_pin(port, pin=PIN, address=None):
    """Say the PIN at the board's page; return the status and the cookie."""
    status, text = await ask(port, ENTRY, {"key": pin}, address or stranger(0))
    found = [line for line in text.split("\r\n") if line.lower().startswith("set-cookie: referee")]
    return status, found[0].partition(": ")[2].partition(";")[0] if found else ""


async def status_of(port, *lines, address=MACHINE):
    async with call(port, address) as caller:
        caller.send(*lines, "Connection: close")
        return await caller.status()


def orders(cookie=""):
    for path, order in ORDERS.items():
        body = json.dumps(order)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        head = f"Host: 127.0.0.1\r\nCookie: {cookie}\r\n"
        yield f"POST {path} HTTP/1.1\r\n{head}{kind}\r\n{body}".encode()


async def test_a_stranger_sees_and_moves_nothing_until_he_says_the_pin(tmp_path):
    async with board_in_network(tmp_path) as (hands, station):
        before = station.state()
        for cookie in ("", "referee=", "referee=0123456789abcdef", "language=de; seat-white=x"):
            for path in READ:
                status, text = await ask(hands.board_port, path, None, stranger(0), cookie)
                assert status == 403, path
                body = text.partition("\r\n\r\n")[2]
                assert not [word for word in TELLING if word in body], path
            for path, order in ORDERS.items():
                asked = await ask(hands.board_port, path, order, stranger(0), cookie)
                assert asked[0] == 403, path
        assert station.state() == before
        assert await says_pin(hands.board_port, "000000") == (403, "")
        status, cookie = await says_pin(hands.board_port)
        assert status == 202
        status, text = await ask(hands.board_port, "/state", None, stranger(0), cookie)
        assert status == 200
        assert "wPN" in text
        assert (await ask(hands.board_port, "/cable", {"plugged": False}, stranger(0), cookie))[
            0
        ] == 200
        assert not station.cable.plugged
        assert (await ask(hands.board_port, "/state", None, stranger(0)))[0] == 403
        assert (await ask(hands.board_port, "/state"))[0] == 200  # at the machine nobody is asked


async def test_the_page_asks_for_the_pin_in_his_language_and_leads_where_he_comes_from(tmp_path):
    async with board_in_network(tmp_path) as (hands, _):
        _, text = await ask(hands.board_port, "/?language=de", None, stranger(0))
        assert "PIN des Schiedsrichters" in text
        assert "<form inert" in text  # until its script is there
        _, cookie = await says_pin(hands.board_port)
        async with call(hands.board_port, stranger(0)) as caller:
            caller.send("GET / HTTP/1.1", "Host: board.local", f"Cookie: {cookie}")
            assert await caller.status() == 421
        lines = "GET / HTTP/1.1", "Host: 192.168.1.9:8322", f"Cookie: {cookie}", "Connection: close"
        async with call(hands.board_port, stranger(0)) as caller:
            caller.send(*lines)
            page = (await in_time(caller.reader.read())).decode()
        assert f'href="http://192.168.1.9:{hands.port}/learn' in page
        assert "127.0.0.1" not in page


async def test_what_is_handed_on_for_a_stranger_is_judged_as_his(tmp_path):
    async with board_in_network(tmp_path) as (hands, _):
        for number in range(6):
            found, _ = await says_pin(hands.board_port, f"00000{number}")
        assert found == 429
        assert (await says_pin(hands.board_port))[0] == 429  # the right one does not help him now
        assert (await ask(hands.port, "/api/v1/referee", {"key": PIN}))[
            0
        ] == 202  # the machine's own
        assert (await says_pin(hands.board_port, address=stranger(1)))[0] == 202


FORWARDED = [
    ("X-Forwarded-For: 127.0.0.1", stranger(0)),
    ("X-Real-IP: 127.0.0.1", stranger(0)),
    ("Forwarded: for=127.0.0.1", stranger(0)),
    ("X-Forwarded-For: 127.0.0.1", MACHINE),
    ("X-Forwarded-For: 203.0.113.9", MACHINE),
    ("Via: 1.1 proxy", MACHINE),
]


@pytest.mark.parametrize(("header", "address"), FORWARDED)
async def test_nobody_says_himself_that_he_is_the_machine(tmp_path, header, address):
    async with board_in_network(tmp_path) as (hands, _):
        asked = "GET /state HTTP/1.1", "Host: 127.0.0.1", header
        assert await status_of(hands.board_port, *asked, address=address) == 403


CALLED = [
    ("Host: localhost:8322", 200),
    ("Host: 192.168.1.9:8322", 200),
    ("Host: [::1]:8322", 200),
    ("Host: evil.example", 421),
    ("Host: 127.0.0.1.evil.example", 421),
    ("Host: evil.example@127.0.0.1", 421),
    ("Host: ", 421),
    ("Host: 127.0.0.1\r\nOrigin: http://evil.example", 403),
    ("Host: 127.0.0.1\r\nOrigin: null", 403),
    ("Host: 127.0.0.1\r\nOrigin: http://[", 403),
    ("Host: 127.0.0.1:8322\r\nOrigin: http://127.0.0.1:8321", 403),
    ("Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site", 403),
    ("Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors", 403),
]


async def test_its_own_pages_under_its_own_names_are_answered_and_no_others(tmp_path):
    async with board_in_network(tmp_path) as (hands, _):
        for headers, status in CALLED:
            read = await status_of(hands.board_port, "GET /state HTTP/1.1", headers)
            order = "POST /reset HTTP/1.1", headers, "Content-Length: 0"
            assert read == await status_of(hands.board_port, *order) == status, headers
        navigates = "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate"
        assert await status_of(hands.board_port, "GET / HTTP/1.1", navigates) == 200
        order = "POST /reset HTTP/1.1", navigates, "Content-Length: 0"
        assert await status_of(hands.board_port, *order) == 403


async def test_who_is_the_referee_no_longer_is_told_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(relay, "KNOWN_FOR", 0.0)
    async with board_in_network(tmp_path) as (hands, station):
        _, cookie = await says_pin(hands.board_port)
        async with call(hands.board_port, stranger(0)) as caller:
            caller.send("GET /events HTTP/1.1", "Host: 127.0.0.1", f"Cookie: {cookie}")
            assert await caller.status() == 200
            while not (await caller.line()).startswith("data:"):
                pass
            left = await ask(hands.port, "/api/v1/referee/leave", {}, stranger(0), cookie)
            assert left[0] == 202
            station.set_plugged(plugged=False)
            rest = (await in_time(caller.reader.readuntil(b"0\r\n\r\n"))).decode()
            assert "pieces" not in rest


async def test_careless_requests_are_answered_and_none_by_a_failure(tmp_path, caplog):
    chooser = random.Random(8322)
    async with board_in_network(tmp_path) as (hands, _):
        _, cookie = await says_pin(hands.board_port)
        head = f"Host: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n"
        right = [f"GET {path} HTTP/1.1\r\n{head}".encode() for path in READ if "events" not in path]
        right += [order for order in orders(cookie) if b"resign" not in order]
        found = {}
        for _ in range(REQUESTS):
            request = mutated(chooser, chooser.choice(right))
            status = await answered(hands.board_port, request, stranger(0))
            found[status] = found.get(status, 0) + 1
            assert status < 500, request
        assert caplog.text.count("Traceback") == 0
        assert {200, 400, 403, 404, 411, 421, 422} <= set(found), found
        assert (await ask(hands.board_port, "/state"))[0] == 200


async def test_strangers_at_the_board_take_no_place_of_the_machine(tmp_path):
    async with board_in_network(tmp_path) as (hands, _), contextlib.AsyncExitStack() as stack:
        calls = [
            await stack.enter_async_context(call(hands.board_port, stranger(n))) for n in range(150)
        ]
        for number, one in enumerate(calls):
            one.send("GET /state HTTP/1.1", "Host: 127.0.0.1", f"Cookie: referee={number}")
        assert (await ask(hands.port, "/api/v1/state"))[0] == 200
        assert {await one.status() for one in calls} == {403}
