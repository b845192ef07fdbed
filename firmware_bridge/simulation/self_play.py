"""Hands that play by themselves on the simulated board, with the pace and habits of people."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from random import Random

import rules
from drivers.piece_set import PieceSet
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.simulation import Pieces, Style, play
from rules.interface import Game, Position, Turn

HABITS: tuple[Style, ...] = (
    "slide",
    "victim-first",
    "mover-first",
    "knocked",
    "adjust-own",
    "hesitate",
)
"""What hands may do now and then; one of them in every third turn."""
_THINK = (0.6, 2.5)
_BEFORE_CLOCK = (0.25, 0.7)
"""Seconds, least and most: those of quick players, so that a game played by itself is no bore."""
_LOOK_ROUND = 2.0
"""Seconds between the host's greeting and the first touch, for the set-up to be checked."""


class UnplayableError(ValueError):
    """A list of moves cannot be played; the text says which one and why."""


class SelfPlay:
    """A game to be played on the simulated board.

    Attributes:
        pieces: the pieces, standing as they must at the start.
    """

    def __init__(
        self, game: Game, texts: Sequence[str], piece_set: PieceSet, seed: int, speed: float
    ) -> None:
        """Prepare a game of turns, canonical or as written, at so many times the speed of people.

        Raises:
            UnplayableError: one of the turns is not legal, or a piece is lacking at the start.
        """
        try:
            self.pieces = Pieces(piece_set, game.start().placement, "face")
        except LookupError as lacking:
            raise UnplayableError(f"The piece set cannot begin {game.name}: {lacking}.") from None
        self._turns = tuple(_understood(game.start(), texts))
        self._dice = Random(seed)  # noqa: S311 - habits, not secrets
        self._speed = speed

    async def __call__(self, station: Station) -> None:
        """Wait for a host, then play the game to its end."""
        await station.until_online()
        await asyncio.sleep(_LOOK_ROUND)
        for position, turn in self._turns:
            await self._think(_THINK)
            await station.play(self._steps(position, turn))
            await self._think(_BEFORE_CLOCK)
            if position.side in station.board.description.button_names:
                await station.play([Step(button=position.side)])

    def _steps(self, position: Position, turn: Turn) -> list[Step]:
        habits = [self._dice.choice(HABITS)] if self._dice.random() < 0.33 else []
        changes = play(position, turn, self.pieces, self._dice, habits)
        return [
            Step(t=change.t / self._speed, cell=change.cell, reading=change.reading)
            for change in changes
        ]

    async def _think(self, seconds: tuple[float, float]) -> None:
        await asyncio.sleep(self._dice.uniform(*seconds) / self._speed)


def _understood(position: Position, texts: Iterable[str]) -> Iterable[tuple[Position, Turn]]:
    for number, text in enumerate(texts, 1):
        try:
            turn = position.understand(text)
        except rules.IllegalTurn as illegal:
            raise UnplayableError(f"Turn {number}, {text}: {illegal}") from illegal
        yield position, turn
        position = position.play(turn)
