"""The fewest hand movements that put a board right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.messages.verdict import Step
from firmware_bridge.reconciler.identities import same_disc

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rules.interface import Label, Square


def way_back(
    shown: Mapping[Square, Label],
    placement: Mapping[Square, Label],
    origin: Mapping[Square, Square] | None = None,
    beside: Mapping[str, Label] | None = None,
    strange: Collection[Square] = (),
    *,
    apart: bool = False,
) -> tuple[Step, ...]:
    """Return the hand movements from `shown` to `placement`, in an order that can be done.

    Args:
        shown: what stands where; an empty label where the board cannot tell.
        placement: what should stand where.
        origin: where pieces stood at first, as far as known: it decides between like pieces.
        beside: what stands on reserve cells, from where missing pieces are fetched.
        strange: squares whose piece must leave, also where a like one is due.
        apart: whether like pieces differ, so that each goes to where it stood and nowhere else.
    """
    both = shown.keys() & placement.keys()
    wrong = {square for square in both if shown[square] and shown[square] != placement[square]}
    wrong |= both.intersection(strange)
    leaving = {square: shown[square] for square in sorted(wrong.union(shown.keys() - both))}
    needing = {square: placement[square] for square in sorted(wrong.union(placement.keys() - both))}
    carried = _pair(leaving, needing, origin or {}, apart=apart)
    if not apart:
        _break_rings(carried, leaving, needing)
    steps = [Step(here, to, needing[to]) for here, to in carried.items() if here == to]
    steps += [Step(here, None) for here in leaving if here not in carried]
    waiting = {here: to for here, to in carried.items() if here != to}
    while waiting:
        free = next((here for here, to in waiting.items() if to not in waiting), None)
        here = free or min(waiting)  # in a ring no square is free: one piece goes off the board
        to = waiting.pop(here)
        steps.append(Step(here, to, needing[to]) if free else Step(here, None))
    spare = dict(sorted((beside or {}).items()))
    for to in sorted(needing.keys() - {step.target for step in steps}):
        cell = next((cell for cell, label in spare.items() if label == needing[to]), None)
        spare.pop(cell or "", None)
        steps.append(Step(cell, to, needing[to]))
    return tuple(steps)


def goes(have: Label, due: Label) -> bool:
    """Return whether a piece may be the one that is due: the same, or a disc the other way up."""
    return not have or have == due or same_disc(have, due)


def _pair(
    leaving: Mapping[Square, Label],
    needing: Mapping[Square, Label],
    origin: Mapping[Square, Square],
    *,
    apart: bool,
) -> dict[Square, Square]:
    """Return which piece that must leave goes where one is needed, as many as possible."""
    carried: dict[Square, Square] = {}
    free = dict(needing)
    known = sorted(leaving.items(), key=lambda item: (not item[1], item[0] not in origin))
    for here, have in known:
        home = origin.get(here, "")
        places = {home} & free.keys() if apart and have else free
        fitting = [to for to in places if goes(have, free[to])]
        if fitting:
            carried[here] = min(fitting, key=lambda to: (to != home, to in leaving, to))
            del free[carried[here]]
    return carried


def _break_rings(
    carried: dict[Square, Square],
    leaving: Mapping[Square, Label],
    needing: Mapping[Square, Label],
) -> None:
    """Break rings of pieces where a like piece or another square can do it: it saves a movement."""
    for here in list(carried):
        ring = _ring(carried, here)
        if not ring:
            continue
        likes = [
            other
            for other, have in leaving.items()
            if (have == leaving[here] or same_disc(have, leaving[here]))
            and other not in ring
            and carried.get(other) != other
        ]
        taken = carried.values()
        free = [to for to, due in needing.items() if to not in taken and goes(leaving[here], due)]
        if likes:
            other = min(likes, key=lambda like: like in carried)  # one that goes nowhere first
            if other in carried:
                carried[here], carried[other] = carried[other], carried[here]
            else:
                carried[other] = carried.pop(here)
        elif free:
            carried[here] = free[0]


def _ring(carried: Mapping[Square, Square], start: Square) -> set[Square]:
    """Return the squares of the ring through `start`, or nothing if it is in none."""
    ring, square = {start}, carried[start]
    while square in carried and square not in ring:
        ring.add(square)
        square = carried[square]
    return ring if square == start and len(ring) > 1 else set()
