"""Draws that follow from the history of a game: repetition, 50 and 75 moves, no progress."""

from __future__ import annotations

from collections.abc import Sequence

from rules.interface import Outcome, Position

CLAIMED_REPETITIONS, FORCED_REPETITIONS = 3, 5
CLAIMED_HALF_MOVES, FORCED_HALF_MOVES = 100, 150
"""FIDE Laws of Chess, 9.2, 9.3 and 9.6."""
CLAIMED_QUIET_TURNS, FORCED_QUIET_TURNS = 80, 120
"""Turns of both sides without what a game counts as progress: forty of each, sixty of each."""

CLAIMS = ("repetition", "fifty-moves", "no-progress")
"""Why a player may claim a draw."""


def claimable(before: Sequence[Position], now: Position) -> tuple[str, ...]:
    """Return why a draw may be claimed: some of `CLAIMS`, perhaps none.

    Args:
        before: every position of the game up to now, the first one first.
        now: the position that stands.
    """
    found = _found(before, now, CLAIMED_REPETITIONS, CLAIMED_HALF_MOVES, CLAIMED_QUIET_TURNS)
    return tuple(why for why, there in zip(CLAIMS, found, strict=True) if there)


def stillness(before: Sequence[Position], now: Position) -> int:
    """Return how many turns of both sides have brought no progress, in a game that counts them."""
    return max(now.halfmove_clock, _quiet_turns(before, now))


def drawn(before: Sequence[Position], now: Position) -> Outcome | None:
    """Return the draw that somebody would claim; as `claimable`."""
    why = claimable(before, now)
    return Outcome(None, why[0]) if why else None


def forced(before: Sequence[Position], now: Position) -> str | None:
    """Return the reason of a draw that nobody needs to claim, or `None`; as `claimable`."""
    found = _found(before, now, FORCED_REPETITIONS, FORCED_HALF_MOVES, FORCED_QUIET_TURNS)
    named = zip(("fivefold-repetition", "seventy-five-moves", "no-progress"), found, strict=True)
    return next((why for why, there in named if there), None)


def _found(
    before: Sequence[Position], now: Position, times: int, half_moves: int, quiet: int
) -> tuple[bool, bool, bool]:
    return (
        repetitions(before, now) >= times,
        now.halfmove_clock >= half_moves,
        _quiet_turns(before, now) >= quiet,
    )


def repetitions(before: Sequence[Position], now: Position) -> int:
    """Return how often the position has stood, this time included; 1 where that means nothing."""
    if now.repetition_key is None:
        return 1
    return 1 + sum(position.repetition_key == now.repetition_key for position in before)


def _quiet_turns(before: Sequence[Position], now: Position) -> int:
    """Return how many turns both have made since the last progress; 0 where none is counted."""
    if now.progress is None:
        return 0
    first = now
    for position in reversed(before):
        if position.progress != now.progress:
            break
        first = position
    return _turns_made(now) - _turns_made(first)


def _turns_made(position: Position) -> int:
    return 2 * position.fullmove_number + (position.side == "black")
