"""The own board, moved by the test: an occupancy and an identity one."""

import asyncio
import contextlib
import time

from drivers.board_reasons import Reason
from drivers.description import load_description
from drivers.port import CellEvent, Driver, LinkChanged, Snapshot
from firmware_bridge.emulation.follower import SETTLE, Follower, chess
from firmware_bridge.emulation.posing import Posing
from firmware_bridge.reconciler import Sensing
from tests.running import running

BOARD = load_description("starter")
START = dict(chess().start().placement)
TAGS = {f"04{number:02X}0000": label for number, label in enumerate(START.values())}
TAG_AT = dict(zip(START, TAGS, strict=True))
TIERS = ("occupancy", "identity")


def sensing(tier):
    return Sensing(tier, TAGS if tier == "identity" else {}, frozenset(BOARD.cells))


def start(tier):
    return dict(TAG_AT) if tier == "identity" else dict.fromkeys(START, True)


class Bench:
    """A pose on a board, with a clock of the test's own; what it tells is read as `read` says."""

    read = bytes

    def __init__(self, kind, tier):
        self.t = 10.0
        self.follower = Follower(sensing(tier))
        self.pose = kind(self.follower)
        self.stands = start(tier)
        self.pose.felt(self.follower.feel(Snapshot(self.t, self.stands)))

    def carry(self, source, target, wait=2 * SETTLE):
        self.stands[target] = held = self.stands.pop(source)
        told = b""
        for cell, reading in ((source, None), (target, held)):
            self.t += 0.1
            told += self.pose.felt(self.follower.feel(CellEvent(self.t, cell, reading)))
        return self.read(told + self._until(self.t + wait))

    def wait(self, seconds):
        return self.read(self._until(self.t + seconds))

    def hear(self, *command):
        return self.pose.hear(bytes(command), self.t)

    def _until(self, end):
        told = b""
        while (wake := self.follower.wake_at) is not None and wake <= end:
            self.t = max(self.t, wake)
            told += self.pose.felt(self.follower.tick(self.t))
        self.t = end
        return told + self.pose.felt(self.follower.tick(end))


class OwnBoard(Driver):
    def __init__(self, tier):
        self.description = BOARD
        self.stands = start(tier)
        self.lights = []
        self._events = asyncio.Queue()

    async def __aenter__(self):
        now = time.monotonic()
        self._events.put_nowait(
            LinkChanged(now, up=True, reason=Reason("found", {"board": "Board"}))
        )
        self._events.put_nowait(Snapshot(now, dict(self.stands)))
        return self

    async def __aexit__(self, *exc):
        pass

    async def events(self):
        while True:
            yield await self._events.get()

    async def show(self, lights):
        self.lights.append(dict(lights.cells))

    async def sound(self, name):
        pass

    def carry(self, source, target):
        held = self.stands.pop(source)
        for cell, reading in ((source, None), (target, held)):
            self._events.put_nowait(CellEvent(time.monotonic(), cell, reading))
        self.stands[target] = held


@contextlib.asynccontextmanager
async def posing(board, feels, kind, link):
    async with running(Posing(board, feels, kind, link).run()):
        yield
    assert not link.is_symlink()
