"""A table that is fed by a driver, and hands that play at the device behind it."""

import asyncio
import dataclasses
import math

from drivers.commercial.certabo import certabo_board, sentio_board
from drivers.commercial.chesslink import chesslink_board
from drivers.commercial.chessnut import chessnut_board
from drivers.commercial.commercial_session import START
from drivers.commercial.cpp import cpp_board
from drivers.commercial.dgt import dgt_board
from drivers.port import CellEvent, LinkChanged, Snapshot
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Chosen, Ruled, Tick
from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Agreement, Table
from tests.drivers.emulators.certabo import NoisyCertaboBoard, SentioBoard
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.chessnut import ChessnutBoard
from tests.drivers.emulators.cpp import CppBoard
from tests.drivers.emulators.dgt import DgtBoard
from tests.patience import in_time, soon
from tests.running import running

STARTING = {cell: reading.removeprefix("piece:") for cell, reading in START.items()}
LOOK = 0.05
"""Seconds."""
TAG_AT = {cell: f"0300{number:02X}5407" for number, cell in enumerate(sorted(STARTING), 1)}
TAGS = {tag: STARTING[cell] for cell, tag in TAG_AT.items()}


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


BOARDS = [
    ("dgt", DgtBoard, dgt_board),
    ("sentio", SentioBoard, sentio_board),
    ("certabo", TaggedBoard, certabo_board),
    ("chesslink", ChessLinkBoard, chesslink_board),
    ("chessnut", ChessnutBoard, chessnut_board),  # USB checks its own messages
    ("cpp", CppBoard, cpp_board),
]
"""Boards on a cable: first one that knows kinds, one that feels pieces, and one with tags."""
HANDS = [
    [("e2", None), ("e4", "wP")],
    [("d7", None), ("d6", "bP"), ("d6", None), ("d5", "bP")],  # slid over d6
    [("d5", None), ("e4", None), ("d5", "wP")],
    [("d8", None), ("d5", "bQ")],  # the victim's square never reads empty
    [("b1", None), ("b1", "wN"), ("b1", None), ("c3", "wN")],  # adjusted first
]
TURNS = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"]
FELT = [*HANDS[:3], [("d5", None), ("d8", None), ("d5", "bQ")], HANDS[4]]
"""The same where pieces are only felt."""
AGAINST_IT = [
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
    """A table that is fed by a driver, where a turn that stands is taken.

    Its time is what was waited for here: while the machine stands still, no hand holds its piece,
    and no piece rests on its way for longer than the hand lets it.
    """

    def __init__(self, driver, **players):
        self.driver, self.players = driver, players
        self.t, self.may_pass = 0.0, math.inf
        self.table = None
        self.outputs = []
        self.up = False

    async def follow(self):
        events = self.driver.events()
        coming = asyncio.ensure_future(anext(events))
        while True:
            await asyncio.wait({coming}, timeout=LOOK)
            passed = min(LOOK, self.may_pass)
            self.t, self.may_pass = self.t + passed, self.may_pass - passed
            if self.table is not None:
                self.feed(Tick(self.t))
            if not coming.done():
                continue
            event = dataclasses.replace(coming.result(), t=self.t)
            coming = asyncio.ensure_future(anext(events))
            if isinstance(event, LinkChanged | Snapshot):
                self.up = isinstance(event, Snapshot)
            if isinstance(event, Snapshot) and self.table is None:
                self.open(event.readings)
            elif isinstance(event, CellEvent | Snapshot):
                self.feed(event)

    def open(self, standing):
        description = self.driver.description
        sensing = Sensing(description.tier, TAGS, frozenset(description.cells))
        # It reads a cell three times before it believes it: a piece seems to rest on its way.
        settle = 1.5 if description.name == "certabo" else 0.3
        agreement = Agreement(
            "indistinguishable",
            settings=GameSettings.of({"sealed": False, "time": "untimed", "settle": settle}),
            buttons=False,
            players=self.players,
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

    def see_that(self, turns):
        """See that these turns stand, at nobody's cost."""
        assert self.made == turns
        assert not any(isinstance(output, Ruled) for output in self.outputs)
        assert self.table.state.offences == {"white": 0, "black": 0}

    @property
    def alarms(self):
        """What was shown as wrong; while a computer's turn is carried out, that is a step of it."""
        verdicts = [out.verdict for out in self.outputs if isinstance(out, VerdictChanged)]
        return [found for found in verdicts if found.kind in {"illegal", "disturbed"}]


async def hand(game, board, *changes):
    """Have a hand make these changes without a rest; what comes of them takes its time."""
    for cell, label in changes:
        game.may_pass = 2 * LOOK
        board.put(cell, label)
        await board.noticed()
        await asyncio.sleep(2 * LOOK)
    game.may_pass = math.inf


async def play(driver, board, hands=HANDS, replugs=()):
    """Make each deed and wait until it is taken; take the board away before some of them."""
    game = TableOn(driver)
    async with running(game.follow()):
        await soon(lambda: game.table)
        for number, deed in enumerate(hands):
            if number in replugs:
                board.unplug()
                await soon(lambda: not game.up)
                board.plug()
                await soon(lambda: game.up)
            await hand(game, board, *deed)
            await soon(lambda number=number: len(game.made) > number)
    game.see_that(TURNS)
    assert game.alarms == []


async def make(game, board, turn):
    """Make a turn as a person does, victims first."""
    position = game.table.state.position
    deed, placed = position.deed(position.parse_turn(turn)), position.placement
    for square in deed.taken:
        await hand(game, board, (square, None))
    for source, target in deed.moves:
        await hand(game, board, (source, None), (target, placed[source]))


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
            await hand(game, board, (step.source, None))
        if step.target:
            await hand(game, board, (step.target, held or step.label))
        # A busy machine may hear of it later than hands would do the same again.
        await soon(lambda was=left: game.table.summary().facts.verdict.restore != was)


async def play_the_computer(driver, board):
    """Make a person's turns, and carry out what a computer answers with Black."""
    game = TableOn(driver, black="computer 1")
    async with running(game.follow()):
        await soon(lambda: game.table)
        for number, (own, answer) in enumerate(AGAINST_IT, 1):
            await make(game, board, own)
            await soon(lambda made=2 * number - 1: len(game.made) == made)
            await soon(lambda: game.table.awaits_computer)
            game.feed(Chosen(game.t, answer, game.table.state.number))
            await in_time(carry_out(game, board))
    game.see_that([turn for both in AGAINST_IT for turn in both])
