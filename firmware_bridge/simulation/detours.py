"""What hands do besides the turn: adjust, nudge, slide, hesitate, misplace, park."""

from __future__ import annotations

from itertools import islice

from firmware_bridge.simulation.script import Script
from rules.interface import Deed, Position, Square
from rules.values import king_steps

LOOKED_AT = 400
"""How many turns are looked through for another square that a piece could go to."""
_BRIEF, _SLOW = (0.03, 0.06), (0.35, 0.55)
"""Seconds, least and most, around what the reconciler tells apart: a contact that bounces and a
hand that touches (`BOUNCE`, `TOUCH`), a nudge and a lifted piece (`NUDGE`)."""


def adjust(script: Script, position: Position, deed: Deed) -> None:
    """Lift a piece that has no part in the turn and put it back."""
    mover = position.side[0]
    busy = _busy(deed)
    for style, own in (("adjust-own", True), ("adjust-other", False)):
        if style not in script.styles:
            continue
        there = sorted(script.pieces.on.keys() & position.placement.keys() - busy)
        cells = [cell for cell in there if (position.placement[cell][0] == mover) == own]
        if cells:
            cell = script.dice.choice(cells)
            tag = script.lift(cell)
            script.wait(0.25, 0.7)
            script.put(cell, tag)
            script.wait(0.2, 0.6)


def nudge(script: Script, *squares: Square) -> None:
    """Let a neighbour's contact open for a moment."""
    if "nudge" not in script.styles:
        return
    on = script.pieces.on
    cells = sorted(
        cell
        for cell in on
        if cell not in squares and any(_near(cell, square) for square in squares)
    )
    if cells:
        cell = script.dice.choice(cells)
        script.wait(0.02, 0.1)
        tag = script.lift(cell)
        script.wait(0.02, 0.12)
        script.put(cell, tag)
        script.wait(0.02, 0.1)


def hesitate(script: Script, position: Position, source: Square, target: Square) -> None:
    """Set the piece down elsewhere first: where it may go, for long, or where not, for a moment."""
    if "hesitate" in script.styles:
        elsewhere = frozenset(_legal_targets(position, source) - {target} - script.pieces.on.keys())
        least, most = 0.5, 1.5
    elif "misplace" in script.styles:
        free = position.game.squares - script.pieces.on.keys() - {target}
        elsewhere = free - _legal_targets(position, source)
        least, most = 0.15, 0.5
    else:
        return
    if elsewhere:
        stop = script.dice.choice(sorted(elsewhere))
        script.carry(source, stop)
        script.wait(least, most)
        script.take_up(stop, source)
        script.wait(0.15, 0.4)


def _legal_targets(position: Position, source: Square) -> set[Square]:
    deeds = (position.deed(turn) for turn in islice(position.turns(), LOOKED_AT))
    return {d.moves[0][1] for d in deeds if len(d.moves) == 1 and d.moves[0][0] == source}


def way(script: Script, source: Square, target: Square) -> list[Square]:
    """Return the free cells over which the piece is drawn, none if it is carried."""
    if not script.styles & {"slide", "slow-slide"} or script.holds(source):
        return []
    right, up = ord(target[0]) - ord(source[0]), int(target[1]) - int(source[1])
    length = max(abs(right), abs(up))
    if length < 2 or (right and up and abs(right) != abs(up)):
        return []
    path = [
        f"{chr(ord(source[0]) + right * n // length)}{int(source[1]) + up * n // length}"
        for n in range(1, length)
    ]
    return [] if any(cell in script.pieces.on for cell in path) else path


def slide(script: Script, source: Square, path: list[Square]) -> str:
    """Draw a piece along and return its tag, the hand being about to leave the last cell."""
    pause = _SLOW if "slow-slide" in script.styles else _BRIEF
    at = source
    for cell in path:
        if script.dice.random() < 0.5:
            script.cross(at, cell)
        else:
            tag = script.lift(at)
            script.wait(0.01, 0.05)
            script.put(cell, tag)
        script.wait(*pause)
        at = cell
    tag = script.lift(at)
    script.wait(0.01, 0.05)
    return tag


def park(script: Script, position: Position, tag: str, busy: set[Square]) -> None:
    """Put a piece that was taken down on another cell for a moment."""
    free = position.game.squares - script.pieces.on.keys() - busy
    near = sorted(cell for cell in free if any(_near(cell, square) for square in busy))
    if near:
        cell = script.dice.choice(near)
        script.put(cell, tag)
        script.wait(0.1, 0.28)  # where it stood longer it could be a turn's own second thoughts
        script.lift(cell)
        script.wait(0.05, 0.2)


def _near(one: Square, other: Square) -> bool:
    return king_steps(one, other) == 1


def _busy(deed: Deed) -> set[Square]:
    squares = {square for move in deed.moves for square in move} | set(deed.taken)
    squares.update(square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    return squares | ({deed.touch} if deed.touch else set())
