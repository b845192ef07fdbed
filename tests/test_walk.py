"""The walks of docs/walk.md, followed through the running service by Python's own profiler."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import threading
from functools import cache
from pathlib import Path
from random import Random

import httpx
import pytest

import rules
from drivers.description import load_description
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.config import Config
from firmware_bridge.service.service import Service
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.patience import PATIENCE, in_time, soon
from tests.running import running

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "walk.md").read_text(encoding="utf-8")
EVENT, SECRET = PAGE.split("\n## ")[1:]
UNDERSIDE = re.compile(r"\b[wb][KQRBNP]{2}:[KQRBNP]|\w+(/\w+){5} [wb] ")
"""A disc as only those name it who know both its faces; or the text of a position."""


def steps_of(text):
    """The files and functions of a numbered list."""
    return re.findall(r"^\d+\. `([\w/]+\.py)` `(\w+)`", text, re.MULTILINE)


def files_of(text):
    return re.findall(r"^- `([\w/]+\.py)`", text, re.MULTILINE)


def place_of(frame):
    """The file of a frame, from the root of the sources; empty for what is not ours."""
    return place_in(frame.f_code.co_filename)


@cache
def place_in(path):
    inside = path.startswith(f"{ROOT}{os.sep}") and ".venv" not in path
    return path[len(str(ROOT)) + 1 :] if inside else ""


@contextlib.contextmanager
def watched(look):
    """Have every call and return in any thread that starts from now on looked at."""
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


class Playing:
    """A service, its board and one open page."""

    def __init__(self, folder, game_id, players):
        game = rules.load(game_id)
        self.position = game.start()
        simulated_pieces.cache_clear()  # a test before this one may have asked for them
        piece_set = simulated_pieces(game)
        self.pieces = Pieces(piece_set, self.position.placement, "face")
        self.station = Station(load_description("simulated"), piece_set, folder / "board")
        self.station.arrange(self.pieces.on)
        board = {"driver": "serial", "description": "simulated"}
        settings = {
            "data": str(folder / "games"),
            "board": {**board, "settings": {"port": str(folder / "board")}},
            "game": {"id": game_id, "settings": {"time": "30m"}},
            "players": players,
            "pages": {"port": 0},
            "sound": {"speech": False},
        }
        self.service = Service(Config.model_validate(settings))
        self.scenes = []

    async def listen(self):
        address = f"{self.service.address}api/v1/events"
        patient = httpx.AsyncClient(timeout=PATIENCE)
        async with patient as client, client.stream("GET", address) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data:") and '"phase"' in line:
                    self.scenes.append(json.loads(line.removeprefix("data:")))

    async def feel(self, cell, reading):
        await self.station.play([Step(cell=cell, reading=reading)])
        standing = lambda: self.service.controller.table.reconciler.standing.get(cell)  # noqa: E731
        await soon(lambda: standing() == reading)

    async def press(self, side):
        await self.station.play([Step(button=side)])

    async def shown(self, condition):
        """Wait until the page shows this."""
        await soon(lambda: self.scenes and condition(self.scenes[-1]))


@contextlib.asynccontextmanager
async def playing(folder, game_id, **players):
    """A game that has begun: White is to move."""
    game = Playing(folder, game_id, players)
    async with game.station:
        run = asyncio.create_task(game.service.run())
        try:
            await in_time(game.station.until_online())
            async with running(game.listen()):
                # A computer with Black presses at once: a page may show what comes of it first.
                await game.shown(lambda scene: scene["phase"] in ("ready", "playing"))
                await game.press("black")
                await game.shown(lambda scene: scene["phase"] == "playing")
                yield game
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            await in_time(run)


def missed(walk, entered):
    """What of a walk was not entered, each step after the one before it."""
    trace = iter(entered)
    return [step for step in walk if step not in trace]


@pytest.mark.parametrize("text", [EVENT, SECRET], ids=["event", "secret"])
def test_a_walk_is_short(text):
    walks = re.findall(r"(?:^(?:\d+\.|-) .*\n)+", text, re.MULTILINE)
    assert walks
    assert all(walk.count("\n") <= 30 for walk in walks)


async def test_an_event_goes_as_told_from_the_cell_to_light_and_page(tmp_path, monkeypatch):
    # With a beat that comes just then a page takes the view before it is woken for it.
    monkeypatch.setattr("firmware_bridge.pages.stream.BEAT", PATIENCE)
    down, press, answer = map(steps_of, re.split("At the press|Where a computer", EVENT))
    assert len(down) > 15
    assert min(len(press), len(answer)) > 5
    entered = []

    def look(frame, event, _):
        if event == "call" and (place := place_of(frame)):
            entered.append((place, frame.f_code.co_name))

    with watched(look):
        async with playing(tmp_path, "reversi", black="computer 1") as game:
            pawn = game.pieces.on["e2"]
            before = len(game.scenes)
            await game.feel("e2", None)
            await soon(lambda: len(game.scenes) > before)  # it tells of the lift, and waits again
            entered.clear()
            await game.station.play([Step(cell="e4", reading=pawn)])
            await game.shown(lambda scene: scene["lights"].get("e4") == "press-clock")
            set_down = entered.copy()
            entered.clear()
            await game.press("white")
            await game.shown(lambda scene: scene["turns"])
            pressed = entered.copy()
            await game.shown(lambda scene: len(scene["turns"]) == 2)
    assert missed(down, set_down) == []
    assert missed(press, pressed) == []
    assert missed(answer, entered) == []


async def test_a_secret_stops_where_it_is_told(tmp_path):
    known, beyond = map(files_of, SECRET.split("never see it"))
    assert min(len(known), len(beyond)) > 5
    visited, seen = set(), {}

    def look(frame, event, answer):
        """Look for undersides in what a function was given, found and answered."""
        place = place_of(frame) if event == "return" else ""
        if place not in {*known, *beyond}:
            return
        visited.add(place)
        if place not in seen:
            values = {name: value for name, value in frame.f_locals.items() if name != "self"}
            if found := UNDERSIDE.search(repr((answer, values))):
                seen[place] = f"{frame.f_code.co_name}: {found.group()}"

    with watched(look):
        async with playing(tmp_path, "reality-check") as game:
            turn = next(
                turn
                for turn in game.position.turns()
                if turn.plain and game.position.deed(turn).physical
            )
            for change in play(game.position, turn, game.pieces, Random(1)):
                await game.feel(change.cell, change.reading)
            await game.press("white")
            await soon(lambda: game.service.controller.table.state.played)
            await game.shown(lambda scene: scene["sides"]["black"]["to_act"])
    assert visited == {*known, *beyond}
    assert {place: told for place, told in seen.items() if place not in known} == {}
    assert set(known) == seen.keys()
