"""When a display hears of a hand while strangers attack: `pytest --benchmark-only -k hostile -s`.

Attackers, service and measurement are processes of their own.
"""

import contextlib
import itertools
import json
import socket
import statistics
import time

import pytest

from tests.benchmarks.test_display_latency import hands, pawns, put, wait_for
from tests.e2e.conftest import demo  # noqa: F401 - fixture
from tests.security.attackers import attack

ATTACKERS = 1000
ROUNDS = 40

pytestmark = pytest.mark.timeout(240)


class Display:
    """The event stream that a display listens to."""

    def __init__(self, host, port):
        self.link = socket.create_connection((host, port), timeout=60)
        self.link.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        self.lines = self.link.makefile("r")

    def lights(self, *, on):
        """Wait for a scene with lights, or without."""
        for line in self.lines:
            told = json.loads(line.removeprefix("data: ")) if line.startswith("data: {") else {}
            if "lights" in told and bool(told["lights"]) == on:
                return
        raise AssertionError("the stream has ended")

    def close(self):
        self.lines.close()
        self.link.close()


def latencies(running, display):
    """Return milliseconds from a hand to the display's event."""
    found = []
    for pawn, file in itertools.islice(pawns(running), ROUNDS):
        begun = time.monotonic()
        put(running, pawn, f"{file}5")
        display.lights(on=True)
        found.append((time.monotonic() - begun) * 1000)
        put(running, pawn, f"{file}2")
        display.lights(on=False)
    return sorted(found)


def figures(name, found):
    half, most = statistics.median(found), found[int(len(found) * 0.95) - 1]
    text = f"{name}: median {half:.0f}, p95 {most:.0f}, worst {found[-1]:.0f} ms"
    print(text)  # noqa: T201 - what a benchmark is run for
    return text


def test_hostile_connections_and_the_display(benchmark, demo):  # noqa: F811
    with contextlib.ExitStack() as stack:
        running = stack.enter_context(demo("--game", "reversi", "--set", "pages.host=0.0.0.0"))
        wait_for(running, "ready")
        hands(running, {"button": "black"})
        wait_for(running, "playing")
        port = int(running.display.rstrip("/").rpartition(":")[2])
        display = stack.enter_context(contextlib.closing(Display("127.0.0.1", port)))
        benchmark.extra_info["alone"] = figures("no attackers", latencies(running, display))
        with attack(port, ATTACKERS) as times:
            before, begun = times.value, time.monotonic()
            found = benchmark.pedantic(latencies, args=(running, display), rounds=1)
            rate = (times.value - before) / (time.monotonic() - begun)
        name = f"{ATTACKERS} attackers, {rate:.0f} new connections a second"
        benchmark.extra_info["attacked"] = figures(name, found)
