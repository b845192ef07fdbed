"""The shell around a pose: the own board on one side, a cable to a program on the other."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from drivers.beside import is_set_within
from drivers.port import CellEvent, Driver, DriverError, Lights, LinkChanged, Snapshot
from drivers.simulator.cable import Cable
from firmware_bridge.emulation.cpp_pose import CppPose
from firmware_bridge.emulation.dgt_pose import DgtPose
from firmware_bridge.emulation.follower import Done, Follower, chess
from firmware_bridge.reconciler import Sensing

_LOG = logging.getLogger(__name__)


class Pose(Protocol):
    """A protocol, seen from the board's end."""

    def hear(self, data: bytes, t: float) -> bytes:
        """Take in bytes of the program; return the answers."""

    def felt(self, done: Sequence[Done]) -> bytes:
        """Return what is told of what the board now shows."""


POSES: Mapping[str, Callable[[Follower], Pose]] = {"dgt": DgtPose, "cpp": CppPose}
"""What the board can pose as."""


class Posing:
    """One board that poses as one of `POSES`, at a link that a program opens.

    Raises:
        DriverError: the board has no chess board on it.
    """

    def __init__(self, driver: Driver, sensing: Sensing, kind: str, link: Path) -> None:
        if missing := chess().squares - set(driver.description.squares):
            raise DriverError(
                f'"{driver.description.name}" is no chess board: it has no '
                f"{', '.join(sorted(missing)[:4])}, ..."
            )
        self._driver = driver
        self._follower = Follower(sensing)
        self._pose = POSES[kind](self._follower)
        self._cable = Cable(link, self._heard)
        self._stir = asyncio.Event()
        self._lights: Mapping[str, str] = {}

    async def run(self, started: Callable[[], None] = lambda: None) -> None:
        """Pose until cancelled."""
        self._cable.plug()
        try:
            async with self._driver, asyncio.TaskGroup() as group:
                group.create_task(self._feel())
                group.create_task(self._pass_time())
                started()
        finally:
            self._cable.unplug()

    async def _feel(self) -> None:
        async for event in self._driver.events():
            match event:
                case CellEvent() | Snapshot():
                    self._cable.send(self._pose.felt(self._follower.feel(event)))
                    self._stir.set()
                case LinkChanged():
                    _LOG.warning("board: %s", event.text)

    async def _pass_time(self) -> None:
        """Wake the follower when time alone changes something, and keep the lights up to date."""
        while True:
            await self._show()
            wake = self._follower.wake_at
            left = None if wake is None else max(0.0, wake - time.monotonic())
            if not await is_set_within(self._stir, left):
                self._cable.send(self._pose.felt(self._follower.tick(time.monotonic())))
            self._stir.clear()

    async def _show(self) -> None:
        lights = self._follower.way_back
        if lights != self._lights:
            self._lights = lights
            await self._driver.show(Lights(lights))

    def _heard(self, data: bytes) -> None:
        self._cable.send(self._pose.hear(data, time.monotonic()))
        self._stir.set()
