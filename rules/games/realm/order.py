"""Whether a set of steps can be made in some order.

Every need of a step but one is met or broken by other single steps: a square must have been left
before, or must not have been entered yet. So an order exists unless these needs go round in a
circle. The exception is castling, which looks at attacks at its moment: there the steps made
before it are tried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from rules.games.realm.bitboard import BETWEEN, Board, scan
from rules.games.realm.steps import Step


class Order(Enum):
    """The answer: an order exists; none exists; none would exist with more steps either."""

    EXISTS = "exists"
    MISSING = "missing"
    NEVER = "never"


def find_order(board: Board, steps: Sequence[Step]) -> Order:
    """Return whether `steps`, each of another piece, can be made in some order."""
    entered = left = through = waits = 0
    castling = arranging = False
    for step in steps:
        if step.enters & entered or step.leaves & left:
            return Order.NEVER
        entered |= step.enters
        left |= step.leaves | step.victim
        through |= step.through & ~step.enters
        waits |= step.waits
        castling |= step.castles
        arranging |= step.arranges
    if waits & ~left:
        return Order.MISSING
    if not (castling or arranging or waits or through & entered or left & board.enemy & entered):
        return Order.EXISTS  # nobody is in anybody's way
    return _untangle(board, steps, arranging=arranging)


def _untangle(board: Board, steps: Sequence[Step], *, arranging: bool) -> Order:
    """Return whether steps that are in each other's way can be ordered."""
    parts = list(steps)
    if arranging:
        parts = [step for step in steps if not step.arranges]
        whole = merge(board, [step for step in steps if step.arranges])
        if traded(board, whole):
            return Order.NEVER
        parts.append(whole)
    before = [_predecessors(part, parts) for part in parts]
    if not _acyclic(before):
        return Order.NEVER
    for index, part in enumerate(parts):
        if part.castles and not _castling_possible(board, parts, before, index):
            return Order.MISSING
    return Order.EXISTS


def merge(board: Board, steps: Sequence[Step]) -> Step:
    """Return the one step that rearranges all the pieces of the rearranging `steps` at once."""
    leaves = enters = 0
    for step in steps:
        leaves |= step.leaves
        enters |= step.enters
    free = enters & ~leaves
    moves = tuple(step.moves[0] for step in steps)
    return Step(moves, leaves, enters, free, free & board.occupied, arranges=True)


def traded(board: Board, whole: Step) -> int:
    """Return the squares that a rearrangement takes from one piece and gives to a like one.

    Like pieces never trade places, so a rearrangement with such a square is none. They are alike
    by what they are before it: a pawn that promotes is like no queen.
    """
    both = whole.leaves & whole.enters
    return sum(
        1 << move.target
        for move in whole.moves
        if both >> move.target & 1 and board.kind(move.target) == board.kind(move.source)
    )


def _predecessors(part: Step, parts: Sequence[Step]) -> int:
    """Return the bit set of the indices of all `parts` that must be made before `part`."""
    path = part.through | part.enters
    found = 0
    for index, other in enumerate(parts):
        if other is not part and (
            (other.leaves | other.victim) & path
            or other.through & part.enters
            or other.prey & part.victim
        ):
            found |= 1 << index
    return found


def _acyclic(before: Sequence[int]) -> bool:
    """Return whether the parts can be lined up with all predecessors first."""
    done, waiting = 0, list(enumerate(before))
    while waiting:
        stuck = []
        for index, needed in waiting:
            if needed & ~done:
                stuck.append((index, needed))
            else:
                done |= 1 << index
        if len(stuck) == len(waiting):
            return False
        waiting = stuck
    return True


def _castling_possible(
    board: Board, parts: Sequence[Step], before: Sequence[int], castling: int
) -> bool:
    """Return whether the king can castle unattacked at some point of some order."""
    needed, last = _closure(before, castling), 0
    for index in range(len(parts)):
        if _closure(before, index) >> castling & 1:
            last |= 1 << index
    walk = castling_walk(parts[castling])
    seen, waiting = {needed}, [needed]
    while waiting:
        made = waiting.pop()
        if _unattacked(board, [parts[index] for index in scan(made)], walk):
            return True
        for index in range(len(parts)):
            grown = made | 1 << index
            if index == castling or last >> index & 1 or grown in seen or before[index] & ~made:
                continue
            seen.add(grown)
            waiting.append(grown)
    return False


def castling_walk(castling: Step) -> tuple[int, ...]:
    """Return the squares on which a castling king must not be attacked."""
    source, target, _ = castling.moves[0]
    return (source, *scan(BETWEEN[source][target]), target)


def _closure(before: Sequence[int], index: int) -> int:
    """Return all that must be made before the part `index`, directly or not."""
    found, waiting = 0, before[index]
    while waiting:
        low = waiting & -waiting
        found |= low
        waiting = (waiting | before[low.bit_length() - 1]) & ~found
    return found


def _unattacked(board: Board, made: Sequence[Step], walk: Sequence[int]) -> bool:
    """Return whether no square of the king's `walk` is attacked after the steps `made`."""
    occupied, taken = after(board, made)
    return not any(board.attackers(square, occupied, taken) for square in walk)


def after(board: Board, steps: Sequence[Step]) -> tuple[int, int]:
    """Return the occupied squares after `steps`, and the enemy pieces taken by them."""
    left = entered = victims = 0
    for step in steps:
        left |= step.leaves
        entered |= step.enters
        victims |= step.victim
    return board.occupied & ~(left | victims) | entered, entered & board.enemy | victims
