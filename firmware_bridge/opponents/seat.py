"""One seat in one game: what it was told, and the mind that chooses for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from firmware_bridge.opponents.confinement import Door
from firmware_bridge.opponents.engine import Choice, nobody
from firmware_bridge.opponents.finding import engine_of
from firmware_bridge.opponents.levels import Level
from rules.belief import Belief, Knowledge, Seen
from rules.interface import Game, Position

_FIRST_LOOK = 1_000
"""Positions that an analysis looks at first; each further look takes three times as many."""
MOST = 10_000_000
"""Positions that it looks at in the end, at most: minutes on any machine."""


class Untold(Exception):  # noqa: N818 - whoever asks has to tell first
    """The seat was told nothing yet that it could choose from."""


class Seat:
    """What one seat knows. The same seed and the same events lead to the same turns."""

    def __init__(
        self, game: Game, level: Level, seed: str, stopped: Callable[[], bool] = nobody
    ) -> None:
        self._game = game
        self._level = level
        self._seed = seed
        self._mind = engine_of(game.id)(seed, stopped)
        self._mind.prepare(level)
        self._belief: Belief[Position] | None = None
        self._known = ""
        self._from_the_start = False
        self._attempts = 0

    @property
    def note(self) -> str:
        """What people should know of how it plays, perhaps nothing."""
        return self._mind.note

    @property
    def door(self) -> Door | None:
        """The program of others that it plays with, if it does."""
        return self._mind.door

    @property
    def belief(self) -> Belief[Position]:
        """What is possible after all that the seat was told.

        Raises:
            Untold: when nothing was told yet.
        """
        if self._belief is None:
            raise Untold("no position was told")
        return self._belief

    def know(self, knowledge: Knowledge) -> None:
        """Begin with what the seat knows of a position."""
        self._belief = self._game.believe(knowledge.side, knowledge)
        self._known = knowledge.text
        there = self.belief.worlds()[0].placement.keys()
        self._from_the_start = there == self._game.start().placement.keys()

    def see(self, seen: Seen) -> None:
        """Take in one turn of either side, as the seat may know it."""
        self._mind.saw(self.belief, seen.turn)
        self._belief = self.belief.after(seen)
        self._known = seen.knowledge.text
        self._attempts = 0

    def rule(self, move: str) -> None:
        """Take in that the game's own referee ruled on an attempt of the side to act.

        Raises:
            ValueError: when the game has no such referee, or there is nothing to rule on.
        """
        position = self.belief.worlds()[0]
        referee = self._game.referee(position, 0)
        after, ruling = referee.attempt(move) if referee else (None, None)
        if after is None or ruling is None:
            raise ValueError(f"there is nothing to rule on in {move!r}")
        self._mind.ruled(move, ruling)
        self._belief = Belief(self.belief.side, [after.position])
        self._attempts += 1

    def deepen(self, count: int, nodes: int, depth: int = 0) -> Iterator[tuple[Choice, ...]]:
        """Yield the best turns, looked at more deeply each time, until told to stop.

        The last look is at `nodes` positions at most, `depth` plies ahead if that is what is
        limited.
        """
        known = f"{self._seed} {self._known}"
        for look in self._looks(nodes, depth):
            found = self._mind.ranked(self.belief, look, Random(known), count)  # noqa: S311 - play
            if self._mind.stopped():
                return
            yield found
            if not depth and found[0].nodes < look.nodes // 3:
                return  # there is nothing more to look at

    def _looks(self, nodes: int, depth: int) -> Iterator[Level]:
        if depth:
            for plies in range(1, depth + 1):
                yield replace(self._level, nodes=nodes, own_nodes=nodes, depth=plies)
            return
        looked = min(_FIRST_LOOK, nodes)
        while looked <= nodes:
            yield replace(self._level, nodes=looked, own_nodes=looked)
            looked *= 3

    def choose(self) -> Choice:
        """Return what the mind wants to do."""
        chance = f"{self._seed} {self._level.number} {self._known} {self._attempts}"
        level = self._level
        if self._from_the_start:
            level = level.at(self.belief.worlds()[0].fullmove_number)
        return self._mind.choose(self.belief, level, Random(chance))  # noqa: S311 - play
