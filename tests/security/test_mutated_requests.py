"""Thousands of requests with something wrong in each: all are answered, and none by a failure."""

import json
import random
import re

import rules
from firmware_bridge.pages import app
from firmware_bridge.pages.openapi import describe
from tests.nightly import NIGHTLY
from tests.patience import in_time
from tests.security.doors import MACHINE, PIN, ask, call, open_doors

REQUESTS = 10_000 if NIGHTLY else 1_000
WORDS = [
    b"\x00", b"\r\n", b"%00", b"%ff", b"../", b"\xc3\x28", b"{", b"[[[[", b'"', b"null", b"NaN",
    b"1e999", b"-1", b"9" * 40, b"\\ud800", b"white", b"black", b"green", b"press", b"resign",
    b"answer", b"call", b"data", b"side", b"seconds", b"position", b"Transfer-Encoding: chunked",
    b"Content-Length: 5", b"Host: evil", b"Cookie: seat-white=x; referee=\xe9", b"?language=he-XB",
    b"Connection: upgrade\r\nUpgrade: websocket", b"Expect: 100-continue", b"?after=-", b"/events",
    b"Range: bytes=5-2", b"If-Modified-Since: x", b"Accept: text/html", b"Origin: http://[",
]  # fmt: skip
START = str(rules.load("reversi").start())
BODIES = (
    {"call": "press"},
    {"call": "add-time", "data": {"side": "white", "seconds": "60", "reason": "x"}},
    {"call": "set-position", "data": {"position": "8/8 w", "reason": "x"}},
    {"call": "set-position", "data": {"position": START, "reason": "x"}},
    {"call": "take-back", "data": {"reason": "x"}},
    {"call": "adjust"},
    {"call": "distrust", "data": {"cell": "e4"}},
    {"call": "hint", "side": "white"},
    {"call": "decline"},
    {"answer": "e2e4", "side": "white"},
    {"declare": "reality-check"},
    {"game": "realm", "options": {}, "settings": {"time": "5m"}, "players": {"white": "Ada"}},
    {"key": "471148"},
    {"agree": True},
    {"answer": "?b4,e3", "side": "white"},
    {"words": "acorn zebra tulip oboe"},
    {"friend": "Grace"},
    {"line": "0" * 32, "accepts": True},
    {},
)
SOME = {"side": "white", "game": "realm", "number": "1", "game_id": "newest"}
PAGES = [re.sub(r"{(\w+)[^}]*}", lambda gap: SOME[gap[1]], route.path) for route in app._PAGES]
OTHERS = ("/setup?game=realm", "/static/look.css", "/metrics", "/healthz", "/readyz")
LEFT_OUT = ("/api/v1/game", "/api/v1/referee/leave", "/api/v1/seat/{side}/leave")
"""What would end what the requests are about."""


def seeds(cookie):
    """Return requests that are right, as bytes."""
    paths = describe()["paths"]
    gets = [*PAGES, *OTHERS, *(path for path, item in paths.items() if "get" in item)]
    posts = [path for path, item in paths.items() if "post" in item and path not in LEFT_OUT]
    head = f"Host: 127.0.0.1\r\nCookie: {cookie}\r\n"

    def address(path):
        return path.format(side="white", game_id="newest", kind="json")

    for path in gets:
        yield f"GET {address(path)} HTTP/1.1\r\n{head}\r\n".encode()
    for path in posts:
        for body in map(json.dumps, BODIES):
            kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            yield f"POST {address(path)} HTTP/1.1\r\n{head}{kind}\r\n{body}".encode()


def mutated(chooser, request):
    """Return a request with one to three things wrong, mostly with a length that fits again."""
    for _ in range(chooser.randint(1, 3)):
        start = chooser.randrange(len(request))
        end = min(len(request), start + chooser.choice((0, 0, 1, 1, 4, 20)))
        put = chooser.choice((b"", chooser.choice(WORDS), chooser.randbytes(chooser.randint(1, 4))))
        request = request[:start] + put + request[end:]
    head, blank, body = request.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    if chooser.random() < 0.8:
        lines = [
            b"Content-Length: %d" % len(body) if b"content-length" in line.lower() else line
            for line in lines
        ]
    return b"\r\n".join(lines) + blank + body


async def answered(port, request, address=MACHINE):
    """Return the status of the answer to a request after which nothing more comes; 0 for none."""
    async with call(port, address) as caller:
        caller.writer.write(request)
        caller.writer.write_eof()  # half a request gets no more time than this
        return await in_time(caller.status())


async def test_mutated_requests_are_answered_and_none_by_a_failure(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("firmware_bridge.pages.middleware.BURST", 10.0 * REQUESTS)
    monkeypatch.setattr("firmware_bridge.pages.keys.TRIES", 10.0 * REQUESTS)
    monkeypatch.setattr("firmware_bridge.pages.connections.SILENCE", 0.2)
    monkeypatch.setattr("drivers.simulator.guard.BODY_SECONDS", 0.2)
    chooser = random.Random(5462)
    async with open_doors(tmp_path, time="5m") as hands:
        await hands.begin()
        key = {"key": hands.keys.seat(hands.controller.game_id, "white")}
        assert (await ask(hands.port, "/api/v1/seat/white", key))[0] == 202
        seat = f"seat-white={hands.keys.phone(hands.controller.game_id, 'white', 1)}"
        cookies = ("", seat, f"referee={hands.keys.referee()}")
        right = [list(seeds(cookie)) for cookie in cookies]
        found = {}
        for _ in range(REQUESTS):
            request = mutated(chooser, chooser.choice(chooser.choice(right)))
            status = await answered(hands.port, request)
            found[status] = found.get(status, 0) + 1
            assert status < 500, request
        assert caplog.text.count("Traceback") == 0
        # They came through to where they are judged, and what was left whole was done.
        assert {200, 202, 400, 403, 404, 405, 409, 415, 421} <= set(found), found
        assert (await ask(hands.port, "/api/v1/referee", {"key": PIN}))[0] == 202
        assert (await ask(hands.port, "/"))[0] == 200
