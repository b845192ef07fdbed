"""An evening of the whole service in virtual time, with every fault there is, from one seed."""

import asyncio
import contextlib
import json
import shutil
import sqlite3
import termios
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random

import aiomqtt
import pytest

import rules
from drivers.description import load_description
from drivers.link.board_session import BoardSession
from drivers.link.host_session import HostSession
from drivers.reasons import Reason
from drivers.session_board import SessionBoard
from drivers.transport import PortUnusableError, Reconnecting
from firmware_bridge.config import load_config
from firmware_bridge.journal import Journal, StorageFailed, journal
from firmware_bridge.messages import Answer, Call
from firmware_bridge.mqtt.connection import Broker
from firmware_bridge.service import assembly
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.service import Service
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.values import opponent
from tests.drivers.bad_cable import identity
from tests.evenings.disk import Files, cut_while_folding, cut_while_writing
from tests.evenings.instant import InstantLoop

BOARDS = tuple(load_description(name) for name in ("starter", "full"))
GAMES = tuple(rules.games())
GOES_ON_WITHIN = 25.0
"""Seconds after the last fault: the longest pause of a port, the board's greeting, and a turn."""
PARTS = {"controller", "board", "computers", "hints", "coach", "life", "metrics", "broker", "pages"}
FAULTS = (
    "unplugged", "deaf", "noisy", "reset", "port fails", "session fails", "table fails",
    "slow disk", "full disk", "torn write", "killed", "killed soon", "broker gone", "broker odd",
    "indicator", "flood", "clock jumps", "reader stalls", "reader goes",
)  # fmt: skip
FATAL = {"torn write", "killed", "killed soon"}
"""Faults that the service does not outlive, or whose life is given up."""
DESCRIPTORS, TASKS = 12, 24
"""So many more than when the game began may be open, and begun, at any later step."""


class Wire(Reconnecting):
    """A line that loses, doubles, holds back and spoils what passes, to a board on this table."""

    name = "wire"

    def __init__(self, evening):
        super().__init__()
        self.evening, self.opened = evening, False

    @property
    def is_open(self):
        return self.opened

    async def _connect(self):
        evening = self.evening
        if evening.odd_openings:
            raise evening.odd_openings.pop()
        if not evening.plugged:
            raise PortUnusableError(Reason("port-missing", {"port": "wire"}))
        self.opened = True

    async def _listen(self):
        self.evening.wire = self

    async def _disconnect(self):
        self.opened = False

    def write(self, data):
        if self.opened:
            self.evening.pass_on(data, self.evening.board_hears)

    def bring(self, data):
        if self.opened and self.evening.plugged and not self._items.full():
            self._items.put_nowait(data)


class FarBroker:
    """Stands for a client of the broker: it takes what it is told, unless it is gone or odd."""

    def __init__(self, evening):
        self.evening = evening
        self.messages = self._messages()

    async def __aenter__(self):
        self._may_fail()
        return self

    async def __aexit__(self, *exc):
        pass

    async def _messages(self):
        while True:
            await asyncio.sleep(1.0)
            self._may_fail()
            if False:
                yield None

    def _may_fail(self):
        if self.evening.broker == "gone":
            raise aiomqtt.MqttError("gone")
        if self.evening.broker == "odd":
            raise self.evening.dice.choice([KeyError("odd"), RuntimeError("odd"), ValueError("x")])

    async def tell(self, *_, **__):
        await asyncio.sleep(0.01)
        self._may_fail()
        return True

    async def follow(self, *_, **__):
        self._may_fail()

    def lost(self):
        pass


class FarReader:
    """A page's browser at the far end of the event stream: it reads, stalls, or goes away."""

    def __init__(self, evening):
        self.evening, self.turns = evening, None
        self.gone = asyncio.Event()

    async def read(self):
        while True:
            self.gone.clear()
            ask = {
                "type": "http", "method": "GET", "path": "/api/v1/events", "raw_path": b"",
                "query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1",
                "asgi": {"version": "3.0"}, "client": ("192.168.1.20", 4000),
                "server": ("10.0.0.1", 80), "headers": [(b"host", b"10.0.0.1")],
            }  # fmt: skip
            await self.evening.service._server.config.app(ask, self._receive, self._send)
            await asyncio.sleep(1.0)

    async def _receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        await self.evening.reads.wait()
        assert message.get("status", 200) == 200, message
        for line in message.get("body", b"").splitlines():
            if line.startswith(b"data: ") and b'"turns"' in line:
                self.turns = len(json.loads(line[6:])["turns"])


class Jumping(datetime):
    """The wall clock, which is set while the game goes on."""

    by = timedelta()

    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) + cls.by


def plan_of(seed, turns, faults=FAULTS):
    """Return what goes wrong in an evening: after how many turns, and what."""
    dice = Random(f"plan {seed}")
    return [(turn, dice.choice(faults)) for turn in range(turns) if dice.random() < 0.8]


class Evening:
    """A game of so many turns on one board, through as many lives of the service as it takes.

    Args:
        seed: where all chance comes from.
        folder: where it may write.
        turns: how many are made.
        plan: what goes wrong: after how many turns, and what; chosen by the seed if not given.
    """

    def __init__(self, seed, folder, monkeypatch, turns=12, plan=None):
        self.seed, self.folder, self.turns = seed, folder, turns
        self.plan = plan_of(seed, turns) if plan is None else list(plan)
        self.dice = Random(seed)
        self.patch = monkeypatch
        self.lives = 0
        self.loop = None
        self.now = 1000.0
        self.disk_full = False
        self.game = rules.load(GAMES[seed % len(GAMES)])
        self.position = self.game.start()
        self.taken = []
        self.happened = []
        self.acknowledged = self.begun = ()
        self.torn = False
        self.description = next(board for board in BOARDS if not obstacles(board, self.game))
        pieces = simulated_pieces(self.game)
        self.labels = pieces.labels
        self.pieces = Pieces(pieces, self.position.placement, self.description.tier)
        self.boots = 0
        self.quiet()

    def quiet(self):
        """End all faults."""
        self.plugged, self.broker, self.spoils, self.slow = True, "there", 0.0, 0.0
        self.odd_openings, self.deaf = [], False
        self.wire = getattr(self, "wire", None)
        self.disk_full = False
        if self.loop:
            self.reads.set()

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
        self.board = BoardSession(identity(self.description), self.boots, self.ms())
        for cell, reading in self.pieces.standing().items():
            self.feel(cell, reading)

    def feel(self, cell, reading):
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
        self.patch.setattr(assembly, "board_of", self.made_board)
        self.patch.setattr(assembly, "sensing_of", self.sensing(assembly.sensing_of))
        self.patch.setattr(Broker, "_client", lambda broker, will: FarBroker(self))
        self.patch.setattr(Journal, "append", self.append(Journal.append))
        self.patch.setattr(Journal, "open_again", self.open_again(Journal.open_again))
        self.patch.setattr(journal, "datetime", Jumping)
        self.patch.setattr(Jumping, "by", timedelta())
        while self.live():
            pass

    def made_board(self, _config):
        board = self.description
        session = HostSession(board, nonce=self.dice.randrange(65536))
        return board, SessionBoard(board, Wire(self), session)

    def sensing(self, real):
        return lambda *about: replace(real(*about), tags=self.labels)

    def append(self, real):
        def append(journal, game, records):
            kinds = tuple(record.kind for record in records)
            if self.disk_full:
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(journal, "_write", _no_room)
                    real(journal, game, records)
            elif self.torn:
                self.begun = kinds
                self.tear(journal, lambda: real(journal, game, records))
            else:
                real(journal, game, records)
            if not self.given_up:
                self.acknowledged += kinds

        return append

    def open_again(self, real):
        def open_again(journal):
            if self.disk_full:
                raise StorageFailed("full")
            real(journal)

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
        time = "90m" if self.seed % 3 else "untimed"
        settings = {
            "board.description": self.description.name, "game.id": self.game.id, "pages.port": "0",
            "game.settings.time": time, "sound.speech": "false", "data": str(here),
            "mqtt.host": "broker", "mqtt.id": "evening",
        }  # fmt: skip
        config = load_config(None, [f"{key}={value}" for key, value in settings.items()])
        self.loop = InstantLoop(lambda: self.dice.random() * self.slow + 0.002, self.now)
        self.over, self.open, self.given_up = False, (), False
        if self.lives == 1:
            self.switch_on()
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.whole(config))
        self.now = self.loop.now
        return not self.over

    async def whole(self, config):
        service = self.service = Service(config)
        self.patch.setattr(service, "_serve", self.serve)
        if self.written() == self.acknowledged + self.begun:
            self.acknowledged += self.begun  # a commit is there wholly, or not at all
        self.begun = ()
        started = asyncio.Event()
        running = asyncio.create_task(service.run(lambda _: started.set()))
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
            assert not running.done(), f"the service ended: {running}"
            hands.result()
        finally:
            for task in (*world, running, hands):
                task.cancel()
            _, going_on = await asyncio.wait([*world, running, hands], timeout=60)
            assert not going_on, f"it does not end when it is told to: {going_on}"

    async def serve(self):
        await asyncio.Event().wait()

    async def watch(self):
        """A page that reads what is shown as it comes."""
        number = None
        while True:
            number = (await self.service.controller.hub.wait("public", number)).number

    # What hands do, and what goes wrong.

    async def hands(self):
        await self.until(lambda view: view.phase != "waiting")
        if self.view.phase == "ready":
            await self.until(lambda view: view.phase in {"playing", "paused"}, self.press_black)
        self.open = self.held()
        while len(self.taken) < self.turns:
            while self.plan and self.plan[0][0] == len(self.taken):
                self.happened.append(self.plan.pop(0))
                if await self.befall(self.happened[-1][1]):
                    return
            await self.make_turn()
            await self.until(lambda view: self.far.turns == len(view.course.turns))
        self.over = True

    @property
    def view(self):
        return self.service.controller.hub.latest("public").sight.public

    async def press_black(self):
        self.press("black")

    async def until(self, condition, again=None, within=GOES_ON_WITHIN):
        end = self.loop.time() + within
        while not condition(self.view):
            assert self.loop.time() < end, (
                f"it does not go on: {self.view.phase}, {self.service.controller.link}, "
                f"{[news.key for news in self.service.controller.hub.latest('public').sight.news]}"
            )
            if again:
                await again()
            await asyncio.sleep(0.5)
            self.check()

    async def make_turn(self):
        """Make a legal turn, press, and see that it is taken."""
        await self.until(self.plays, self.settle)
        turns = [
            turn
            for turn in islice(self.position.turns(), 40)
            if turn.plain and self.position.deed(turn).physical
        ]
        turn, side = self.dice.choice(turns), self.position.side
        at = 0.0
        for change in play(self.position, turn, self.pieces, self.dice):
            await asyncio.sleep(max(0.0, change.t - at))
            at = change.t
            self.feel(change.cell, change.reading)
        await asyncio.sleep(0.3)
        number = len(self.taken)
        self.position = self.position.play(turn)
        self.taken.append(str(turn))

        async def press():
            if self.view.question:  # hands alone do not tell it from another
                now = self.loop.time()
                await self.service.controller.submit(Answer(now, self.taken[-1], side))
            else:
                self.press(side)

        await self.until(lambda view: view.number > number, press)

    def plays(self, view):
        return view.phase == "playing" and view.number == len(self.taken)

    async def settle(self):
        """Do what the display asks for."""
        controller = self.service.controller
        if self.view.phase == "paused" and not controller.link:
            await controller.submit(Call(self.loop.time(), "resume"))

    async def befall(self, fault):
        """Let something go wrong and be mended; return whether the service was killed by it."""
        getattr(self, f"be_{fault.replace(' ', '_')}")()
        if fault == "killed soon":
            for _ in range(self.dice.randrange(300)):  # at any await of what a press sets off
                await asyncio.sleep(0)
        else:
            await asyncio.sleep(self.dice.uniform(0.1, 6.0))
        self.quiet()
        if fault in FATAL:
            self.torn = False
            self.keep()
        return fault in FATAL

    def be_unplugged(self):
        self.plugged = False
        self.lose()

    def be_deaf(self):
        self.deaf = True

    def be_noisy(self):
        self.spoils = self.dice.uniform(0.01, 0.4)

    def be_reset(self):
        self.switch_on()

    def be_port_fails(self):
        odd = [termios.error(5, "gone"), KeyError("odd"), RecursionError()]
        self.odd_openings = self.dice.sample(odd, 2)
        self.lose()

    def be_session_fails(self):
        self.fail_once(self.service._driver.session, self.dice.choice(["receive", "poll"]))

    def be_table_fails(self):
        self.fail_once(self.service.controller.table, "feed")

    def be_slow_disk(self):
        self.slow = self.dice.uniform(0.05, 1.0)

    def be_broker_gone(self):
        self.broker = "gone"

    def be_broker_odd(self):
        self.broker = "odd"

    def be_indicator(self):
        self.fail_once(self.service._indicators[0]._indicator, "show")

    def be_flood(self):
        for _ in range(3):
            self.press(opponent(self.position.side))

    def be_full_disk(self):
        self.disk_full = True
        self.service.controller.tell(Call(self.loop.time(), "pause"))  # is not written down

    def be_torn_write(self):
        self.torn = True
        self.press(self.position.side)  # perhaps nothing is written: then it is killed later

    def be_clock_jumps(self):
        Jumping.by = timedelta(days=self.dice.uniform(-9000, 9000))

    def be_reader_stalls(self):
        self.reads.clear()

    def be_reader_goes(self):
        self.far.gone.set()

    def be_killed(self):
        pass

    def be_killed_soon(self):
        self.press(self.position.side)

    def lose(self):
        if self.wire:
            self.wire.give_up(Reason("port-vanished", {"port": "wire"}))

    def fail_once(self, owner, name):
        real = getattr(owner, name)

        def failing(*arguments, **named):
            setattr(owner, name, real)
            raise self.dice.choice([KeyError("odd"), RecursionError(), TypeError("odd")])

        with contextlib.suppress(AttributeError):
            setattr(owner, name, failing)

    # What must hold whatever happens.

    def held(self):
        """Return how many files are open, and how many tasks are begun."""
        return len(list(Path("/proc/self/fd").iterdir())), len(asyncio.all_tasks())

    def written(self):
        """Return the kinds of what is written down, in order."""
        with contextlib.closing(sqlite3.connect(self.service._journal.path)) as database:
            rows = database.execute("SELECT kind FROM records ORDER BY game, seq").fetchall()
        return tuple(kind for (kind,) in rows)

    def check(self):
        alive = {task.get_name() for task in asyncio.all_tasks() if not task.done()}
        assert alive >= PARTS, f"ended unseen: {PARTS - alive}"
        if self.open:
            now = self.held()
            assert now[0] <= self.open[0] + DESCRIPTORS, (
                f"descriptors: {self.open[0]}, now {now[0]}"
            )
            assert now[1] <= self.open[1] + TASKS, f"tasks: {self.open[1]}, now {now[1]}"
        kinds = self.written()
        assert not {"ruled", "attempt"} & set(kinds), "somebody was charged"
        assert kinds == self.acknowledged, "something was lost or doubled"
        assert kinds.count("taken") in {len(self.taken) - 1, len(self.taken)} or not self.taken
        assert self.view.number <= kinds.count("taken"), "shown before it was written down"


def _no_room(*_):
    raise sqlite3.OperationalError("database or disk is full")
