"""A few turns played on boards that people own: bytes at a pty in, turns out."""

import asyncio
import dataclasses
import math
from random import Random

import pytest

import rules
from drivers.commercial import ble
from drivers.commercial.bluetooth import (
    chesslink_over_bluetooth,
    chessnut_over_bluetooth,
    cpp_over_bluetooth,
)
from drivers.commercial.certabo import certabo_board, sentio_board
from drivers.commercial.chesslink import chesslink_board
from drivers.commercial.chessnut import chessnut_board
from drivers.commercial.chessnut_move import chessnut_move_board
from drivers.commercial.commercial_session import START
from drivers.commercial.cpp import cpp_board
from drivers.commercial.dgt import dgt_board
from drivers.commercial.ichessone import ichessone_board
from drivers.commercial.pegasus import pegasus_board
from drivers.commercial.square_off import square_off_board
from drivers.description import load_description
from drivers.port import CellEvent, LinkChanged, Snapshot
from firmware_bridge.reconciler import (
    Judged,
    Reconciler,
    Sensing,
    Settings,
    TurnAmended,
    TurnTaken,
)
from tests.drivers.emulators import radio
from tests.drivers.emulators.certabo import NoisyCertaboBoard, SentioBoard
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.chessnut import ChessnutBoard
from tests.drivers.emulators.cpp import CppBoard
from tests.drivers.emulators.dgt import DgtBoard, HastyDgtBoard
from tests.nightly import NIGHTLY
from tests.patience import in_time, soon
from tests.running import running

STARTING = {cell: reading.removeprefix("piece:") for cell, reading in START.items()}
LOOK = 0.05
"""Seconds."""
HANDS = [
    [("e2", None), ("e4", "wP")],
    [("d7", None), ("d6", "bP"), ("d6", None), ("d5", "bP")],  # slid over d6
    [("d5", None), ("e4", None), ("d5", "wP")],
    [("d8", None), ("d5", "bQ")],  # the victim's square never reads empty
    [("b1", None), ("b1", "wN"), ("b1", None), ("c3", "wN")],  # adjusted first
]
TURNS = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"]

TAG_AT = {cell: f"0300{number:02X}5407" for number, cell in enumerate(sorted(STARTING), 1)}
TAGS = {tag: STARTING[cell] for cell, tag in TAG_AT.items()}


class DamagedChessLinkBoard(ChessLinkBoard):
    damaged = 0.3


class TaggedBoard(NoisyCertaboBoard):
    """A noisy board with tags; what is put down is what was lifted last of its kind."""

    def __init__(self, path, start):
        super().__init__(path, {cell: TAG_AT[cell] for cell in start})
        self._lifted = {}

    def put(self, cell, label):
        if label is None:
            tag = self.stands[cell]
            self._lifted[TAGS[tag]] = tag
        super().put(cell, label and self._lifted[label])


class Game:
    """What the reconciler makes of a driver's events.

    Its time is what was waited for here: while the machine stands still, no hand holds its piece,
    and no piece rests on its way for longer than the hand lets it.
    """

    def __init__(self, driver):
        self.driver = driver
        # It reads a cell three times before it believes it: a piece seems to rest on its way.
        slow = driver.description.name == "certabo"
        self.settings = Settings(clock=False, settle=1.5 if slow else 0.3)
        self.t, self.may_pass = 0.0, math.inf
        self.ready = asyncio.Event()
        self.taken = []
        self.alarms = []
        self.up = False

    async def follow(self):
        reconciler = None
        events = self.driver.events()
        coming = asyncio.ensure_future(anext(events))
        while True:
            await asyncio.wait({coming}, timeout=LOOK)
            passed = min(LOOK, self.may_pass)
            self.t, self.may_pass = self.t + passed, self.may_pass - passed
            if reconciler is not None and not coming.done():
                self.note(reconciler.tick(self.t))
            if not coming.done():
                continue
            event = dataclasses.replace(coming.result(), t=self.t)
            coming = asyncio.ensure_future(anext(events))
            if isinstance(event, LinkChanged | Snapshot):
                self.up = isinstance(event, Snapshot)
            if isinstance(event, Snapshot) and reconciler is None:
                description = self.driver.description
                sensing = Sensing(description.tier, TAGS, frozenset(description.cells))
                reconciler = Reconciler(
                    rules.load("indistinguishable").start(),
                    sensing,
                    self.settings,
                    event.readings,
                    self.t,
                )
                self.ready.set()
            elif isinstance(event, CellEvent | Snapshot):
                self.note(reconciler.feel(event))

    def note(self, findings):
        for found in findings:
            if isinstance(found, TurnAmended):  # where a message was lost, a piece seemed to rest
                self.taken.pop()
            if isinstance(found, TurnTaken | TurnAmended):
                self.taken.append(str(found.turn))
        self.alarms += [
            found.verdict
            for found in findings
            if isinstance(found, Judged) and found.verdict.kind in {"illegal", "disturbed"}
        ]


async def play(game, board, hands, replugs=()):
    """Make each deed and wait until it is taken; take the board away before some of them."""
    async with running(game.follow()):
        await in_time(game.ready.wait())
        for number, deed in enumerate(hands):
            if number in replugs:
                board.unplug()
                await soon(lambda: not game.up)
                board.plug()
                await soon(lambda: game.up)
            for cell, label in deed:
                game.may_pass = 2 * LOOK
                board.put(cell, label)
                await board.noticed()
                await asyncio.sleep(2 * LOOK)
            game.may_pass = math.inf
            await soon(lambda number=number: len(game.taken) > number)


@pytest.mark.parametrize(
    ("name", "device", "driver"),
    [
        ("dgt", HastyDgtBoard, dgt_board),
        ("chesslink", DamagedChessLinkBoard, chesslink_board),
    ],
)
async def test_turns_are_understood_however_a_board_tells_them(name, device, driver, tmp_path):
    async with (
        device(tmp_path / "port", STARTING) as board,
        driver(load_description(name), port=str(tmp_path / "port")) as opened,
    ):
        game = Game(opened)
        await play(game, board, HANDS)
    assert game.taken == TURNS
    assert game.alarms == []


def noisy(device, seed):
    """The board on a bad cable: one message of twenty arrives with another byte in it."""

    class Noisy(device):
        dice = Random(seed)

        def send(self, data):
            data = bytearray(data)
            if self.dice.random() < 0.05:
                data[self.dice.randrange(len(data))] = self.dice.randrange(256)
            super().send(bytes(data))

    return Noisy


@pytest.mark.parametrize(
    ("name", "device", "driver"),
    [
        ("dgt", DgtBoard, dgt_board),
        ("chesslink", ChessLinkBoard, chesslink_board),
        ("chessnut", ChessnutBoard, chessnut_board),  # USB checks its own messages
        ("cpp", CppBoard, cpp_board),
        ("sentio", SentioBoard, sentio_board),
        ("certabo", TaggedBoard, certabo_board),
    ],
)
@pytest.mark.parametrize("seed", range(5 if NIGHTLY else 1))
async def test_a_game_on_a_bad_cable_that_comes_out_twice(name, device, driver, seed, tmp_path):
    hands = list(HANDS)
    if name == "sentio":
        hands[3] = [("d5", None), ("d8", None), ("d5", "bQ")]
    async with (
        noisy(device, seed)(tmp_path / "port", STARTING) as board,
        driver(load_description(name), port=str(tmp_path / "port")) as opened,
    ):
        game = Game(opened)
        await play(game, board, hands, replugs=(1, 3))
    assert game.taken == TURNS
    assert game.alarms == []


AIR = [
    ("cpp", radio.RadioCpp, cpp_over_bluetooth),
    ("pegasus", radio.Pegasus, pegasus_board),
    ("chessnut", radio.RadioChessnut, chessnut_over_bluetooth),
    ("chessnut-move", radio.RadioChessnutMove, chessnut_move_board),
    ("chesslink", radio.RadioChessLink, chesslink_over_bluetooth),
    ("ichessone", radio.IChessOne, ichessone_board),
    ("square-off", radio.SquareOff, square_off_board),
]


@pytest.mark.parametrize(("name", "device", "driver"), AIR if NIGHTLY else AIR[:2])
async def test_a_game_in_the_air_that_is_lost_twice(name, device, driver, monkeypatch):
    air = radio.Radio()
    monkeypatch.setattr(ble, "BleakScanner", air)
    monkeypatch.setattr(ble, "BleakClient", air.client)
    hands = list(HANDS)
    if load_description(name).tier == "occupancy":
        hands[3] = [("d5", None), ("d8", None), ("d5", "bQ")]
    async with device(air, STARTING) as board, driver(load_description(name)) as opened:
        game = Game(opened)
        await play(game, board, hands, replugs=(1, 3))
    assert game.taken == TURNS
    assert game.alarms == []
