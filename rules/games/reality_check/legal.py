"""Every legal turn of a position, and who has won.

What makes a single turn legal or not is asked of `refusals`; the two agree, turn by turn.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from rules.games.reality_check.pieces import SIDES, is_true, name_of, opponent, owner
from rules.games.reality_check.turns import (
    Capture,
    Decision,
    Drop,
    Flip,
    Memory,
    Move,
    Roll,
    Sacrifice,
)
from rules.interface import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.games.reality_check.ruleset import Ruleset
    from rules.games.reality_check.state import Awaited, State
    from rules.games.reality_check.turns import AnyTurn
    from rules.interface import Square


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
    if state.awaited:
        yield from _answers(rules, state, state.awaited)
    elif state.over_limit:
        yield from _drops(state)
    elif state.first_turn:
        yield from _first_moves(rules, state)
    else:
        yield from _moves(rules, state)
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


def _quiet(rules: Ruleset, state: State) -> Iterator[tuple[Square, Square]]:
    """Yield every move without capture, as (from, to)."""
    board, rays = state.board, rules.board.quiet
    for source, cell in board.items():
        if owner(cell) == state.side:
            for ray in rays[cell[0].upper()][source]:
                for target in ray:
                    if target in board:
                        break
                    yield source, target


def _moves(rules: Ruleset, state: State) -> Iterator[Move]:
    free = () if rules.dice else flippable(state)
    for source, target in _quiet(rules, state):
        for square in free:
            yield Move(source, target, target if square == source else square)
        if not free:
            yield Move(source, target)


def _first_moves(rules: Ruleset, state: State) -> Iterator[Move]:
    for source, target in _quiet(rules, state):
        yield Move(source, target)
    if rules.first_flip:
        yield from _moves(rules, state)


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
