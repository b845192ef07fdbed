"""An evening of the whole service in virtual time, with every fault there is, from one seed."""

import asyncio
import contextlib
import gc
import logging
import shutil
import sqlite3
import traceback
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

import rules
from drivers import driver_registry
from drivers.description import load_description
from drivers.link.board_session import BoardSession
from drivers.link.host_session import HostSession
from drivers.probes import SerialProbe, found_by
from firmware_bridge.bench.step_hands import StepHands
from firmware_bridge.config import load_config
from firmware_bridge.config.players import computer
from firmware_bridge.journal import Journal, StorageFailed, journal
from firmware_bridge.mqtt.connection import Broker
from firmware_bridge.service import assembly, controller, seat_process
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.liveness import Pulse
from firmware_bridge.service.service import Service
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.values import SIDES
from tests.drivers.bad_cable import identity
from tests.evenings.disk import Files, cut_while_folding, cut_while_writing
from tests.evenings.doings import Doings, agreed_by, doings_of
from tests.evenings.far import FarBoard, FarBroker, FarMind, FarReader
from tests.evenings.faults import FAULTS, Faults, Jumping
from tests.evenings.instant import InstantLoop
from tests.evenings.people import People
from tests.firmware_bridge.journal.meddling import OVERWRITTEN

HERE = Path(__file__).parent
BOARDS = tuple(load_description(name) for name in ("starter", "full"))
GAMES = tuple(rules.games())
PARTS = {"controller", "board", "computers", "hints", "coach", "life", "metrics", "broker", "pages"}
CHARGED = {"ruled", "attempt"}
"""Kinds of records that cost somebody something."""
BOTH = 0.2
"""How often two computers play instead of one, and hands carry all of it out."""
NUMBERED = {"accept-take-back": 1, "take-back": 2, "set-position": 1}
"""By how much what is said counts on, besides turns, at most: a computer's turn goes with one."""
RUN, MINDS = 4, 4
"""Turns that a computer makes before hands carry out, and its processes at a time, at most."""
DESCRIPTORS, TASKS = 12, 24
"""So many more than when the game began may be open, and begun, at any later step."""


def plan_of(seed, turns, faults=FAULTS):
    """Return what goes wrong in an evening: after how many turns, and what."""
    dice = Random(f"plan {seed}")
    return [(turn, dice.choice(faults)) for turn in range(turns) if dice.random() < 0.8]


class Evening(People, Doings, Faults):
    """A game of so many turns on one board, through as many lives of the service as it takes.

    Args:
        seed: where all chance comes from.
        folder: where it may write.
        turns: how many are made.
        plan: what goes wrong: after how many turns, and what; chosen by the seed if not given.
        doings: what people do besides their turns, likewise; without any nothing special is
            agreed either.

    Attributes:
        games: which of them is played, by the seed.
    """

    games = GAMES

    def __init__(self, seed, folder, monkeypatch, turns=12, plan=None, doings=None):
        self.seed, self.folder, self.turns = seed, folder, turns
        self.plan = plan_of(seed, turns) if plan is None else list(plan)
        self.doings = doings_of(seed, turns) if doings is None else list(doings)
        self.agreed = agreed_by(seed) if self.doings else {}
        self.dice = Random(seed)
        self.patch = monkeypatch
        self.lives = 0
        self.loop = None
        self.now = 1000.0
        self.disk_full = False
        self.game = rules.load(self.games[seed % len(self.games)])
        self.position = self.game.start()
        self.taken = []
        self.happened = []
        self.acknowledged, self.begun = {}, None
        self.torn = False
        self.description = next(board for board in BOARDS if not obstacles(board, self.game))
        pieces = simulated_pieces(self.game)
        self.labels = pieces.labels
        self.pieces = Pieces(pieces, self.position.placement, self.description.tier)
        self.carriers = StepHands(pieces, self.pieces)
        self.timed = bool(seed % 3)
        self.computer = (None, "white", "black")[seed // len(self.games) % 3]
        self.both = self.computer is not None and Random(f"both {seed}").random() < BOTH
        self.minds = {}
        self.undone = 0  # turns that were taken back
        self.counted_before = 0  # what the referee's number was when turns were counted anew
        self.recorded = 0  # turns that were written down of this game by then
        self.name = None  # of the game, in the journal
        self.meddled = None  # what was done to the journal's files and not yet noticed
        self.retained = {}  # what the broker keeps
        self.visitor = None
        self.unasked = []  # what failed and was not let fail
        self.elsewhere = False  # whether another game is on the table for a while
        self.boots = 0
        self.strangers = ()  # who are silent
        self.quiet()

    def quiet(self):
        """End all faults."""
        self.plugged, self.broker, self.spoils, self.slow = True, "there", 0.0, 0.0
        self.odd_openings, self.deaf, self.mood = [], False, "well"
        self.wire = getattr(self, "wire", None)
        self.disk_full = self.driver_fails = self.rival = False
        if self.loop:
            self.reads.set()
        for stranger in self.strangers:
            stranger.cancel()

    # The world around the service.

    def ms(self):
        return int(self.loop.time() * 1000)

    def pass_on(self, data, to):
        if not self.plugged or (self.spoils and self.dice.random() < self.spoils):
            return
        if self.spoils and self.dice.random() < self.spoils:
            at = self.dice.randrange(len(data)) if data else 0
            data = data[:at] + self.dice.randbytes(2) + data[at + 1 :]
        for _ in range(2 if self.dice.random() < self.spoils else 1):
            delay = 0.001 + self.spoils * self.dice.random()
            self.loop.call_later(delay, to, data)

    def switch_on(self):
        self.boots += 1
        self.felt = {}  # what stands there, as the board last felt it
        self.board = BoardSession(identity(self.description), self.boots, self.ms())
        for cell, reading in self.pieces.standing().items():
            self.feel(cell, reading)

    def feel(self, cell, reading):
        self.felt[cell] = reading
        reading = bytes.fromhex(reading) if isinstance(reading, str) else reading
        self.board.feel(self.description.numbers[cell], reading, self.ms())

    def press(self, side):
        self.board.press(self.description.button_names.index(side), self.ms())

    def board_hears(self, data):
        if not self.deaf:
            self.board.receive(data, self.ms())
            self.board_speaks()

    def board_speaks(self):
        data = self.board.transmit(self.ms())
        if data and self.wire and not self.deaf:
            self.pass_on(data, self.wire.bring)

    async def tick(self):
        while True:
            self.board_speaks()
            await asyncio.sleep(0.02)

    # Lives of the service.

    def run(self):
        self.patch.setattr("time.monotonic", lambda: self.loop.time() if self.loop else self.now)
        self.patch.setattr(driver_registry, "_points", lambda: {"wire": self})
        self.patch.setattr(assembly, "sensing_of", self.sensing(assembly.sensing_of))
        self.patch.setattr(seat_process, "_begun", self.begin_mind)
        self.patch.setattr("os.killpg", lambda pid, _: self.minds[pid].die(-9))
        self.patch.setattr(Pulse, "_state", lambda pulse: self.minds[_number(pulse)].state())
        self.patch.setattr(Broker, "_client", lambda broker, will: FarBroker(self))
        self.patch.setattr(Journal, "append", self.append(Journal.append))
        self.patch.setattr(Journal, "open_again", self.open_again(Journal.open_again))
        self.patch.setattr(controller, "token_bytes", self.dice.randbytes)
        self.patch.setattr(logging.getLogger("drivers.beside"), "filters", [self.note])
        self.patch.setattr(journal, "datetime", Jumping)
        self.patch.setattr(Jumping, "by", timedelta())
        while self.live():
            pass

    def load(self):
        """Return what makes the driver, as an installed package's entry point; it has its board."""
        return found_by(SerialProbe(1.0, description=self.description.name))(
            lambda board: FarBoard(self, board, HostSession(board, self.dice.randrange(65536)))
        )

    async def begin_mind(self, _command):
        await asyncio.sleep(0.05)
        if self.mood == "missing":
            raise FileNotFoundError(2, "gone")
        pid = len(self.minds) + 1
        self.minds[pid] = FarMind(self, pid)
        return self.minds[pid], self.minds[pid]

    def sensing(self, real):
        return lambda *about: replace(real(*about), tags=self.labels)

    def append(self, real):
        def append(journal, game, records):
            if journal is not self.service._journal:
                real(journal, game, records)  # of a friend far away
                return
            kinds = tuple(record.data.get("what") or record.kind for record in records)
            if self.disk_full:
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(journal, "_write", _no_room)
                    real(journal, game, records)
            elif self.torn:
                self.begun = game, kinds
                self.tear(journal, lambda: real(journal, game, records))
            else:
                real(journal, game, records)
            if not self.given_up:
                self.acknowledged = self.with_more(game, kinds) if kinds else self.acknowledged
            self.laid_anew(game)

        return append

    def with_more(self, game, kinds):
        return {**self.acknowledged, game: self.acknowledged.get(game, ()) + kinds}

    def laid_anew(self, game):
        """Take in that the files are in place again; what was overwritten may have lost games."""
        if self.meddled in OVERWRITTEN:
            there = self.written().keys() | {game}
            self.acknowledged = {
                name: kinds for name, kinds in self.acknowledged.items() if name in there
            }
        self.meddled = None

    def open_again(self, real):
        def open_again(journal):
            if self.disk_full:
                raise StorageFailed("full")
            real(journal)
            self.laid_anew(journal._latest)

        return open_again

    def tear(self, journal, append):
        """Keep of the disk what a cut leaves in the middle of a commit, or of folding the log."""
        self.torn = False
        states = [Files.at(journal.path)]
        write = journal._write

        def note(*arguments):
            written = write(*arguments)
            states.append(Files.at(journal.path))
            return written

        journal._write = note
        append()
        before, written, folded = *states, Files.at(journal.path)
        self.keep()
        if written != folded and self.dice.random() < 0.5:
            left = cut_while_folding(written, folded, self.dice)
        else:
            left = cut_while_writing(before, written, self.dice)
        left.lay(self.folder / str(self.lives + 1) / journal.path.name)

    def keep(self):
        """Keep the disk as it is now for the next life: what is written later is lost with this."""
        there = self.folder / str(self.lives + 1)
        if not there.exists():
            shutil.copytree(self.folder / str(self.lives), there)
            (there / "journal.sqlite-shm").unlink(missing_ok=True)
            self.given_up = True

    def live(self):
        """Run the service until it is killed or the evening is over; return whether to go on."""
        self.lives += 1
        here = self.folder / str(self.lives)
        time = "90m" if self.timed else "untimed"
        settings = {
            "board.driver": "wire", "game.id": self.game.id, "pages.port": "0",
            "game.settings.time": time, "sound.speech": "false", "data": str(here),
            "mqtt.host": "broker", "mqtt.id": "evening", **self.agreed, **self.players(),
        }  # fmt: skip
        config = load_config(None, [f"{key}={value}" for key, value in settings.items()])
        self.loop = InstantLoop(lambda: self.dice.random() * self.slow + 0.002, self.now)
        self.over, self.open, self.given_up, self.told_to_end = False, (), False, False
        self.rivalled = False  # whether another board of this name was there
        self.followed = {}  # who listens to what is told to the broker
        self.carried = []  # what was told to it
        if self.lives == 1:
            self.switch_on()
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.whole(config))
        self.now = self.loop.now
        return not self.over

    def players(self):
        """Return who plays, as settings of the configuration."""
        return {f"players.{side}": computer(self.seed % 5 + 1) for side in self.computers}

    @property
    def computers(self):
        """Return which sides a computer plays."""
        return SIDES if self.both else (self.computer,) if self.computer else ()

    async def whole(self, config):
        self.config, service = config, Service(config)
        self.service = service
        self.patch.setattr(service._server, "serve", self.serve)
        if self.begun and self.written() == (whole := self.with_more(*self.begun)):
            self.acknowledged = whole  # a commit is there wholly, or not at all
        self.begun = None
        started = asyncio.Event()
        running = self.running = asyncio.create_task(service.run(lambda _: started.set()))
        starting = asyncio.create_task(started.wait())
        await asyncio.wait([running, starting], return_when=asyncio.FIRST_COMPLETED)
        starting.cancel()
        assert started.is_set(), f"it did not start: {running.exception()!r}"
        self.far = FarReader(self)
        self.reads = asyncio.Event()
        self.reads.set()
        about = (self.tick(), self.watch(), self.far.read())
        world = [asyncio.create_task(work) for work in about]
        hands = asyncio.create_task(self.hands())
        await asyncio.wait([hands, running], return_when=asyncio.FIRST_COMPLETED)
        try:
            assert self.told_to_end or not running.done(), f"the service ended: {running}"
            await hands
        finally:
            for task in (*world, running, hands):
                task.cancel()
            _, going_on = await asyncio.wait([*world, running, hands], timeout=60)
            assert not going_on, f"it does not end when it is told to: {going_on}"
        assert not self.thinking(), "a computer's process outlives the service"

    async def serve(self, sockets):
        await asyncio.Event().wait()

    async def watch(self):
        """A page that reads what is shown as it comes."""
        hub, number = self.service.controller.hub, None
        while not hub.closed:
            number = (await hub.wait("public", number)).number

    @property
    def view(self):
        return self.service.controller.hub.latest("public").sight.public

    # What must hold whatever happens.

    def objects(self):
        """Return how many objects are in memory, without what this world has written down."""
        self.carried.clear()
        gc.unfreeze()  # what a start in this process has set apart counts, too
        gc.collect()
        return len(gc.get_objects())

    def held(self):
        """Return how many files are open, and how many tasks are begun."""
        return len(list(Path("/proc/self/fd").iterdir())), len(asyncio.all_tasks())

    def written(self):
        """Return what is written down, by its kind or what was said, in order, by game."""
        query = """SELECT id, coalesce(json_extract(data, '$.what'), kind)
            FROM records JOIN games ON game = number ORDER BY game, seq"""
        with contextlib.closing(sqlite3.connect(self.service._journal.path)) as database:
            rows = database.execute(query).fetchall()
        games = dict.fromkeys(game for game, _ in rows)
        return {each: tuple(kind for game, kind in rows if game == each) for each in games}

    def note(self, record):
        """Note of what the log tells what failed and nobody here has let fail; as its filter."""
        self.unasked += [one for one in _failures(record) if not _is_ours(one)]
        return True

    def check(self):
        assert not self.unasked, f"nobody has let this fail: {self.unasked}"
        if self.visitor and self.visitor.done():
            self.visitor.result()
        if not self.rivalled:
            told = self.service.controller.notices.shown
            assert "page-same-id" not in {news.key for news in told}, "a board that is not there"
        alive = {task.get_name() for task in asyncio.all_tasks() if not task.done()}
        assert alive >= PARTS, f"ended unseen: {PARTS - alive}"
        if self.open:
            now = self.held()
            assert now[0] <= self.open[0] + DESCRIPTORS, (
                f"descriptors: {self.open[0]}, now {now[0]}"
            )
            assert now[1] <= self.open[1] + TASKS, f"tasks: {self.open[1]}, now {now[1]}"
        if self.meddled:
            return
        written = self.written()
        assert not CHARGED & {kind for kinds in written.values() for kind in kinds}, (
            "somebody was charged"
        )
        assert written == self.acknowledged, "something was lost or doubled"
        assert len(self.thinking()) <= MINDS, "too many of a computer's processes"
        kinds = written.get(self.service.controller.game_id, ())
        taken = kinds.count("taken")
        numbered = taken + sum(kinds.count(kind) * most for kind, most in NUMBERED.items())
        assert self.view.number <= numbered, "shown before it was written down"
        early = 0 if self.computer is None else RUN
        most = len(self.taken) + early
        stand = taken - self.recorded - self.undone
        assert len(self.taken) - 1 <= stand <= most or self.elsewhere


def _failures(record):
    """Return what failed, one by one, if a line of the log tells of that."""
    error = record.exc_info and record.exc_info[1]
    return _of_group(error) if error else []


def _of_group(error):
    if isinstance(error, BaseExceptionGroup):
        return [one for each in error.exceptions for one in _of_group(each)]
    return [error]


def _is_ours(error):
    """Return whether it was raised by what stands here for the world."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return Path(frame.f_code.co_filename).parent == HERE


def _number(pulse):
    return int(pulse._tasks.parent.name)


def _no_room(*_):
    raise sqlite3.OperationalError("database or disk is full")
