"""Every legal turn of a position, and who has won.

What makes a single turn legal or not is asked of `refusals`; the two agree, turn by turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from rules.games.reality_check.discs import is_true, name_of, owner
from rules.games.reality_check.fields import Awaited, State
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.turns import (
    AnyTurn,
    Capture,
    Decision,
    Drop,
    Flip,
    Memory,
    Move,
    Roll,
    Sacrifice,
)
from rules.interface import Outcome, Square
from rules.values import SIDES, opponent


def outcome(rules: Ruleset, state: State) -> Outcome | None:
    """Return how the game ended, or `None` while it goes on."""
    for side in SIDES:
        if not state.true_pieces(side):
            return Outcome(opponent(side), "no-true-pieces")
    if state.awaited is None and next(turns(rules, state), None) is None:
        if state.over_limit:
            return Outcome(opponent(state.side), "cannot-drop")
        return Outcome(None, "no-turn")
    return None


def turns(rules: Ruleset, state: State) -> Iterator[AnyTurn]:
    """Yield every legal turn of a position in which both sides have a true piece."""
    if has_free_flips(rules, state):
        yield from _flipping_moves(rules, state)
    yield from turns_beside_flips(rules, state)


def has_free_flips(rules: Ruleset, state: State) -> bool:
    """Return whether a move may now come with a flip of the mover's choice."""
    if state.awaited or state.over_limit or rules.dice:
        return False
    return rules.first_flip if state.first_turn else bool(flippable(state))


def turns_beside_flips(rules: Ruleset, state: State) -> Iterator[AnyTurn]:
    """Yield every legal turn but the moves that come with a flip of the mover's choice."""
    if state.awaited:
        yield from _answers(rules, state, state.awaited)
    elif state.over_limit:
        yield from _drops(state)
    else:
        if state.first_turn or not has_free_flips(rules, state):
            yield from (Move(source, target) for source, target in quiet(rules, state))
        if not state.first_turn:
            yield from _turns_without_move(rules, state)


def _turns_without_move(rules: Ruleset, state: State) -> Iterator[AnyTurn]:
    yield from _drops(state)
    yield from _captures(rules, state)
    if rules.memory:
        theirs = sorted(s for s, cell in state.board.items() if owner(cell) != state.side)
        yield from (Memory(first, second) for first, second in combinations(theirs, 2))


def flippable(state: State) -> tuple[Square, ...]:
    """Return the squares of the pieces that are not frozen."""
    return tuple(square for square in state.board if square not in state.frozen)


def meeting(state: State, die: int, flipped: Square | None = None) -> tuple[Square, ...]:
    """Return the squares of the pieces that a die allows to flip, `flipped` excepted."""
    return tuple(
        square
        for square in flippable(state)
        if square != flipped and _meets(state, die, state.board[square])
    )


def _meets(state: State, die: int, cell: str) -> bool:
    if die <= 4:
        return cell[0].upper() == "PNBR"[die - 1]
    return (owner(cell) == state.side) == (die == 5)


def _answers(rules: Ruleset, state: State, awaited: Awaited) -> Iterator[AnyTurn]:
    match awaited.kind:
        case "hand":
            yield from (Decision(keep, awaited.pieces[0]) for keep in (True, False))
        case "sacrifice":
            mine = [name_of(cell) for cell in state.board.values() if owner(cell) == state.side]
            for name in (*mine, *state.hands[state.side]):
                if is_true(name):
                    yield Sacrifice(name)
        case "roll":
            yield from (Roll(dice) for dice in product(range(1, 7), repeat=rules.dice))
        case "flip":
            yield from map(Flip, meeting(state, awaited.dice[0], awaited.flipped))


def quiet(rules: Ruleset, state: State) -> Iterator[tuple[Square, Square]]:
    """Yield every move without capture, as (from, to)."""
    board, rays = state.board, rules.board.quiet
    for source, cell in board.items():
        if owner(cell) == state.side:
            for ray in rays[cell[0].upper()][source]:
                for target in ray:
                    if target in board:
                        break
                    yield source, target


def _flipping_moves(rules: Ruleset, state: State) -> Iterator[Move]:
    free = flippable(state)
    for source, target in quiet(rules, state):
        for square in free:
            yield Move(source, target, target if square == source else square)


def _drops(state: State) -> Iterator[Drop]:
    for square in state.empty_homes(state.side):
        for name in state.hands[state.side]:
            yield Drop(name, square)
            if not is_true(name):
                yield Drop(name[::-1], square)


def _captures(rules: Ruleset, state: State) -> Iterator[Capture]:
    board, side, rays = state.board, state.side, rules.board.taking
    retreat = rules.retreat and len(state.hands[side]) < state.limit(side)
    for source, cell in board.items():
        if owner(cell) != side:
            continue
        for ray in rays[cell[0].upper()][source]:
            target = next((square for square in ray if square in board), None)
            if target is None:
                continue
            if owner(board[target]) != side:
                yield Capture(source, target)
                yield Capture(source, target, check=True)
            elif retreat:
                yield Capture(source, target)
