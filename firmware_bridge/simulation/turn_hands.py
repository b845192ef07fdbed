"""How hands make one legal turn."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from drivers.port import CellEvent
from firmware_bridge.simulation import detours
from firmware_bridge.simulation.script import Script
from firmware_bridge.simulation.styles import Style
from firmware_bridge.simulation.supply import Pieces
from rules.interface import Deed, Label, Position, Square, Turn


def play(
    position: Position,
    turn: Turn,
    pieces: Pieces,
    dice: Random,
    styles: Iterable[Style] = (),
) -> tuple[CellEvent, ...]:
    """Return what the board feels while hands make a turn, in seconds since they began.

    The pieces stand afterwards as the turn leaves them. Styles that cannot happen in it do not.
    """
    hands = _Hands(position, position.deed(turn), Script(pieces, dice, frozenset(styles)))
    detours.adjust(hands.script, position, hands.deed)
    hands.flip_first()
    hands.move_all()
    hands.place()
    hands.flip()
    hands.change()
    return hands.script.felt()


class _Hands:
    """Hands that make one turn."""

    def __init__(self, position: Position, deed: Deed, script: Script) -> None:
        self.position = position
        self.deed = deed
        self.script = script
        self._flips = dict(deed.flips)
        self._becomes = dict(deed.becomes)
        self._styles = script.styles

    def flip_first(self) -> None:
        """Turn over before the move what stays where it is, if hands like to."""
        if "flip-first" in self._styles:
            busy = {square for move in self.deed.moves for square in move}
            for square in sorted(self._flips.keys() - busy):
                self._turn_over(square, self._flips.pop(square))

    def flip(self) -> None:
        """Turn over what is still to be turned."""
        for square, label in self._flips.items():
            self._turn_over(square, label)

    def place(self) -> None:
        """Bring pieces onto the board."""
        for square, label in self.deed.placed:
            self.script.put(square, self.script.pieces.fetch(label))
            self.script.wait(0.1, 0.4)

    def move_all(self) -> None:
        """Carry every piece of the turn, in any order, victims off when hands come to them."""
        script = self.script
        moves = list(self.deed.moves)
        script.dice.shuffle(moves)
        victims = set(self.deed.taken)
        sources = {source for source, _ in moves}
        together = "both-hands" in self._styles and len(moves) > 1
        if any(target in sources for _, target in moves):
            one_by_one = None if together or script.dice.random() < 0.5 else _one_by_one(moves)
            together = one_by_one is None
            moves = one_by_one or moves
        if together:
            self._all_at_once(moves, victims)
            return
        for source, target in moves:
            if target in victims:
                victims.discard(target)
                self._capture(source, target)
            else:
                self._plain_move(source, target)
            script.wait(0.1, 0.5)
        for square in sorted(victims):
            if not moves:
                self._look_below(square)
            script.to_box(script.lift(square))
            script.wait(0.1, 0.4)

    def _look_below(self, square: Square) -> None:
        """Turn over a disc of the other side that goes only if what lies below says so."""
        script = self.script
        label = self.position.placement[square]
        if ":" in label and label[0] != self.position.side[0]:
            tag = script.lift(square)
            script.wait(0.15, 0.4)
            script.put(square, script.pieces.turned(tag))
            script.wait(0.2, 0.4)

    def change(self) -> None:
        """Exchange what the turn makes into something else, or leave it standing."""
        pieces = self.script.pieces
        if "left-standing" in self._styles:
            self._touch()
            return
        for square, label in self._becomes.items():
            tag = pieces.on[square]
            if pieces.tags[tag] == label:
                continue
            if pieces.tags[pieces.turned(tag)] == label:
                self._turn_over(square, label)
            elif pieces.has(label):
                self.script.to_box(self.script.lift(square))
                self.script.wait(0.15, 0.5)
                self.script.put(square, pieces.fetch(label))
                self.script.wait(0.1, 0.3)

    def _touch(self) -> None:
        """Touch the square that confirms the turn, if it has one."""
        if self.deed.touch is not None:
            tag = self.script.lift(self.deed.touch)
            self.script.wait(0.25, 0.4)
            self.script.put(self.deed.touch, tag)

    def _turn_over(self, square: Square, label: Label) -> None:
        pieces = self.script.pieces
        tag = pieces.turned(self.script.lift(square))
        if pieces.tags[tag] != label:
            raise LookupError(f"the piece on {square} has no face {label}")
        self.script.wait(0.15, 0.4)
        self.script.put(square, tag)
        self.script.wait(0.1, 0.3)

    def _all_at_once(self, moves: list[tuple[Square, Square]], victims: set[Square]) -> None:
        script = self.script
        lifted: dict[Square, str] = {}
        for source, _ in moves:
            lifted[source] = script.lift(source)
            script.wait(0.03, 0.3)
        for square in sorted(victims):
            script.to_box(script.lift(square))
            script.wait(0.1, 0.3)
        script.wait(0.06, 0.2)  # no hand comes back before the contact has come to rest
        for source, target in moves:
            script.put(target, lifted[source])
            script.wait(0.05, 0.4)

    def _capture(self, source: Square, target: Square) -> None:
        """Take a piece with another, in one of the orders that hands have."""
        script, styles = self.script, self._styles
        if "knocked" in styles:
            tag = script.lift(source)
            script.wait(0.15, 0.6)
            self._arrive(target, tag)
            return
        first, second = (source, target) if "mover-first" in styles else (target, source)
        one = script.lift(first)
        script.wait(*((0.0, 0.04) if "both-hands" in styles else (0.1, 0.5)))
        if "parked" in styles and first == target:
            detours.park(script, self.position, one, busy={source, target})
        other = script.lift(second)
        mover, victim = (one, other) if first == source else (other, one)
        script.wait(*((0.03, 0.1) if "both-hands" in styles else (0.15, 0.5)))
        self._arrive(target, mover)
        script.to_box(victim)

    def _plain_move(self, source: Square, target: Square) -> None:
        script = self.script
        label = self._becomes.get(target)
        if label and "piece-first" in self._styles and script.pieces.has(label):
            script.put(target, script.pieces.fetch(label))
            script.wait(0.15, 0.5)
            script.to_box(script.lift(source))
            return
        if len(self.deed.moves) == 1:
            detours.hesitate(script, self.position, source, target)
        path = detours.way(script, source, target)
        tag = detours.slide(script, source, path) if path else script.lift(source)
        detours.nudge(script, source, target)
        if not path:
            script.wait(0.15, 0.6)
        self._arrive(target, tag)

    def _arrive(self, target: Square, tag: str) -> None:
        """Set a piece down, turned over or exchanged on the way if hands like to."""
        pieces = self.script.pieces
        if "flip-first" in self._styles and target in self._flips:
            del self._flips[target]
            tag = pieces.turned(tag)
        label = self._becomes.get(target)
        exchange = label and "left-standing" not in self._styles and pieces.has(label)
        if label and exchange and self.script.dice.random() < 0.5:
            self.script.to_box(tag)
            tag = pieces.fetch(label)
        self.script.put(target, tag)


def _one_by_one(moves: list[tuple[Square, Square]]) -> list[tuple[Square, Square]] | None:
    """Return the moves so that each finds its square empty, `None` where they go in a ring."""
    order: list[tuple[Square, Square]] = []
    waiting = list(moves)
    while waiting:
        held = {source for source, _ in waiting}
        free = [move for move in waiting if move[1] not in held]
        if not free:
            return None
        order.append(free[0])
        waiting.remove(free[0])
    return order
