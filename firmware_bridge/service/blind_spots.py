"""Cells that nobody watched for a while: what they tell next may have been so for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.port import CellEvent, Snapshot

if TYPE_CHECKING:
    from collections.abc import Collection

    from firmware_bridge.messages import Input

HEARTBEAT = 1.0
"""Seconds after which whoever waits for news looks at the clock again."""
STOPPED = 2.0
"""Seconds later than that, at which it must have been stopped itself."""
BACKLOG = 1.0
"""Seconds after it within which news of what happened meanwhile is stamped, where it is stamped as
it comes and not by a board with a clock of its own."""


class BlindSpots:
    """Remembers which cells were not watched.

    Args:
        cells: the cells of the board.
    """

    def __init__(self, cells: Collection[str]) -> None:
        self._all = frozenset(cells)
        self._unseen: frozenset[str] = frozenset()
        self._behind_until = 0.0

    def lost(self, cells: Collection[str] = ()) -> None:
        """These cells, or all, cannot be felt for now."""
        self._unseen |= frozenset(cells) or self._all

    def waited(self, began: float, now: float) -> None:
        """Take in how long a wait of one heartbeat took: the service may have been stopped."""
        if now - began > HEARTBEAT + STOPPED:
            self._behind_until = now + BACKLOG

    def hides(self, item: Input) -> bool:
        """Return whether this is the first news of what nobody watched; it is told of once."""
        if isinstance(item, Snapshot):
            self._see_all()
        if not isinstance(item, CellEvent):
            return False
        hidden = item.cell in self._unseen or item.t < self._behind_until
        if hidden:
            self._see_all()
        return hidden

    def _see_all(self) -> None:
        self._unseen, self._behind_until = frozenset(), 0.0
