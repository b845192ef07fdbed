"""Hands carry out what a computer plays on boards that people own: bytes at a pty, no light."""

import asyncio
import dataclasses

import pytest

from drivers.commercial.certabo import certabo_board, sentio_board
from drivers.commercial.chesslink import chesslink_board
from drivers.commercial.chessnut import chessnut_board
from drivers.commercial.cpp import cpp_board
from drivers.commercial.dgt import dgt_board
from drivers.description import load_description
from drivers.port import CellEvent, Snapshot
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Chosen, Ruled, Tick
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Agreement, Table
from tests.drivers.commercial.test_commercial_games import (
    LOOK,
    NIGHTLY,
    STARTING,
    TAGS,
    TaggedBoard,
)
from tests.drivers.emulators.certabo import SentioBoard
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.chessnut import ChessnutBoard
from tests.drivers.emulators.cpp import CppBoard
from tests.drivers.emulators.dgt import DgtBoard
from tests.patience import in_time, soon
from tests.running import running

PLAYED = [
    ("e2e4", "d7d5"),
    ("e4d5", "d8d5"),
    ("b1c3", "d5a5"),
    ("g1f3", "c8g4"),
    ("f1e2", "g4f3"),
    ("e2f3", "b8c6"),
    ("e1g1", "e8c8"),
]
"""Quiet turns, captures and castling of either side."""


class TableOn:
    """A table at which a computer has Black, fed by a driver; time is what was waited for."""

    def __init__(self, driver):
        self.driver = driver
        self.t = 0.0
        self.table = None
        self.outputs = []

    async def follow(self):
        events = self.driver.events()
        coming = asyncio.ensure_future(anext(events))
        while True:
            await asyncio.wait({coming}, timeout=LOOK)
            self.t += LOOK
            if self.table is not None:
                self.feed(Tick(self.t))
            if not coming.done():
                continue
            event = dataclasses.replace(coming.result(), t=self.t)
            coming = asyncio.ensure_future(anext(events))
            if isinstance(event, Snapshot) and self.table is None:
                self.open(event.readings)
            elif isinstance(event, CellEvent | Snapshot):
                self.feed(event)

    def open(self, standing):
        description = self.driver.description
        sensing = Sensing(description.tier, TAGS, frozenset(description.cells))
        agreement = Agreement(
            "indistinguishable",
            settings=GameSettings.of({"sealed": False, "time": "untimed"}),
            buttons=False,
            players={"black": "computer 1"},
        )
        self.table = Table(agreement, sensing, now=self.t, standing=standing, begin=True)
        self.table.take_up()

    def feed(self, item):
        self.outputs += self.table.feed(item).outputs

    @property
    def executing(self):
        return self.table.view(self.t).phase == "executing"

    @property
    def made(self):
        return [str(played.turn) for played in self.table.state.played]


async def hands(board, *changes):
    for cell, label in changes:
        board.put(cell, label)
        await board.noticed()
        await asyncio.sleep(2 * LOOK)


async def make(board, position, turn):
    """Make a turn as a person does, victims first."""
    deed, placed = position.deed(turn), position.placement
    for square in deed.taken:
        await hands(board, (square, None))
    for source, target in deed.moves:
        await hands(board, (source, None), (target, placed[source]))


async def carry_out(game, board):
    """Make what is shown, step by step: whose the piece in the hand is, its step does not say."""
    held = None
    while game.executing:
        left = game.table.summary().facts.verdict.restore
        if not left:
            await asyncio.sleep(LOOK)
            continue
        step = left[0]
        if step.source:
            held = game.table.state.played[-1].before.placement.get(step.source)
            await hands(board, (step.source, None))
        if step.target:
            await hands(board, (step.target, held or step.label))
        # A busy machine may hear of it later than hands would do the same again.
        await soon(lambda was=left: game.table.summary().facts.verdict.restore != was)


async def play_the_computer(driver, board):
    """Make the turns that are to be played; see that they stand at nobody's cost."""
    game = TableOn(driver)
    async with running(game.follow()):
        await soon(lambda: game.table)
        for number, (own, answer) in enumerate(PLAYED, 1):
            position = game.table.state.position
            await make(board, position, position.parse_turn(own))
            await soon(lambda made=2 * number - 1: len(game.made) == made)
            await soon(lambda: game.table.awaits_computer)
            game.feed(Chosen(game.t, answer, game.table.state.number))
            await in_time(carry_out(game, board))
    assert game.made == [turn for both in PLAYED for turn in both]
    assert not any(isinstance(output, Ruled) for output in game.outputs)
    assert game.table.state.offences == {"white": 0, "black": 0}


BOARDS = [
    ("dgt", DgtBoard, dgt_board),
    ("sentio", SentioBoard, sentio_board),
    ("certabo", TaggedBoard, certabo_board),
    ("chesslink", ChessLinkBoard, chesslink_board),
    ("chessnut", ChessnutBoard, chessnut_board),
    ("cpp", CppBoard, cpp_board),
]
"""By day one that knows kinds, one that feels pieces, and one with tags."""


@pytest.mark.parametrize(("name", "device", "driver"), BOARDS if NIGHTLY else BOARDS[:3])
async def test_a_computer_is_played_on_every_board(name, device, driver, tmp_path):
    async with (
        device(tmp_path / "port", STARTING) as board,
        driver(load_description(name), port=str(tmp_path / "port")) as opened,
    ):
        await play_the_computer(opened, board)
