"""A press of the clock whose turn does not stand yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square


@dataclass(slots=True)
class LatePress:
    """A press that waits for the last contacts of its turn.

    Attributes:
        until: when it counts as it stands, `None` if no press waits.
        on: the squares that differed when it was made.
        came: squares on which something has come since, and has its time.
    """

    until: float | None = None
    on: frozenset[Square] = frozenset()
    came: frozenset[Square] = frozenset()
    _carried_until: float = 0.0

    def begin(self, scene: BoardState, opened: frozenset[Square], until: float) -> None:
        """Wait for what a hand carries, on cells that differ or were `opened` just now."""
        self.until, self.came = until, frozenset()
        self.on = frozenset(scene.differing) | opened
        self._carried_until = scene.trail.carried_until

    def carries(self, scene: BoardState) -> bool:
        """Wait longer if a hand is on its way yet; return whether it is."""
        if self.until is None or self._carried_until <= self.until or not scene.trail.lifting:
            return False
        self.until = self._carried_until
        return True

    def is_void(self, scene: BoardState) -> bool:
        """Return whether it was of nothing that stands here now."""
        on = (self.on, self.came or self.on)
        return any(squares.isdisjoint(scene.differing) for squares in on)

    def lets_stand(self, scene: BoardState, until: float) -> bool:
        """Wait for what came after it, if anything did; return whether it waits.

        Sealed, all of it has the same time, turn or none: a turn that is taken sooner than what is
        none costs would tell that it is one.
        """
        came = frozenset(scene.extra | scene.wrong)
        if not came or not came.isdisjoint(self.came or self.on):
            return False
        self.until, self.came = until, came
        return True
