"""Which turns are made by hands without a word, and which fit together as a turn and its reply."""

from __future__ import annotations

from itertools import islice
from random import Random

from firmware_bridge.bench.games import LOOKED_AT
from rules.interface import Deed, Position, Square, Turn


def plain_turns(position: Position) -> list[Turn]:
    """Return turns that hands make without a word."""
    if position.outcome is not None:
        return []
    turns = islice(position.turns(), LOOKED_AT)
    return [turn for turn in turns if turn.plain and position.deed(turn).physical]


def apart(one: Deed, other: Deed) -> bool:
    """Return whether two turns have no square in common."""
    return squares_of(one).isdisjoint(squares_of(other))


def taken_apart(one: Deed, other: Deed) -> bool:
    """Return whether the first of two turns takes something, and they have no square in common."""
    return bool(one.taken) and apart(one, other)


def moved_apart(one: Deed, other: Deed) -> bool:
    """Return whether the first of two turns moves something, and they have no square in common."""
    return bool(one.moves) and apart(one, other)


def takes_alone(one: Deed, _other: Deed) -> bool:
    """Return whether the first of two turns is a capture of what stood there, and nothing else."""
    return (
        one == Deed(moves=one.moves, taken=tuple(to for _, to in one.moves)) and len(one.moves) == 1
    )


def takes_what_moved(one: Deed, other: Deed) -> bool:
    """Return whether the second turn takes what the first one has moved."""
    return not arrivals(one).isdisjoint(other.taken)


def squares_of(deed: Deed) -> set[Square]:
    """Return every square on which a turn changes anything."""
    changed = (square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    return {*deed.taken, *changed, *(square for move in deed.moves for square in move)}


def arrivals(deed: Deed) -> set[Square]:
    """Return the squares to which a turn moves pieces."""
    return {target for _, target in deed.moves}


def onto_vacated(one: Deed, other: Deed) -> bool:
    """Return whether the second turn goes where the first one comes from."""
    left = {source for source, _ in one.moves}
    return any(target in left for _, target in other.moves)


def in_question(position: Position, dice: Random) -> Turn | None:
    """Return a turn that looks like others, the one that is presumed if nobody says which."""
    alike: dict[object, list[Turn]] = {}
    for turn in islice(position.turns(), LOOKED_AT):
        deed = position.deed(turn)
        if deed.physical:
            alike.setdefault((deed.moves, deed.taken, deed.placed), []).append(turn)
    presumed = []
    for turns in alike.values():
        plain = [turn for turn in turns if turn.plain]
        queens = [t for t in turns if any(b[1][1:] == "Q" for b in position.deed(t).becomes)]
        if len(turns) > 1 and (plain or queens):
            presumed.append((plain or queens)[0])
    return dice.choice(presumed) if presumed else None
