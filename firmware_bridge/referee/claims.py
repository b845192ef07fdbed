"""Ends that need the history: repetition, the 50 and 75 moves, a flag against a bare king."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.referee.state import Played, State
    from rules.interface import Position, Side

CLAIMED_REPETITIONS, FORCED_REPETITIONS = 3, 5
CLAIMED_HALF_MOVES, FORCED_HALF_MOVES = 100, 150


def automatic_draw(state: State) -> str | None:
    """Return the reason of a draw that nobody needs to claim, or `None`."""
    if half_moves(state.position) >= FORCED_HALF_MOVES:
        return "seventy-five-moves"
    if repetitions(state) >= FORCED_REPETITIONS:
        return "fivefold-repetition"
    return None


def half_moves(position: Position) -> int:
    """Return the half-move clock; 0 in a game whose positions have none."""
    return int(str(position).split()[4]) if position.game.traits.kings else 0


def repetitions(state: State) -> int:
    """Return how often the position has stood, this time included; 1 in a game without kings."""
    if not state.position.game.traits.kings:
        return 1
    now, placement = state.position, state.position.placement
    earlier = (played.before for played in _repeatable(state))
    placed = [p for p in earlier if p.side == now.side and p.placement == placement]
    alike = [position for position in placed if _core(position) == _core(now)]
    if len(alike) + 1 < CLAIMED_REPETITIONS:
        return len(alike) + 1
    return 1 + sum(_passing(position) == _passing(now) for position in alike)


def _repeatable(state: State) -> tuple[Played, ...]:
    """Return the turns whose positions may come again: a capture or pawn move is never undone.

    Where a turn moves several pieces, a pawn may be put back as well.
    """
    if state.position.game.traits.long_turns:
        return state.played
    return state.played[max(0, len(state.played) - half_moves(state.position)) :]


def cannot_win(position: Position, side: Side) -> bool:
    """Return whether a player has only a bare king left, and so gets no win from a flag."""
    if not position.game.traits.kings:
        return False
    return [label for label in position.placement.values() if label[0] == side[0]] == [
        f"{side[0]}K"
    ]


def _core(position: Position) -> tuple[str, ...]:
    """Return the fields that must be equal: neither en passant nor the two counters."""
    fields = str(position).split()
    return (*fields[:3], *fields[6:])


def _passing(position: Position) -> str:
    """Return the en passant field where a capture is possible, else `-`."""
    squares = str(position).split()[3]
    if squares == "-" or position.game.traits.long_turns:
        return squares
    for turn in position.turns():
        deed = position.deed(turn)
        if any(target in squares for _, target in deed.moves) and not (
            set(deed.taken) <= {target for _, target in deed.moves}
        ):
            return squares
    return "-"
