"""Hands that make the movements which the board asks them for, or others."""

from __future__ import annotations

from collections.abc import Iterable

from drivers.piece_set import PieceSet
from firmware_bridge.messages.verdict import Step
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.script import Script
from rules.interface import Label, Square


class StepHands:
    """Hands that carry, lay aside, fetch and turn over, one movement after the other."""

    def __init__(self, piece_set: PieceSet, pieces: Pieces) -> None:
        self._pieces = pieces
        self._looks = {face.tag: face.look for piece in piece_set.pieces for face in piece.faces}

    def follow(self, script: Script, steps: Iterable[Step]) -> int:
        """Make movements in any order, with one hand or two; return how many could be made."""
        standing = dict(self._pieces.on)
        shown = list(steps)
        script.dice.shuffle(shown)
        made = 0
        for step in shown:
            meant = standing.get(step.source or "")
            if step.source is not None and (
                meant is None or self._pieces.on.get(step.source) != meant
            ):
                continue  # it was pushed aside, or lifted before this was shown
            if self._make(script, step):
                made += 1
                script.wait(0.1, 0.6)
        return made

    def carry_something(self, script: Script, squares: frozenset[Square]) -> None:
        """Carry any piece to a free one of these squares."""
        free = sorted(squares - self._pieces.on.keys())
        script.carry(script.dice.choice(sorted(self._pieces.on)), script.dice.choice(free))

    def lift_something(self, script: Script) -> None:
        """Lift any piece and set it down again."""
        cell = script.dice.choice(sorted(self._pieces.on))
        tag = script.lift(cell)
        script.wait(0.05, 3.0)
        script.put(cell, tag)

    def take_something_off(self, script: Script) -> None:
        """Lay any piece beside the board."""
        script.to_box(script.lift(script.dice.choice(sorted(self._pieces.on))))

    def _make(self, script: Script, step: Step) -> bool:
        """Make one movement; return whether there was a piece for it."""
        source, target, label = step.source, step.target, step.label
        anew = target is not None and source in (None, target)
        if anew and label and not self._at_hand(label, source):
            return False
        lifted = script.lift(source) if source is not None else None
        script.wait(0.1, 0.4)
        if target is None:
            script.to_box(lifted or "")
        elif anew:
            script.put(target, self._another(label, lifted))
        else:
            script.put(target, lifted or "")
        return True

    def _at_hand(self, label: Label, source: str | None) -> bool:
        pieces = self._pieces
        under = source is not None and self._is(pieces.turned(pieces.on[source]), label)
        return under or self._beside(label) is not None

    def _is(self, tag: str, label: Label) -> bool:
        """Return whether a piece that lies so is called so.

        Of a token only the face is, and where owners are secret only the kind.
        """
        known = self._pieces.tags[tag]
        return label in (known, f"?{known[1:]}", f"{self._looks[tag]}?")

    def _beside(self, label: Label) -> str | None:
        """Return how a piece in the box lies that is called so."""
        lying = (tag for held in self._pieces.box for tag in (held, self._pieces.turned(held)))
        return next((tag for tag in lying if self._is(tag, label)), None)

    def _another(self, label: Label | None, lifted: str | None) -> str:
        """Turn the lifted piece over, or take another one for it."""
        pieces = self._pieces
        if lifted is not None:
            if label is None or self._is(pieces.turned(lifted), label):
                return pieces.turned(lifted)
            pieces.box[lifted] = None
        found = self._beside(label) if label else None
        found = found or next(iter(pieces.box))
        pieces.box.pop(found, None)
        pieces.box.pop(pieces.turned(found), None)
        return found
