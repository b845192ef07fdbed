import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from firmware_bridge.pages.middleware import BODY_LIMIT, BURST, Allowance, Guard
from tests.patience import PATIENCE, in_time


async def echo(request):
    return JSONResponse({"length": len(await request.body())})


@pytest.fixture
def client():
    app = Starlette(routes=[Route("/", echo, methods=["GET", "POST"])])
    guard = Guard(app, names=["Board.Club"], clock=lambda: 0.0)
    transport = httpx.ASGITransport(app=guard)
    return httpx.AsyncClient(transport=transport, base_url="http://localhost:8321")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8321", 200),
        ("127.0.0.1:8321", 200),
        ("192.168.1.9", 200),
        ("[::1]:8321", 200),
        ("board.club", 200),
        ("BOARD.club:80", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("[::1", 421),
        ("evil.example@127.0.0.1", 421),
        ("127.0.0.1#evil.example", 421),
        ("127.0.0.1:80@evil.example", 421),
        ("evil.example@localhost:8321", 421),
        ("127.0.0.1/evil.example", 421),
        ("127.0.0.1 evil.example", 421),
        ("", 421),
    ],
)
async def test_only_our_names_and_plain_addresses_are_answered(client, host, status):
    response = await client.get("/", headers={"Host": host})
    assert response.status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # no browser, so nobody can be tricked into it
        ({"Origin": "http://localhost:8321", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://localhost:9999", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ],
)
async def test_changes_come_from_our_own_pages(client, headers, status):
    response = await client.post("/", json={}, headers=headers)
    assert response.status_code == status


async def test_another_site_may_link_here_but_not_read(client):
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert (await client.get("/", headers=link)).status_code == 200
    script = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    assert (await client.get("/", headers=script)).status_code == 403
    origin = {"Origin": "https://evil.example"}
    assert (await client.get("/", headers=origin)).status_code == 403


async def test_forms_are_refused(client):
    assert (await client.post("/", data={"a": "b"})).status_code == 415


async def test_large_bodies_are_refused_announced_or_not(client):
    headers = {"Content-Type": "application/json"}
    large = b" " * (BODY_LIMIT + 1)
    assert (await client.post("/", content=large, headers=headers)).status_code == 413

    async def chunks():
        for _ in range(BODY_LIMIT // 1000 + 1):
            yield b" " * 1000

    assert (await client.post("/", content=chunks(), headers=headers)).status_code == 413
    lying = {**headers, "Content-Length": "a lot"}
    assert (await client.post("/", content=b"", headers=lying)).status_code == 413
    within = await client.post("/", content=b" " * BODY_LIMIT, headers=headers)
    assert within.json() == {"length": BODY_LIMIT}


async def test_changes_are_few_reading_is_free(client):
    statuses = [(await client.post("/", json={})).status_code for _ in range(BURST + 2)]
    assert statuses == [200] * BURST + [429] * 2
    assert (await client.get("/")).status_code == 200


async def test_a_body_that_never_comes_is_not_waited_for(client, monkeypatch):
    monkeypatch.setattr("drivers.simulator.guard.BODY_SECONDS", 0.05)

    async def nothing():
        yield b"{"
        await asyncio.sleep(PATIENCE)

    headers = {"Content-Type": "application/json"}
    answer = await in_time(client.post("/", content=nothing(), headers=headers))
    assert (answer.status_code, answer.json()["error"]) == (408, "too-slow")


def test_an_allowance_comes_back_with_time_and_is_each_ones_own():
    now = 0.0
    allowance = Allowance(2, 0.5, lambda: now)
    assert [allowance.spend("a") for _ in range(3)] == [True, True, False]
    assert allowance.spend("b")
    now = 2.0
    assert [allowance.spend("a") for _ in range(2)] == [True, False]


async def test_every_answer_tells_browsers_to_be_strict(client):
    for response in [await client.get("/"), await client.post("/", data={"a": "b"})]:
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert "unsafe" not in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cache-control"] == "no-store"
