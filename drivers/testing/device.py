"""A device at a pty that comes and goes, and sends in the small pieces in which real ones do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Self

from drivers.beside import begin
from drivers.port import Driver
from drivers.simulator.cable import Cable
from drivers.testing.conformance import Bench, Hand


class Device:
    """A board that never was; used by `async with`.

    Subclasses answer in `heard`, tell changes in `changed` and `pressed`, and may `run` in the
    background. `seed` decides how what is sent is cut.

    Attributes:
        path: where the port is.
        stands: what stands on each square: cell -> what the device makes of it, such as `wP`.
        lights: the cells that are lit.
        commands: all that was heard.
    """

    def __init__(self, path: Path, start: Mapping[str, str], seed: int = 1) -> None:
        self.path = path
        self.stands = dict(start)
        self.lights: set[str] = set()
        self.commands: list[bytes] = []
        self._random = Random(seed)  # noqa: S311 - a test, no secret
        self._cable = Cable(path, self._hear)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self.plug()
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.unplug()

    def plug(self) -> None:
        """Plug the device in."""
        self._cable.plug()
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks = [begin(self._write(), "device writes"), begin(self.run(), "device")]
        self.switched_on()

    def unplug(self) -> None:
        """Pull the cable; may be repeated."""
        if self._cable.plugged:
            for task in self._tasks:
                task.cancel()
            self._cable.unplug()

    def put(self, cell: str, label: str | None) -> None:
        """Put something on a square, or lift it (`None`)."""
        if label is None:
            self.stands.pop(cell, None)
        else:
            self.stands[cell] = label
        self.changed(cell)

    def send(self, data: bytes | Sequence[int]) -> None:
        """Send bytes, split anywhere."""
        data = bytes(data)
        while data:
            size = self._random.choice((1, 2, 20, 64, 300))
            self._out.put_nowait(data[:size])
            data = data[size:]

    def send_whole(self, report: bytes) -> None:
        """Send bytes in one piece, as USB devices send their reports."""
        self._cable.send(report)

    async def noticed(self) -> None:
        """Wait until the board has had time to notice what stands on it and to tell it."""
        await asyncio.sleep(0.02)

    async def sent(self) -> None:
        """Wait until all is sent."""
        await self._out.join()

    def switched_on(self) -> None:
        """The device has power."""

    def heard(self, data: bytes) -> None:
        """Bytes have come from the computer."""

    def changed(self, cell: str) -> None:
        """Something was put on a square or taken from it."""

    def pressed(self, button: str) -> None:
        """A button was pressed."""

    async def run(self) -> None:
        """What the device does by itself."""

    def _hear(self, data: bytes) -> None:
        self.commands.append(data)
        self.heard(data)

    async def _write(self) -> None:
        while True:
            self._cable.send(await self._out.get())
            await asyncio.sleep(0.0005)
            self._out.task_done()


class DeviceBench(Bench):
    """A driver at a `Device`, and hands that lift, put down and press there."""

    def __init__(self, driver: Driver, device: Device, hands: Iterable[Hand]) -> None:
        super().__init__(driver)
        self.device = device
        self.hands = tuple(hands)

    async def perform(self) -> None:
        """Do what was announced, one thing after the other."""
        for hand in self.hands:
            if hand.button:
                self.device.pressed(hand.button)
            else:
                self.device.put(hand.cell, hand.tag)
            await self.device.noticed()

    def lit(self) -> set[str]:
        """Return the cells that are lit."""
        return self.device.lights

    async def unplug(self) -> None:
        """Pull the cable."""
        self.device.unplug()

    async def replug(self) -> None:
        """Plug in again a device that has forgotten its lights."""
        self.device.lights = set()
        self.device.plug()
