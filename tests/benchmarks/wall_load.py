"""A hall of simulated boards on one broker, and what the wall makes of it. Loopback only.

The boards publish what real ones do, through connections of their own; the wall is the real
command in a process of its own; what arrives is read from its event stream, as a page reads it.

    python -m tests.benchmarks.wall_load --boards 500 --seconds 20 --every 10
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import aiomqtt
import click

import rules
from firmware_bridge.bench.games import choose
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.diagnostics.stopwatch import quantile
from firmware_bridge.mqtt.client import PATIENCE, answered
from firmware_bridge.mqtt.connection import connected
from firmware_bridge.mqtt.published_state import State, state
from firmware_bridge.mqtt.topics import OFFLINE, ONLINE, Topics
from firmware_bridge.pages.texts import texts
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Table

BASE = "load"
PLIES = 12
"""Turns made before all is published: a course as long as an opening's."""
SETTLING = 3.0
"""Seconds after the last board has come before anything is measured."""
AT_ONCE = 20
"""Boards that connect at the same time."""
_PATIENCE = 3 * PATIENCE
"""Seconds that the broker may take to answer one of so many."""
MOSQUITTO = """\
listener {port} 127.0.0.1
allow_anonymous true
max_queued_messages 100000
max_inflight_messages 0
"""


class LoadFailed(RuntimeError):  # noqa: N818 - says what happened
    """The measurement could not be made; the message says why."""


@dataclass(slots=True)
class Tally:
    """What has been seen while measuring.

    Attributes:
        published: states and availabilities sent.
        size: bytes of the states.
        delays: seconds from a board's state to the wall's stream.
        messages: events read from the stream.
        known: boards seen on the stream.
    """

    measuring: bool = False
    published: int = 0
    size: int = 0
    delays: list[float] = field(default_factory=list)
    messages: int = 0
    known: set[str] = field(default_factory=set)


async def measure(boards: int, seconds: float, every: float) -> dict[str, Any]:
    """Return the figures.

    Args:
        boards: how many.
        seconds: how long to measure.
        every: seconds between two turns of one board.

    Raises:
        LoadFailed: a part did not start, or not all boards arrived.
    """
    tally = Tally()
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="firmware-bridge-load-"))
        broker, port = await stack.enter_async_context(_broker(Path(folder)))
        wall, address = await stack.enter_async_context(_wall(port))
        async with asyncio.TaskGroup() as group:
            gate, plays = asyncio.Semaphore(AT_ONCE), _plays()
            tasks = [group.create_task(_read(address, tally))]
            for number in range(boards):
                play = plays[number % len(plays)]
                board = _board(number, port, every, play, gate, tally)
                tasks.append(group.create_task(board))
            await _all_known(boards, tally)
            await asyncio.sleep(SETTLING)
            before = _cpu(wall), _cpu(broker)
            tally.measuring = True
            await asyncio.sleep(seconds)
            tally.measuring = False
            after = _cpu(wall), _cpu(broker)
            memory = _memory(wall), _memory(broker)
            for task in tasks:
                task.cancel()
    used = {
        name: {"cpu_percent": round(100 * (now - was) / seconds, 1), "memory_mb": held}
        for name, was, now, held in zip(("wall", "broker"), before, after, memory, strict=True)
    }
    return {**_figures(boards, seconds, tally), **used}


def _figures(boards: int, seconds: float, tally: Tally) -> dict[str, Any]:
    if not tally.delays:
        raise LoadFailed("Nothing arrived while measuring: choose a longer time.")
    delays = sorted(tally.delays)
    return {
        "boards": boards,
        "boards_on_the_wall": len(tally.known),
        "seconds": seconds,
        "published_per_second": round(tally.published / seconds, 1),
        "bytes_a_state": round(tally.size / max(1, tally.published)),
        "states_on_the_wall_per_second": round(len(delays) / seconds, 1),
        "stream_messages_per_second": round(tally.messages / seconds, 1),
        "delay_ms": {
            "median": round(1000 * quantile(delays, 0.5), 1),
            "p99": round(1000 * quantile(delays, 0.99), 1),
            "max": round(1000 * delays[-1], 1),
        },
    }


def _plays() -> list[list[State]]:
    """Return the states of a few games, as the real board would publish them."""
    return [_play(game) for game in rules.games()]


def _play(game: str) -> list[State]:
    dice, position, states = Random(1), rules.load(game).start(), []
    words = texts("en", game)
    for _ in range(PLIES):
        if position.outcome is not None:
            break
        agreement = Agreement(
            game,
            settings=GameSettings.of({"time": "45m"}),
            players={"white": "White player", "black": "Black player"},
            position=str(position),
        )
        view = Table(agreement, Sensing(), now=0.0, begin=True).view(0.0)
        say = lambda key, **gaps: words.text(key, gaps)  # noqa: E731
        states.append(state(view, say, "", {"board": "", "boot": "load", "as_of": ""}))
        position = position.play(choose(position, dice))
    return states


async def _board(
    number: int,
    port: int,
    every: float,
    states: list[State],
    gate: asyncio.Semaphore,
    tally: Tally,
) -> None:
    """Be one board until cancelled: come, then play a turn every so often."""
    dice = Random(number)
    topics, name = Topics(BASE, f"board-{number}"), f"Board {number}"
    will = aiomqtt.Will(topics.availability, OFFLINE, qos=1, retain=True)
    client = aiomqtt.Client("127.0.0.1", port, identifier=topics.board, will=will, timeout=math.inf)
    async with contextlib.AsyncExitStack() as stack:
        async with gate:
            await stack.enter_async_context(connected(client, _PATIENCE))
            online = client.publish(topics.availability, ONLINE, qos=1, retain=True)
            await answered(online, _PATIENCE)
        turn = 0
        while True:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            told = {**states[turn % len(states)], "board": name, "as_of": now, "turns": turn}
            text = json.dumps(told, separators=(",", ":"))
            tally.published += tally.measuring
            tally.size += len(text) * tally.measuring
            await answered(client.publish(topics.state, text, qos=1, retain=True), _PATIENCE)
            await asyncio.sleep(every * dice.uniform(0.5, 1.5))
            turn += 1


async def _read(address: str, tally: Tally) -> None:
    """Read the wall's event stream until cancelled."""
    reader, writer = await asyncio.open_connection(
        urlsplit(address).hostname, urlsplit(address).port, limit=2**24
    )
    host = urlsplit(address).netloc
    writer.write(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    while line := await reader.readline():
        # Each event is one chunk of the transfer, so no line is ever cut; sizes are other lines.
        if line.startswith(b'data: {"cards"'):
            _seen(json.loads(line[6:]), tally)
    raise LoadFailed("The wall has closed its event stream.")


def _seen(scene: dict[str, Any], tally: Tally) -> None:
    now = time.time()
    tally.messages += tally.measuring
    for card in scene["cards"]:
        if not card["state"]:
            continue
        tally.known.add(card["id"])
        if tally.measuring:
            as_of = datetime.fromisoformat(card["state"]["as_of"]).timestamp()
            tally.delays.append(now - as_of)


async def _all_known(boards: int, tally: Tally) -> None:
    try:
        async with asyncio.timeout(PATIENCE + boards / 10):
            while len(tally.known) < boards:  # noqa: ASYNC110 - a look now and then is enough
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise LoadFailed(f"Only {len(tally.known)} of {boards} boards have arrived.") from None


@contextlib.asynccontextmanager
async def _broker(folder: Path) -> AsyncIterator[tuple[int, int]]:
    program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise LoadFailed("mosquitto is not installed (sudo apt install mosquitto).")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    config = folder / "mosquitto.conf"
    config.write_text(MOSQUITTO.format(port=port), encoding="utf-8")
    async with _process(program, "-c", str(config)) as process:
        for _ in range(100):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            await asyncio.sleep(0.1)
        else:
            raise LoadFailed("mosquitto did not start.")
        yield process.pid, port


@contextlib.asynccontextmanager
async def _wall(port: int) -> AsyncIterator[tuple[int, str]]:
    settings = {"mqtt.host": "127.0.0.1", "mqtt.port": port, "mqtt.base": BASE, "pages.port": 0}
    changes = [f"--set={key}={value}" for key, value in settings.items()]
    async with _process(sys.executable, "-u", "-m", "firmware_bridge", "wall", *changes) as wall:
        if wall.stdout is None:
            raise LoadFailed("The wall has no output.")
        line = (await wall.stdout.readline()).decode()
        if "http" not in line:
            raise LoadFailed("The wall did not start.")
        yield wall.pid, line.split()[-1]


@contextlib.asynccontextmanager
async def _process(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()


def _cpu(pid: int) -> float:
    """Return the processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """Return the most memory that a process has held, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return round(int(line.split()[1]) / 1024, 1)


@click.command
@click.option("--boards", type=click.IntRange(1, 2000), default=500, show_default=True)
@click.option("--seconds", type=click.FloatRange(5, 300), default=30.0, show_default=True)
@click.option(
    "--every",
    type=click.FloatRange(0.5, 120),
    default=10.0,
    show_default=True,
    help="Seconds between two turns of one board.",
)
def main(boards: int, seconds: float, every: float) -> None:
    """Simulate a hall of boards and measure what comes of it.

    Starts a Mosquitto of its own and the real wall, both reachable from this machine only, lets
    every board play, and reads the wall's event stream as a page does. Needs Debian's mosquitto.
    """
    try:
        figures = asyncio.run(measure(boards, seconds, every))
    except LoadFailed as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
