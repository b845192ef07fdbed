"""From a hand on the board to light and pixel: `pytest --benchmark-only -k display_latency -s`."""

import contextlib
import itertools
import json
import selectors
import socket
import statistics
import threading
import time

import pytest

from tests.e2e.conftest import demo, get, post, window  # noqa: F401 - fixtures

ROUNDS = 24
FILES = "abcdefgh"
"""The pawns take turns: a cell that changes all the time would be taken for a broken one."""
DISPLAYS = 50
WATCH_PIXELS = """() => {
  window.seen = [];
  const lights = document.querySelector('.board .lights');
  new MutationObserver(() => requestAnimationFrame(() => {
    if (lights.childElementCount) window.seen.push(Date.now());
  })).observe(lights, {childList: true});
}"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def hands(running, *steps):
    post(f"{running.board}hands", {"steps": steps})


def pawns(running):
    """Return names and files of White's pawns, over and over."""
    pieces = json.loads(get(f"{running.board}state"))["pieces"]
    standing = {piece["at"]: name for name, piece in pieces.items()}
    return itertools.cycle([(standing[f"{file}2"], file) for file in FILES])


def wait_for(running, phase):
    """Wait until the game stands there."""
    for _ in range(200):
        if running.phase == phase:
            return
        time.sleep(0.05)
    raise AssertionError(phase)


def put(running, piece, cell):
    hands(running, {"piece": piece, "to": cell})


def figures(name, latencies):
    latencies = sorted(latencies)
    p95 = latencies[int(len(latencies) * 0.95) - 1]
    text = f"{name}: median {statistics.median(latencies):.0f} ms, p95 {p95:.0f} ms"
    print(text)  # noqa: T201 - what a benchmark is run for
    return text


def test_display_latency_from_event_to_pixel(benchmark, demo, window):  # noqa: F811
    latencies = []
    with demo("--game", "reversi") as running:
        page = window(running.display)
        page.wait_for_selector(".piece")
        wait_for(running, "ready")
        hands(running, {"button": "black"})
        wait_for(running, "playing")
        page.evaluate(WATCH_PIXELS)
        turn = pawns(running)

        def once():
            pawn, file = next(turn)
            page.evaluate("window.seen.length = 0")
            begun = time.time() * 1000
            put(running, pawn, f"{file}5")
            while (seen := page.evaluate("window.seen[0] ?? null")) is None:
                page.wait_for_timeout(5)
            latencies.append(seen - begun)
            put(running, pawn, f"{file}2")
            page.wait_for_selector(".board .glow", state="detached")

        benchmark.pedantic(once, rounds=ROUNDS)
    benchmark.extra_info["latency"] = figures("event to pixel", latencies)


def light_latencies(running):
    """Return milliseconds from a hand to the board's own light."""
    latencies = []
    for pawn, file in itertools.islice(pawns(running), ROUNDS):
        begun = time.monotonic()
        put(running, pawn, f"{file}5")
        wait_for_lights(running, on=True)
        latencies.append((time.monotonic() - begun) * 1000)
        put(running, pawn, f"{file}2")
        wait_for_lights(running, on=False)
    return latencies


def wait_for_lights(running, *, on):
    for _ in range(2000):
        if bool(json.loads(get(f"{running.board}state"))["lights"]) == on:
            return
        time.sleep(0.002)
    raise AssertionError("the lights do not change")


@contextlib.contextmanager
def displays(running, count):
    """Keep so many displays connected, and take in what they are sent."""
    host, port = running.display.removeprefix("http://").rstrip("/").split(":")
    ask = f"GET /api/v1/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        for _ in range(count):
            link = stack.enter_context(socket.create_connection((host, int(port))))
            link.sendall(ask)
            selector.register(link, selectors.EVENT_READ)
        over = threading.Event()

        def drain():
            while not over.is_set():
                for key, _ in selector.select(0.1):
                    key.fileobj.recv(65536)

        draining = threading.Thread(target=drain)
        draining.start()
        yield
        over.set()
        draining.join()


def test_display_latency_of_lights_with_fifty_displays(benchmark, demo):  # noqa: F811
    with demo("--game", "reversi") as running:
        wait_for(running, "ready")
        hands(running, {"button": "black"})
        wait_for(running, "playing")
        alone = light_latencies(running)
        with displays(running, DISPLAYS):
            crowd = benchmark.pedantic(light_latencies, args=(running,), rounds=1)
    benchmark.extra_info["alone"] = figures("light, no display", alone)
    benchmark.extra_info["crowd"] = figures(f"light, {DISPLAYS} displays", crowd)
