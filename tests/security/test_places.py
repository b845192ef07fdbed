"""No stranger's connections take the place of this machine, of the display or of a seat."""

import asyncio
import contextlib
import socket

import pytest

from firmware_bridge.pages import connections as places
from firmware_bridge.pages.clients import KNOWN, asks_from, network_of
from tests.patience import in_time
from tests.security.doors import MACHINE, ask, call, listen_to, open_doors, phase, stranger


@pytest.fixture
def short(monkeypatch):
    """Nobody waits for long."""
    monkeypatch.setattr(places, "SILENCE", 0.2)


async def crowd(stack, port, count, address):
    """Connect so often, from one address or from the one that a function gives."""
    given = address if callable(address) else lambda _: address
    calls = (call(port, given(number)) for number in range(count))
    return [await stack.enter_async_context(one) for one in calls]


@pytest.mark.parametrize("address", [stranger(0), stranger], ids=["one", "many"])
async def test_silent_strangers_keep_nobody_out(tmp_path, address):
    async with open_doors(tmp_path) as hands, contextlib.AsyncExitStack() as stack:
        await crowd(stack, hands.port, 405, address)
        for other in (MACHINE, stranger(900)):
            assert (await ask(hands.port, "/healthz", address=other))[0] == 200
            assert (await ask(hands.port, "/", address=other))[0] == 200


@pytest.mark.parametrize("address", [stranger(0), stranger], ids=["one", "many"])
async def test_strangers_that_listen_keep_neither_display_nor_seat_out(tmp_path, address):
    async with open_doors(tmp_path) as hands, contextlib.AsyncExitStack() as stack:
        calls = await crowd(stack, hands.port, 200, address)
        found = [await listen_to(one) for one in calls]
        most = places.STREAMS_ALL_STRANGERS if callable(address) else places.STREAMS_EACH_STRANGER
        assert found.count(200) == most
        assert set(found) <= {200, 503, 0}
        cookie = await seated(hands, "white", stranger(0))
        display = await stack.enter_async_context(call(hands.port))
        phone = await stack.enter_async_context(call(hands.port, stranger(0)))
        assert await listen_to(display) == 200
        assert await listen_to(phone, "/api/v1/seat/white/events", cookie) == 200
        for told in (display, phone):
            assert await phase(told) == "waiting"
        await hands.set_up()
        for told in (display, phone):
            assert await phase(told) == "ready"


async def seated(hands, side, address=MACHINE):
    """Sit down; return the cookie."""
    key = hands.keys.seat(hands.controller.game_id, side)
    path = f"/api/v1/seat/{side}"
    status, head = await ask(hands.port, path, {"key": key}, address)
    assert status == 202
    cookie = next(line for line in head.split("\r\n") if line.startswith("set-cookie"))
    return cookie.partition(": ")[2].partition(";")[0]


async def test_who_listens_already_goes_on_listening(tmp_path):
    async with open_doors(tmp_path) as hands, contextlib.AsyncExitStack() as stack:
        display = await stack.enter_async_context(call(hands.port, stranger(999)))
        assert await listen_to(display) == 200
        assert await phase(display) == "waiting"
        await crowd(stack, hands.port, 1000, stranger)
        await hands.set_up()
        assert await phase(display) == "ready"


async def test_who_needs_one_place_more_gives_up_the_one_that_asks_for_nothing(tmp_path):
    async with open_doors(tmp_path) as hands, contextlib.AsyncExitStack() as stack:
        first, *_ = await crowd(stack, hands.port, places.EACH_STRANGER, stranger(0))
        (other,) = await crowd(stack, hands.port, 1, stranger(1))
        await crowd(stack, hands.port, 1, stranger(0))
        assert await in_time(first.ended())
        other.send("GET /healthz HTTP/1.1", "Host: 127.0.0.1")
        assert await other.status() == 200


@pytest.mark.parametrize(
    "head",
    [
        "",
        "GET / HT",
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nG",
        "POST /api/v1/referee HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\n{",
    ],
    ids=["silent", "half a line", "after an answer", "half a body"],
)
async def test_who_does_not_come_to_an_end_is_not_waited_for(tmp_path, short, monkeypatch, head):
    monkeypatch.setattr("drivers.simulator.guard.BODY_SECONDS", 0.2)
    async with open_doors(tmp_path) as hands, call(hands.port, stranger(0)) as caller:
        caller.writer.write(head.encode())
        assert await in_time(caller.ended())


async def test_a_request_that_tells_its_length_in_two_ways_is_answered_once_and_refused(tmp_path):
    hidden = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    async with open_doors(tmp_path) as hands, call(hands.port) as caller:
        caller.send(
            "POST /api/v1/referee HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            f"Content-Length: {5 + len(hidden)}",
            "Transfer-Encoding: chunked",
            body=f"0\r\n\r\n{hidden}".encode(),
        )
        assert await caller.status() == 400
        assert b"HTTP/1.1" not in await in_time(caller.reader.read())


async def test_a_header_that_comes_letter_by_letter_is_not_waited_for(tmp_path, short):
    async with open_doors(tmp_path) as hands, call(hands.port, stranger(0)) as caller:
        ended = asyncio.ensure_future(caller.ended())

        async def trickle():
            while not ended.done():
                caller.writer.write(b"x")
                await asyncio.sleep(0.02)

        await in_time(trickle())
        assert await ended


async def test_who_does_not_take_what_he_asked_for_is_not_waited_for(tmp_path, short):
    async with open_doors(tmp_path) as hands, contextlib.AsyncExitStack() as stack:
        hands.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        caller = await stack.enter_async_context(call(hands.port, stranger(0), room=4096))
        caller.writer.transport.pause_reading()
        asked = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

        async def asks_on():
            with contextlib.suppress(ConnectionError):
                while not caller.writer.transport.is_closing():
                    caller.writer.write(asked * 100)
                    await caller.writer.drain()

        await in_time(asks_on())


async def test_a_page_that_listens_is_waited_for(tmp_path, short):
    async with open_doors(tmp_path) as hands, call(hands.port, stranger(0)) as caller:
        assert await listen_to(caller) == 200
        for _ in range(3):  # seconds, and so many times the silence allowed
            while (await caller.line()) != "event: beat":
                pass


def test_there_is_always_a_connection_that_can_be_given_up():
    assert set(places.STREAMS) == set(places.CONNECTIONS) == KNOWN
    assert all(places.STREAMS[known] < places.CONNECTIONS[known] for known in KNOWN)
    assert places.STREAMS_EACH_STRANGER < places.EACH_STRANGER
    assert places.STREAMS_ALL_STRANGERS < places.ALL_STRANGERS
    # A process has 1024 files unless somebody says otherwise.
    assert places.ALL_STRANGERS + sum(places.CONNECTIONS.values()) + 2 * 128 < 1000


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("192.168.1.5", "192.168.1.6", False),
        ("192.168.1.5", "::ffff:192.168.1.5", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("::1", "::2", False),
        ("127.0.0.1", "::ffff:127.0.0.1", True),
    ],
)
def test_a_stranger_is_known_by_his_network(one, other, alike):
    assert (network_of(one) == network_of(other)) == alike


@pytest.mark.parametrize(
    ("client", "headers", "who"),
    [
        ("127.0.0.1", {}, "machine"),
        ("::ffff:127.0.0.1", {}, "machine"),
        ("::1", {}, "machine"),
        ("127.0.0.2", {}, "127.0.0.2"),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1, 203.0.113.9"}, "203.0.113.9"),
        ("127.0.0.1", {"via": "1.1 proxy"}, ""),
        ("203.0.113.9", {"x-forwarded-for": "127.0.0.1"}, "203.0.113.9"),
    ],
)
def test_a_proxy_speaks_for_whom_it_forwards_and_nobody_else_does(client, headers, who):
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert asks_from({"type": "http", "client": (client, 4000), "headers": raw}) == who
