"""Where two people begin, and hands that lay their turns on a timeline."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from random import Random

from drivers.port import ButtonEvent
from firmware_bridge.bench.clumsiness import TRIED
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.messages import Answer
from firmware_bridge.simulation import Pieces, Style, play
from firmware_bridge.simulation.script import Script
from rules.interface import Label, Position, Square, Turn

BETWEEN = (0.2, 1.5)
"""Seconds, least and most, between one player's turn and what follows it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where hands begin.

    Attributes:
        position: the position.
        pieces: the pieces, which show it and are moved by the hands.
        dice: where all chance comes from.
        clock: whether there are buttons.
        take_backs: whether turns may be undone on the board.
    """

    position: Position
    pieces: Pieces
    dice: Random
    clock: bool
    take_backs: bool = False

    def between(self) -> float:
        """Return how long it takes until somebody does the next thing."""
        return self.dice.uniform(*BETWEEN)


@dataclass(frozen=True, slots=True)
class Handling:
    """What hands do, and the turns that must stand when they are through and nothing is open."""

    line: Timeline
    turns: tuple[Turn, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """Where the turns lead, the position before the first of them included."""
        return tuple(
            accumulate(self.turns, lambda p, turn: p.play(turn), initial=self.line.position)
        )


class Hands:
    """Hands that lay one turn after the other on a timeline."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.position = scene.position
        self.line = Timeline(scene.position, scene.pieces.standing(), scene.dice)
        self.turns: list[Turn] = []
        self._mover = scene.position.side

    def make(
        self, turn: Turn, how: frozenset[Style] = frozenset(), at: float | None = None
    ) -> None:
        """Make a turn, with pieces or by a word of its own if it moves none."""
        scene, position = self.scene, self.position
        start = self.line.end + scene.between() if at is None else at
        deed = position.deed(turn)
        if deed.physical:
            self.line.follow(play(position, turn, scene.pieces, scene.dice, how), at=start)
            self.line.taken += deed.taken
            self.line.plain &= turn.plain
        else:
            self.line.add(Answer(start, str(turn)))
        self._made(turn)

    def take(self, turn: Turn, script: Script, at: Square) -> None:
        """End a script by a capture: the victim is taken off, and the piece carried from `at`."""
        ((_, target),) = self.position.deed(turn).moves
        script.to_box(script.lift(target))
        script.wait(*TRIED)
        script.carry(at, target)
        self.line.taken += (target,)
        self._made(turn)

    def _made(self, turn: Turn) -> None:
        self.turns.append(turn)
        self._mover = self.position.side
        self.position = self.position.play(turn)

    def press(self) -> None:
        """Let the player press who made the last turn."""
        if self.scene.clock:
            self.line.add(ButtonEvent(self.line.end + self.scene.between(), self._mover))

    def exchange(self, square: Square, label: Label) -> None:
        """Put another piece there."""
        pieces = self.scene.pieces
        script = Script(pieces, self.scene.dice, frozenset())
        script.to_box(script.lift(square))
        script.wait(0.2, 0.6)
        script.put(square, pieces.fetch(label))
        self.line.follow(script.felt(), at=self.line.end + self.scene.between())

    def done(self) -> Handling:
        """Return what was made."""
        return Handling(self.line, tuple(self.turns))
