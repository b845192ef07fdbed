"""How soon a light answers a hand, and a tone the clock button, cable end to cable end.

The simulated board runs in this process, the service in one of its own; bytes go over a pty. For
every event the clock runs from its bytes leaving the board until the lights there have changed,
for a press until the tone sounds.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

import rules
from drivers.beside import meanwhile
from drivers.description import load_description
from drivers.port import DriverError
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.interface import Position, Turn

ANSWER = 0.25
"""Seconds: later changes of the lights are the work of timers (settle, grace), not answers."""
_START = 120.0
"""Seconds in which the service must have started: a generous end, for a machine that is busy."""
_LOOK_ROUND = 1.5
"""Seconds for the first positions and lights to be through before anything is measured."""
_HAND_SPEED = 3.0
"""Times as fast as hands: events stay far enough apart to be answered one by one."""
_LOOKED_AT = 200
"""Turns among which one is chosen: Realm can have thousands."""


@dataclass(slots=True)
class Answers:
    """What was measured: seconds from an event to the lights it caused, and what came later.

    Attributes:
        seconds: from each event to the lights.
        later: events that were answered by timers.
        turns: turns made.
        tones: seconds from each press to its tone, which comes when the turn is on disk.
    """

    seconds: list[float] = field(default_factory=list)
    later: int = 0
    turns: int = 0
    tones: list[float] = field(default_factory=list)


class _Stopwatch:
    """Runs from the last event sent until what is watched changes."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.later = 0
        self.stopped = asyncio.Event()
        self._sent: float | None = None

    def sent(self) -> None:
        self._sent = time.perf_counter()
        self.stopped.clear()

    def changed(self) -> None:
        if self._sent is None:
            return
        took = time.perf_counter() - self._sent
        self._sent = None
        self.stopped.set()
        if took < ANSWER:
            self.seconds.append(took)
        else:
            self.later += 1


def measure(game_id: str, turns: int, seed: int) -> Answers:
    """Play random legal turns of a game on the real service and return how soon lights answered."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(game_id, turns, seed, Path(folder)))


async def _measure(game_id: str, turns: int, seed: int, folder: Path) -> Answers:
    game = rules.load(game_id)
    piece_set = simulated_pieces(game)
    pieces = Pieces(piece_set, game.start().placement, "face")
    station = Station(load_description("simulated"), piece_set, folder / "board")
    station.arrange(pieces.on)
    watch, tones = _Stopwatch(), _Stopwatch()
    async with station:
        with _service(game_id, folder) as service:
            try:
                async with asyncio.timeout(_START):
                    await station.until_online()
                await asyncio.sleep(_LOOK_ROUND)
                async with (
                    meanwhile(_watch(station, lambda: bytes(station.board.session.lights), watch)),
                    meanwhile(_watch(station, lambda: len(station.board.sounds), tones)),
                ):
                    hands = _Hands(station, pieces, Random(seed), watch, tones)  # noqa: S311
                    made = await hands.play(game.start(), turns)
                    with suppress(TimeoutError):  # the last answer counts too
                        async with asyncio.timeout(ANSWER):
                            await watch.stopped.wait()
            except TimeoutError:
                raise DriverError("The service did not find the simulated board.") from None
            finally:
                service.terminate()
    return Answers(watch.seconds, watch.later, made, tones.seconds)


def _service(game_id: str, folder: Path) -> subprocess.Popen[bytes]:
    settings = {
        "board.description": "simulated",
        "board.settings.port": folder / "board",
        "data": folder / "data",
        "game.id": game_id,
        "pages.port": 0,
        "sound.speech": "false",
    }
    changes = [word for key, value in settings.items() for word in ("-s", f"{key}={value}")]
    command = [sys.executable, "-m", "firmware_bridge", "run", *changes]
    return subprocess.Popen(  # noqa: S603 - our own command
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


async def _watch(station: Station, look: Callable[[], object], watch: _Stopwatch) -> None:
    """Stop a watch as soon as what is looked at on the board is different."""
    before = look()
    async for _ in station.glances():
        now = look()
        if now != before:
            before = now
            watch.changed()


@dataclass(frozen=True, slots=True)
class _Hands:
    """Hands at the simulated board, and the watches that they start."""

    station: Station
    pieces: Pieces
    dice: Random
    lights: _Stopwatch
    tones: _Stopwatch

    async def play(self, position: Position, turns: int) -> int:
        """Make turns and press for each; return how many there were."""
        for made in range(turns):
            turn = _any_turn(position, self.dice)
            if turn is None:
                return made
            at = 0.0
            for change in play(position, turn, self.pieces, self.dice):
                await asyncio.sleep((change.t - at) / _HAND_SPEED)
                at = change.t
                self.lights.sent()
                await self.station.play([Step(cell=change.cell, reading=change.reading)])
            await asyncio.sleep(self.dice.uniform(0.1, 0.2))
            self.lights.sent()
            self.tones.sent()
            await self.station.play([Step(button=position.side)])
            await asyncio.sleep(self.dice.uniform(0.1, 0.2))
            position = position.play(turn)
        return turns


def _any_turn(position: Position, dice: Random) -> Turn | None:
    """Return a turn that hands can make and the clock button can end."""
    if position.outcome is not None or position.awaited:
        return None
    turns = [
        turn
        for turn in islice(position.turns(), _LOOKED_AT)
        if turn.plain and position.deed(turn).physical
    ]
    return dice.choice(turns) if turns else None
