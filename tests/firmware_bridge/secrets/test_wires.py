"""The real service on its real wires: lights and tones to the board, streams, broker and speech.

Two games of Reality Check that differ only in undersides and hands, the same hands at the board,
and everything that leaves the service is heard: the frames over the cable, the display's event
stream over HTTP, the messages through Mosquitto, the sentences given to the voice, the log.
"""

import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
from unittest.mock import patch

import httpx
import pytest

from drivers.description import load_description
from drivers.link import codec
from drivers.port import ButtonEvent, CellEvent
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.config import Config
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Answer, Call, Declare
from firmware_bridge.reconciler.settings import SHIPPED
from firmware_bridge.service.service import Service
from firmware_bridge.service.speaker import Speaker
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.firmware_bridge.mqtt.broker import Ear, Mosquitto
from tests.firmware_bridge.secrets.test_any_hands import public_fact
from tests.firmware_bridge.secrets.test_whole_service_pairs import any_game, one_after_another
from tests.firmware_bridge.secrets.worlds import chooser
from tests.nightly import NIGHTLY
from tests.patience import PATIENCE, in_time, soon
from tests.running import running

pytestmark = pytest.mark.broker

BOARD = load_description("simulated")
PIECES = simulated_pieces()
TAGS = {}
for piece in PIECES.pieces:
    if piece.name.endswith("-1"):
        for face in piece.faces:
            TAGS[face.label if face.label not in TAGS else f"{face.label}/2"] = face.tag
STRANGER = TAGS["wQ"]
OPTIONS = [
    {"memory": True, "retreat": True},
    {"dice": 1, "board": "advanced"},
    {"flexible": True, "retreat": True},
    {"dice": 2, "memory": True},
]
QUIET = 0.12 + SHIPPED.knock
"""Seconds after which nothing more comes of what was felt."""
ATTEMPTS = 3
"""A machine that stands still tells at once what it would have told in two messages. What tells a
secret does so every time."""
STILL = ("as_of", "at", "boot")
"""What tells a broker's messages apart by time alone."""


class Wires:
    """One service, and all that was heard of it."""

    def __init__(self, folder, port):
        self.folder = folder
        self.spoken = folder / "spoken"
        self.frames, self.stream, self.said = [], [], 0
        self.config = {
            "data": str(folder / "games"),
            "board": {
                "driver": "serial",
                "description": "simulated",
                "settings": {"port": str(folder / "board")},
            },
            "pages": {"port": 0, "referee_pin": "471147"},
            "mqtt": {"host": "127.0.0.1", "port": port, "id": "attic", "name": "The attic"},
        }

    async def listen(self):
        address = f"{self.service.address}api/v1/events"
        client = httpx.AsyncClient(timeout=PATIENCE)  # else it goes where nothing comes for 5 s
        async with client, client.stream("GET", address) as answer:
            event = ""
            async for line in answer.aiter_lines():
                event = line if line.startswith("event:") or not line else event
                if event != "event: beat" and line:
                    self.stream.append(line)

    def speaking(self, speak):
        """Return what counts the sentences that are given to the voice, and gives them on."""

        async def counting(speaker, sentence, language):
            self.said += 1
            await speak(speaker, sentence, language)

        return counting

    def overhear(self, _t, way, data):
        """Keep what is told to the board: lights and sounds, each once however often it is sent."""
        if way != "out":
            return
        for coded in data.split(b"\0"):
            body = codec.unframe(coded) if coded else None
            message = codec.decode(body) if body else None
            told = isinstance(message, codec.SetLights | codec.Command)
            if told and message not in self.frames[-8:]:
                self.frames.append(message)

    async def do(self, item):
        """Let hands or phones do one thing; wait until nothing more comes of it."""
        if isinstance(item, CellEvent):
            reading = item.reading and TAGS.get(item.reading, STRANGER)
            step = Step(cell=item.cell, reading=reading)
            await self.station.play([step])
            await self._felt(item.cell, step.reading)
        elif isinstance(item, ButtonEvent):
            await self.station.play([Step(button=item.button)])
            await asyncio.sleep(0.45)  # a late contact might still complete the turn
        elif isinstance(item, Answer | Call | Declare):
            await self.service.controller.submit(type(item)(**{**fields(item), "t": self.now()}))
        await asyncio.sleep(QUIET)
        await soon(lambda: not self._untold(), lambda: f"not told: {self._untold()}")

    def _untold(self):
        """Return what stream and voice have still to tell, and would tell with what follows."""
        numbers = [line.rpartition("-")[2] for line in self.stream if line.startswith("id:")]
        number = self.service.controller.hub.latest("public").number
        spoken = self.spoken.read_text().count("\n") if self.spoken.exists() else 0
        waiting = [runner._said for runner in self.service._indicators if runner._said]
        parts = {
            "stream": numbers[-1:] != [str(number)] and (numbers[-1:], number),
            "voice": spoken != self.said and (spoken, self.said),
            "waiting": waiting,
        }
        return {part: what for part, what in parts.items() if what}

    async def _felt(self, cell, reading):
        """Wait until the table knows what the cell reads."""
        table = self.service.controller.table
        await soon(lambda: table.reconciler.standing.get(cell) == reading)

    def now(self):
        return self.service.controller.now()


def fields(item):
    return {name: getattr(item, name) for name in item.__slots__}


@contextlib.asynccontextmanager
async def serving(service):
    """Run a service, and stop it as systemd does."""
    run = asyncio.create_task(service.run())
    try:
        yield
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        await in_time(run)


async def at_rest(ear):
    """Return how much was heard when nothing more comes of it that board and broker are there.

    Who of them comes first decides how often the state is told until then.
    """
    heard = -1
    while heard < len(ear.heard):
        heard = len(ear.heard)
        await asyncio.sleep(0.5)
    return heard


async def transcript(wires, agreed, items, ear, heard):
    """Return, step by step, what the rules made public and what had been put out until then."""
    out = []
    config = Config.model_validate({**wires.config, "game": agreed})
    wires.service = Service(config)
    wires.service._driver.overhear = wires.overhear
    link = wires.folder / "board"
    async with contextlib.AsyncExitStack() as stack:
        counted = wires.speaking(Speaker._speak)
        stack.enter_context(patch.object(Speaker, "_speak", counted))
        wires.station = await stack.enter_async_context(Station(BOARD, PIECES, link))
        await stack.enter_async_context(serving(wires.service))
        await in_time(wires.station.until_online())
        await stack.enter_async_context(running(wires.listen()))
        await ear.until(lambda ear: ear.json("firmware-bridge/attic/state").get("link") == "")
        begun = await at_rest(ear)
        for item in items:
            await wires.do(item)
            told = len(wires.frames), len(ear.heard) - begun
            out.append((public_fact(wires.service.controller.table), *told))
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            metrics = (await client.get(f"{wires.service.address}metrics")).text
    counts = re.findall(r"^bridge_(?:turns|illegal|help|sensor)\w+_total.*$", metrics, re.MULTILINE)
    spoken = wires.spoken.read_text() if wires.spoken.exists() else ""
    published = [(topic, still(text), kept) for topic, text, kept in ear.heard[begun:]]
    return out, {
        "cable": wires.frames,
        "stream": wires.stream,
        "broker": published,
        "voice": spoken,
        "metrics": counts,
        # Board and broker answer in any order.
        "log": sorted(
            re.sub(r"127\.0\.0\.1:\d+|/dev/pts/\d+", "", line).replace(str(wires.folder), "")
            for line in heard(lambda record: record.name.startswith(("firmware_bridge", "drivers")))
        ),
    }


def still(text):
    """Return a message without the time of day, and one's own address."""
    with contextlib.suppress(ValueError):
        told = json.loads(text)
        if isinstance(told, dict):
            return {key: value for key, value in told.items() if key not in STILL}
    return text


def alike(random, options):
    """Return steps of which the rules make nothing public, in both worlds."""
    steps = any_game(random, options, hidden=("white", "black"), sealed=False, bursts=1)
    return list(one_after_another(*steps))[:-1]


async def both_worlds(agreed, steps, folder, heard, monkeypatch):
    """Return the transcript of each world."""
    found = []
    for world, items in enumerate(zip(*steps, strict=True)):
        place = folder / str(world)
        place.mkdir(parents=True)
        numbers = itertools.count()
        monkeypatch.setattr("secrets.token_hex", lambda _=4, n=numbers: f"{next(n):08x}")
        monkeypatch.setattr(Journal, "new_game", lambda _, n=numbers: f"20260101-{next(n)}")
        monkeypatch.setenv("SPOKEN", str(place / "spoken"))
        with Mosquitto(place) as broker:
            async with Ear(broker.port) as ear:
                wires = Wires(place, broker.port)
                found.append(await transcript(wires, agreed, items, ear, heard))
    return found


@pytest.mark.parametrize("number", range(50 if NIGHTLY else 1))
async def test_no_wire_tells_what_lies_underneath(number, tmp_path, heard, monkeypatch):
    voice = tmp_path / "espeak-ng"
    voice.write_text('#!/bin/sh\ncat >> "$SPOKEN"\necho >> "$SPOKEN"\n')
    voice.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    options = OPTIONS[number % len(OPTIONS)]
    agreed = {
        "id": "reality-check",
        "options": options,
        # No pause of the machine's counts.
        "settings": {"time": "untimed", "grace": 60.0, "press": True},
    }
    steps = alike(chooser("wires", number), options)
    for attempt in range(ATTEMPTS):
        folder = tmp_path / str(attempt)
        (facts, one), (others, two) = await both_worlds(agreed, steps, folder, heard, monkeypatch)
        if one == two:
            break
    assert [fact[0] for fact in facts] == [fact[0] for fact in others]
    for channel in one:
        assert one[channel] == two[channel], channel
    assert one["cable"]
    assert one["stream"]
    assert one["voice"]
