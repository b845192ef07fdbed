"""The simulated board in real time: ticks the board, carries its bytes, and moves its hands."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from typing import Self

from drivers.beside import begin, end, kept_up
from drivers.description import BoardDescription
from drivers.piece_set import PieceSet
from drivers.simulator.cable import Cable
from drivers.simulator.orders import Faults, Step
from drivers.simulator.simulated_board import SimulatedBoard
from drivers.simulator.table_top import Spot, TableTop

_TICK = 0.02
"""Seconds between two looks at the firmware: a third of the time after which it sends again."""
_UPDATE = 0.02
"""Seconds for which changes are gathered before the page is told."""


class Station:
    """A simulated board, running: use it by `async with`.

    Attributes:
        revision: how many changes there were; what is seen at one includes all before.
        closing: whether everyone who watches is sent home.
    """

    def __init__(self, description: BoardDescription, pieces: PieceSet, link: Path) -> None:
        self.pieces = pieces
        self.board = SimulatedBoard(description, pieces, _now())
        self.cable = Cable(link, self._receive)
        self._changed = asyncio.Event()
        self.revision = 0
        self._ticking: asyncio.Task[None] | None = None
        self.closing = False

    async def __aenter__(self) -> Self:
        """Plug the cable in and begin to tick; raise `DriverError` when the port cannot be made."""
        self.cable.plug()
        self._ticking = begin(kept_up(self._tick, "simulated board"), "simulated board")
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Stop, and take the port away."""
        if self._ticking is not None:
            await end(self._ticking)
        self.cable.unplug()
        self._touch()

    def close(self) -> None:
        """Send everyone home who watches; the board itself goes on until the block is left."""
        self.closing = True
        self._touch()

    async def play(self, steps: Iterable[Step]) -> None:
        """Let hands do these steps at their times; returns when the last is done."""
        begun = time.monotonic()
        for step in sorted(steps, key=lambda step: step.t):
            await asyncio.sleep(max(0.0, begun + step.t - time.monotonic()))
            self._do(step)
            self._after_hands()

    @property
    def online(self) -> bool:
        """Whether a host is listening to the board."""
        return self.board.session.online

    def arrange(self, arrangement: Mapping[str, str]) -> None:
        """Set up an arrangement, cell -> tag; all other pieces go to the tray."""
        self.board.top.arrange(arrangement)
        self._after_hands()

    def lay_out(self, spots: Iterable[Spot]) -> None:
        """Put every piece where it was once; raise `NoSuchThingError` where that cannot be."""
        board = self.board
        board.top = TableTop.laid(board.top.pieces, board.description.cells, spots)
        self._after_hands()

    def set_faults(self, faults: Faults) -> None:
        """Break and mend sensors."""
        self.board.set_faults(faults, _now())
        self._after_hands()

    def set_plugged(self, *, plugged: bool) -> None:
        """Pull the cable, or put it back."""
        if plugged:
            self.cable.plug()
        else:
            self.cable.unplug()
        self._touch()

    def reset(self) -> None:
        """Restart the board's controller."""
        self.board.reset(_now())
        self._touch()

    def state(self) -> dict[str, object]:
        """Return everything that can be seen and heard now, ready for JSON."""
        top, faults, sounds = self.board.top, self.board.faults, self.board.sounds
        return {
            "revision": self.revision,
            "pieces": {
                name: {"at": place, "look": top.look_of(name)}
                | ({"lifted": top.lifted[name]} if name in top.lifted else {})
                for name, place in top.place.items()
            },
            "lights": {
                cell: {"signal": signal, "phase": phase}
                for cell, (signal, phase) in self.board.lights.items()
            },
            "sounds": {"count": len(sounds), "last": sounds[-1] if sounds else None},
            "online": self.online,
            "plugged": self.cable.plugged,
            "faults": {
                "stuck": sorted(faults.stuck),
                "dead": sorted(faults.dead),
                "missed": sorted(faults.missed),
                "bounce": faults.bounce,
            },
        }

    async def states(self) -> AsyncIterator[dict[str, object]]:
        """Yield the state now and after every change."""
        async for _ in self.glances():
            yield self.state()
            await asyncio.sleep(_UPDATE)

    async def glances(self) -> AsyncIterator[None]:
        """Yield now, and at once after every change, until it closes."""
        while not self.closing:
            changed = self._changed
            yield
            await changed.wait()

    async def until_online(self) -> None:
        """Wait until a host listens to the board."""
        while not self.online:
            await self._changed.wait()

    def _do(self, step: Step) -> None:
        top = self.board.top
        if step.button is not None:
            self.board.press(step.button, _now())
        elif step.cell is not None:
            top.set_reading(step.cell, step.reading)
        elif step.piece is not None and step.to is not None:
            top.move(step.piece, step.to)
        elif step.piece is not None:
            top.flip(step.piece)

    def _after_hands(self) -> None:
        now = _now()
        self.board.feel(now)
        self.cable.send(self.board.transmit(now))
        self._touch()

    def _receive(self, data: bytes) -> None:
        before = self._seen()
        now = _now()
        self.board.receive(data, now)
        self.cable.send(self.board.transmit(now))
        if self._seen() != before:
            self._touch()

    def _seen(self) -> tuple[object, ...]:
        session = self.board.session
        return bytes(session.lights), len(self.board.sounds), session.online

    async def _tick(self) -> None:
        while True:
            before = self._seen()
            self.cable.send(self.board.transmit(_now()))
            if self._seen() != before:
                self._touch()
            await asyncio.sleep(_TICK)

    def _touch(self) -> None:
        self.revision += 1
        self._changed.set()
        self._changed = asyncio.Event()  # whoever looks from now on waits for the next change


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
