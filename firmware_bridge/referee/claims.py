"""Ends that need the history: repetition, the 50 and 75 moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.referee.game_state import State

CLAIMED_REPETITIONS, FORCED_REPETITIONS = 3, 5
CLAIMED_HALF_MOVES, FORCED_HALF_MOVES = 100, 150
"""FIDE Laws of Chess, 9.2, 9.3 and 9.6."""


def automatic_draw(state: State) -> str | None:
    """Return the reason of a draw that nobody needs to claim, or `None`."""
    if state.position.halfmove_clock >= FORCED_HALF_MOVES:
        return "seventy-five-moves"
    if repetitions(state) >= FORCED_REPETITIONS:
        return "fivefold-repetition"
    return None


def repetitions(state: State) -> int:
    """Return how often the position has stood, this time included; 1 where that means nothing."""
    now = state.position.repetition_key
    if now is None:
        return 1
    return 1 + sum(played.before.repetition_key == now for played in state.played)
