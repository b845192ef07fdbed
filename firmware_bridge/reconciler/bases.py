"""What a board is held against, from turn to turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.seats import Opening
    from rules.interface import Deed, Label, Position, Square, Turn


@dataclass(slots=True)
class Base:
    """One thing that the board is held against: a position, and what was felt since.

    Attributes:
        scene: the position with what was felt.
        turn: the turn that led there, if it may have been another one.
        opening: which like piece belongs where, while that is still learnt.
    """

    scene: BoardState
    turn: Turn | None = None
    opening: Opening | None = None

    def note(self, cell: str, reading: Reading, t: float) -> None:
        """Take in that a cell now reads something else than before."""
        anew = self.opening.note(cell, reading, t) if self.opening else None
        if anew is None:
            self.scene.note(cell, reading, t)
        else:
            self.scene = anew


@dataclass(frozen=True, slots=True)
class Past:
    """A position of this game that was left by a turn.

    Attributes:
        position: the position.
        placement: its pieces by square.
        roles: what tagged pieces were in it.
        turn: the turn that had led there, if it may have been another one.
    """

    position: Position
    placement: Mapping[Square, Label]
    roles: Mapping[str, Label]
    turn: Turn | None

    @classmethod
    def of(cls, base: Base) -> Past:
        """Return what is left."""
        scene = base.scene
        return cls(scene.position, scene.placement, scene.identities.roles, base.turn)


class Rival(NamedTuple):
    """What the two turns made last may have been instead.

    Attributes:
        past: the position to which the earlier one led.
        base: where the later one led from there, and what was felt since.
    """

    past: Past
    base: Base


def remember_sides(base: BoardState, deed: Deed, scene: BoardState) -> None:
    """Go on knowing the tags of discs that are not read now, after what was done to them."""
    came_from = {target: source for source, target in deed.moves}
    turned = {square for square, _ in deed.flips}
    placed = {square for square, _ in deed.placed}
    for square in scene.placement.keys() - placed:
        home = came_from.get(square, square)
        uid = base.identities.side_of(square, home, turned=square in turned)
        scene.identities.remember(square, uid)
