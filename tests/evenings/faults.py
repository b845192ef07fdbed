"""What goes wrong on an evening, each by its name."""

import asyncio
import contextlib
import shutil
import termios
from datetime import datetime, timedelta

from drivers.board_reasons import Reason
from firmware_bridge.messages import Call
from rules.values import opponent
from tests.evenings.far import MOODS, PATHS, FarReader
from tests.firmware_bridge.journal.meddling import MOVED, OVERWRITTEN

FAULTS = (
    "unplugged", "deaf", "noisy", "reset", "port fails", "session fails", "table fails",
    "slow disk", "full disk", "torn write", "killed", "killed soon", "broker gone", "broker odd",
    "indicator", "flood", "clock jumps", "reader stalls", "reader goes",
    "visitors", "mind dies", "mind fails", "stopped", "restarted", "meddling",
    "driver fails", "same id", "silent strangers",
)  # fmt: skip
STRANGERS, SAYS = 9, "/api/v1/table/actions"
"""So many are silent at once, and what they want to say something to."""
SOON = 5.0
"""Seconds within which a page comes, whoever else asks for what."""
FATAL = {"torn write", "killed", "killed soon", "restarted"}
"""Faults that the service does not outlive, or whose life is given up."""


class Jumping(datetime):
    """The wall clock, which is set while the game goes on."""

    by = timedelta()

    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) + cls.by


class Faults:
    """The faults of an evening, which begins and ends them."""

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

    def be_driver_fails(self):
        """Let the driver fail of what it tells next: here, that the link is lost."""
        self.driver_fails = True
        self.lose()

    def be_table_fails(self):
        self.fail_once(self.service.controller.table, "feed")

    def be_slow_disk(self):
        self.slow = self.dice.choice([0.05, 1.0, 20.0])

    def be_broker_gone(self):
        self.broker = "gone"

    def be_broker_odd(self):
        self.broker = "odd"

    def be_same_id(self):
        """Let another board have this one's name at the broker: each puts the other out."""
        self.rival = self.rivalled = True

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

    def be_visitors(self):
        """Let many come who are impatient: each goes away at any await."""
        for path in PATHS:
            visitor = asyncio.create_task(FarReader(self, path).visit())
            self.loop.call_later(self.dice.uniform(0.0, 0.2), visitor.cancel)

    def be_silent_strangers(self):
        """Let many ask for what never comes, while one visitor wants to see the board."""
        silent = (FarReader(self, SAYS, silent=True).visit() for _ in range(STRANGERS))
        self.strangers = tuple(map(asyncio.create_task, silent))
        self.visitor = asyncio.create_task(self.visit_soon())

    async def visit_soon(self):
        async with asyncio.timeout(SOON):
            await FarReader(self, "/").visit()

    def be_mind_dies(self):
        self.mood = "dies"
        for mind in self.thinking():
            mind.befall()

    def be_mind_fails(self):
        self.mood = self.dice.choice(MOODS)
        for mind in self.thinking():
            mind.befall()

    def thinking(self):
        return [mind for mind in self.minds.values() if mind.returncode is None]

    def be_stopped(self):
        """Let the whole machine's time pass without the service, as SIGSTOP does."""
        self.loop.now += self.dice.uniform(4.0, 7200.0)

    def be_restarted(self):
        pass

    def be_meddling(self):
        """Let somebody delete, move or overwrite the journal's files, or put earlier ones there."""
        here = self.service._journal.path.parent
        earlier = here.with_name(f"{here.name}-earlier")
        shutil.copytree(here, earlier, dirs_exist_ok=True)
        self.meddled = self.dice.choice([*MOVED, *OVERWRITTEN])
        self.meddled(here, earlier)

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
