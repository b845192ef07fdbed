"""What follows for everybody from what both hosts are bound to: dice, and where a piece began."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.pledges import HAND, hashed
from rules.interface import Position, Side, Square, Turn
from rules.values import SIDES


def rolls(state: State) -> int:
    """Return how many rolls stand."""
    return sum(made.before.awaits_dice for made in state.played)


def drawn(state: State, links: Mapping[Side, str]) -> Turn:
    """Return what dice show when these links have been opened for them."""
    both = " ".join(links[side] for side in SIDES)
    return drawn_by(f"dice {rolls(state)} {both}", state.position)


def drawn_by(line: str, position: Position) -> Turn:
    """Return the roll that the hash of a line chooses among all, in the order of their texts."""
    turns: Sequence[Turn] = sorted(position.turns(), key=str)
    return turns[int(hashed(line)[:8], 16) % len(turns)]


def proved(state: State, side: Side, square: Square) -> str | None:
    """Return where the piece on a square began, `None` if nobody can know it but its owner."""
    places = _origins(state, side).get(square, frozenset())
    return next(iter(places)) if len(places) == 1 else None


def _origins(state: State, side: Side) -> dict[str, frozenset[str]]:
    """Return where each piece of a side may have begun, as everybody could see it."""
    first = state.first
    places = {square: frozenset({square}) for square in _of(first, side)}
    places[HAND] = frozenset({HAND} if first.hands[side] else ())
    for made, after in state.turns():
        came = {target: source for source, target in made.before.deed(made.turn).moves}
        stood, stands = _of(made.before, side), _of(after, side)
        kept = {s: came.get(s, s) for s in stands if came.get(s, s) in stood}
        gone = frozenset().union(*(places[s] for s in stood - set(kept.values())))
        dropped = dict.fromkeys(stands - kept.keys(), places[HAND])
        hand = places[HAND] | gone
        places = {s: places[source] for s, source in kept.items()} | dropped | {HAND: hand}
    return places


def _of(position: Position, side: Side) -> set[Square]:
    return {square for square, label in position.placement.items() if label[0] == side[0]}
