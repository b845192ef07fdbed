"""The restoration: the fewest hand movements that make the board show the position again.

A hand movement carries one piece to an empty square, takes one off the board, brings one back, or
turns one over where it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.messages.verdict import Step
from firmware_bridge.reconciler.labels import same_disc

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rules.interface import Label, Square


def way_back(
    shown: Mapping[Square, Label],
    placement: Mapping[Square, Label],
    origin: Mapping[Square, Square] | None = None,
    beside: Mapping[str, Label] | None = None,
    strange: Collection[Square] = (),
) -> tuple[Step, ...]:
    """Return the hand movements from `shown` to `placement`, in an order that can be done.

    Args:
        shown: what stands where; an empty label where the board cannot tell.
        placement: what should stand where.
        origin: where pieces stood at first, as far as known: it decides between like pieces.
        beside: what stands on reserve cells, from where missing pieces are fetched.
        strange: squares whose piece must leave, also where a like one is due.
    """
    both = shown.keys() & placement.keys()
    wrong = {square for square in both if shown[square] and shown[square] != placement[square]}
    wrong |= both.intersection(strange)
    leaving = sorted(wrong.union(shown.keys() - both))
    needing = sorted(wrong.union(placement.keys() - both))
    carried = _pair(leaving, needing, shown, placement, origin or {})
    _break_rings(carried, leaving, needing, shown, placement)
    return _in_order(
        leaving, needing, carried, shown, placement, dict(sorted((beside or {}).items()))
    )


def _goes(have: Label, due: Label) -> bool:
    """Return whether a piece may be the one that is due: the same, or a disc the other way up."""
    return not have or have == due or same_disc(have, due)


def _alike(one: Label, other: Label) -> bool:
    """Return whether one piece may go wherever the other may."""
    return one == other or same_disc(one, other)


def _pair(
    leaving: list[Square],
    needing: list[Square],
    shown: Mapping[Square, Label],
    placement: Mapping[Square, Label],
    origin: Mapping[Square, Square],
) -> dict[Square, Square]:
    """Return which piece that must leave goes where one is needed, as many as possible."""
    carried: dict[Square, Square] = {}
    free = list(needing)
    for source in sorted(leaving, key=lambda s: not shown[s]):
        have, home = shown[source], origin.get(source)
        if home in free and _goes(have, placement[home]):
            carried[source] = home
        elif fitting := [target for target in free if _goes(have, placement[target])]:
            carried[source] = min(fitting, key=lambda target: (target in shown, target))
        else:
            continue
        free.remove(carried[source])
    return carried


def _break_rings(
    carried: dict[Square, Square],
    leaving: list[Square],
    needing: list[Square],
    shown: Mapping[Square, Label],
    placement: Mapping[Square, Label],
) -> None:
    """Break rings of pieces where a like piece or another square can do it: it saves a movement."""
    if carried.keys().isdisjoint(carried.values()):
        return
    for source in list(carried):
        ring = _ring(carried, source) if source in carried else set()
        if not ring:
            continue
        likes = [
            s
            for s in leaving
            if _alike(shown[s], shown[source]) and s not in ring and carried.get(s) != s
        ]
        taken = set(carried.values())
        label = shown[source]
        free = [s for s in needing if s not in taken and _goes(label, placement[s])]
        idle = [s for s in likes if s not in carried]
        if idle:
            carried[idle[0]] = carried.pop(source)
        elif likes:
            carried[source], carried[likes[0]] = carried[likes[0]], carried[source]
        elif free:
            carried[source] = free[0]


def _ring(carried: Mapping[Square, Square], start: Square) -> set[Square]:
    """Return the squares of the ring through `start`, or nothing if it is in none."""
    ring = {start}
    square = carried[start]
    while square != start:
        if square not in carried or square in ring:
            return set()
        ring.add(square)
        square = carried[square]
    return ring if len(ring) > 1 else set()


def _in_order(
    leaving: list[Square],
    needing: list[Square],
    carried: dict[Square, Square],
    shown: Mapping[Square, Label],
    placement: Mapping[Square, Label],
    beside: dict[str, Label],
) -> tuple[Step, ...]:
    """Return the steps so that every piece finds its square empty when it comes."""
    steps: list[Step] = []
    occupied = set(shown)
    waiting = dict(carried)
    for source, target in carried.items():
        if source == target:
            steps.append(Step(source, target, placement[target]))
            del waiting[source]
    for source in leaving:
        if source not in carried:
            steps.append(Step(source, None))
            occupied.discard(source)
    parked = _carry(steps, waiting, occupied, placement)
    arriving = set(carried.values()) - parked
    steps += [
        Step(_fetch(placement[target], beside), target, placement[target])
        for target in needing
        if target not in arriving
    ]
    return tuple(steps)


def _carry(
    steps: list[Step],
    waiting: dict[Square, Square],
    occupied: set[Square],
    placement: Mapping[Square, Label],
) -> set[Square]:
    """Add the movements from square to square; return the targets of pieces parked beside.

    Pieces that go round in a ring have no free square to begin with: one of them is taken off.
    """
    parked: set[Square] = set()
    while waiting:
        source = next((s for s, t in waiting.items() if t not in occupied), None)
        if source is not None:
            target = waiting.pop(source)
            steps.append(Step(source, target, placement[target]))
            occupied.add(target)
        else:
            source = min(waiting)
            parked.add(waiting.pop(source))
            steps.append(Step(source, None))
        occupied.discard(source)
    return parked


def _fetch(label: Label, beside: dict[str, Label]) -> str | None:
    """Return the reserve cell from which a piece is brought, or `None` for the table."""
    cell = next((c for c, have in beside.items() if have == label), None) if beside else None
    if cell is not None:
        del beside[cell]
    return cell
