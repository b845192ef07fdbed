"""An evening of the whole service in virtual time, with every fault there is, from one seed."""

import asyncio
import contextlib
import shutil
import sqlite3
import termios
from itertools import islice
from random import Random

import aiomqtt

import rules
from drivers.description import load_description
from drivers.link.board_session import BoardSession
from drivers.link.host_session import HostSession
from drivers.reasons import Reason
from drivers.session_board import SessionBoard
from drivers.transport import PortUnusableError, Reconnecting
from firmware_bridge.config import load_config
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Call
from firmware_bridge.mqtt.connection import Broker
from firmware_bridge.service import assembly
from firmware_bridge.service.service import Service
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.values import opponent
from tests.drivers.bad_cable import identity
from tests.evenings.instant import InstantLoop

BOARD = load_description("starter")
GOES_ON_WITHIN = 25.0
"""Seconds after the last fault: the longest pause of a port, the board's greeting, and a turn."""
PARTS = {"controller", "board", "computers", "hints", "coach", "life", "metrics", "broker", "pages"}
FAULTS = (
    "unplugged", "deaf", "noisy", "reset", "port fails", "session fails", "table fails",
    "slow disk", "full disk", "killed", "killed soon", "broker gone", "broker odd", "indicator",
    "flood",
)  # fmt: skip


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


class Evening:
    """A game of so many turns on one board, through as many lives of the service as it takes.

    Args:
        seed: where all chance comes from.
        folder: where it may write.
        turns: how many are made.
        faults: what may go wrong.
    """

    def __init__(self, seed, folder, monkeypatch, turns=12, faults=FAULTS):
        self.seed, self.folder, self.turns, self.faults = seed, folder, turns, faults
        self.dice = Random(seed)
        self.patch = monkeypatch
        self.lives = 0
        self.loop = None
        self.now = 1000.0
        self.disk_full = False
        self.game = rules.load("mockery")
        self.position = self.game.start()
        self.taken = []
        self.happened = []
        self.acknowledged = ()
        self.pieces = Pieces(simulated_pieces(self.game), self.position.placement, "occupancy")
        self.boots = 0
        self.quiet()

    def quiet(self):
        """End all faults."""
        self.plugged, self.broker, self.spoils, self.slow = True, "there", 0.0, 0.0
        self.odd_openings, self.deaf = [], False
        self.wire = getattr(self, "wire", None)
        self.disk_full = False

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
        self.board = BoardSession(identity(BOARD), self.boots, self.ms())
        for cell, reading in self.pieces.standing().items():
            self.feel(cell, reading)

    def feel(self, cell, reading):
        self.board.feel(BOARD.numbers[cell], reading, self.ms())

    def press(self, side):
        self.board.press(BOARD.button_names.index(side), self.ms())

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
        self.patch.setattr(Broker, "_client", lambda broker, will: FarBroker(self))
        self.patch.setattr(Journal, "append", self.append(Journal.append))
        while self.live():
            pass

    def made_board(self, _config):
        session = HostSession(BOARD, nonce=self.dice.randrange(65536))
        return BOARD, SessionBoard(BOARD, Wire(self), session)

    def append(self, real):
        def append(journal, game, records):
            if self.disk_full:
                self.patch.setattr(journal, "_write", _no_room)
            real(journal, game, records)

        return append

    def live(self):
        """Run the service until it is killed or the evening is over; return whether to go on."""
        self.lives += 1
        here = self.folder / str(self.lives)
        if self.lives > 1:
            shutil.copytree(self.folder / str(self.lives - 1), here)
            (here / "journal.sqlite-shm").unlink(missing_ok=True)
        settings = {
            "board.description": "starter", "game.id": "mockery", "pages.port": "0",
            "game.settings.time": "90m", "sound.speech": "false", "data": str(here),
            "mqtt.host": "broker", "mqtt.id": "evening",
        }  # fmt: skip
        config = load_config(None, [f"{key}={value}" for key, value in settings.items()])
        self.loop = InstantLoop(lambda: self.dice.random() * self.slow + 0.002, self.now)
        self.killed = self.over = False
        asyncio.set_event_loop(self.loop)
        if self.lives == 1:
            self.switch_on()
        try:
            self.loop.run_until_complete(self.whole(config))
        finally:
            self.now = self.loop.now
            asyncio.set_event_loop(None)
            self.loop.close()
        return not self.over

    async def whole(self, config):
        service = self.service = Service(config)
        self.patch.setattr(service, "_serve", self.serve)
        started = asyncio.Event()
        running = asyncio.create_task(service.run(lambda _: started.set()))
        starting = asyncio.create_task(started.wait())
        await asyncio.wait([running, starting], return_when=asyncio.FIRST_COMPLETED)
        starting.cancel()
        assert started.is_set(), f"it did not start: {running.exception()!r}"
        world = [asyncio.create_task(self.tick()), asyncio.create_task(self.watch())]
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
        while len(self.taken) < self.turns:
            if self.dice.random() < 0.7:
                fault = self.dice.choice(self.faults)
                self.happened.append((len(self.taken), fault))
                if await self.befall(fault):
                    return
            await self.make_turn()
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
        soon = fault == "killed soon"
        await asyncio.sleep(self.dice.random() * 0.02 if soon else self.dice.uniform(0.1, 6.0))
        self.quiet()
        return fault in {"full disk", "killed", "killed soon"}

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
        self.press(self.position.side)  # whatever it writes now it must not show

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

    def check(self):
        alive = {task.get_name() for task in asyncio.all_tasks() if not task.done()}
        assert alive >= PARTS, f"ended unseen: {PARTS - alive}"
        with sqlite3.connect(self.service._journal.path) as database:
            rows = database.execute("SELECT kind, data FROM records ORDER BY game, seq").fetchall()
        kinds = [kind for kind, _ in rows]
        assert not {"ruled", "attempt"} & set(kinds), "somebody was charged"
        assert tuple(kinds[: len(self.acknowledged)]) == self.acknowledged, "something was lost"
        self.acknowledged = tuple(kinds)
        assert kinds.count("taken") in {len(self.taken) - 1, len(self.taken)} or not self.taken
        assert self.view.number <= kinds.count("taken"), "shown before it was written down"


def _no_room(*_):
    raise sqlite3.OperationalError("database or disk is full")
