"""What a legal turn leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.games.reality_check.discs import Cell, Name, cell_of, in_order, is_true, name_of, owner
from rules.games.reality_check.fields import Awaited, State
from rules.games.reality_check.legal import meeting
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
from rules.interface import Side, Square
from rules.values import opponent


def after(  # noqa: PLR0911 - one return a kind of turn
    rules: Ruleset, state: State, turn: AnyTurn
) -> State:
    """Return the state that a legal turn leads to."""
    match turn:
        case Move():
            return _move(rules, state, turn)
        case Capture():
            return _capture(state, turn)
        case Drop(faces, square):
            board = {**state.board, square: cell_of(faces, state.side)}
            hands = _without(state.hands, state.side, name_of(faces))
            return _complete(state, board, hands, frozen=(square,))
        case Memory(first, second):
            return _memory(state, first, second)
        case Decision(keep, piece):
            return _decide(state, piece, keep=keep)
        case Sacrifice(piece):
            return _sacrifice(state, piece)
        case Roll(dice):
            return _use_dice(state, dice, flipped=())
        case Flip(square):
            return _flip(state, square, state.awaited or Awaited("flip"))


def _move(rules: Ruleset, state: State, turn: Move) -> State:
    board = dict(state.board)
    board[turn.target] = board.pop(turn.source)
    if turn.flip:
        board[turn.flip] = board[turn.flip][::-1]
        return _complete(state, board, frozen=(turn.flip,))
    if rules.dice and not state.first_turn:
        still = (turn.target if square == turn.source else square for square in state.frozen)
        return replace(
            state, board=board, frozen=tuple(sorted(still)), awaited=Awaited(kind="roll")
        )
    return _complete(state, board)


def _capture(state: State, turn: Capture) -> State:
    board = dict(state.board)
    victim = board[turn.target]
    board[turn.target] = capturer = board.pop(turn.source)
    if turn.check and is_true(capturer) and is_true(victim):
        return _complete(state, board)
    return _hand_over(state, board, owner(victim), (name_of(victim),))


def _memory(state: State, first: Square, second: Square) -> State:
    board = dict(state.board)
    one, other = board[first], board[second]
    if one[1] == other[1]:
        del board[first], board[second]
        names = in_order((name_of(one), name_of(other)))
        return _hand_over(state, board, owner(one), names)
    board[first], board[second] = one[::-1], other[::-1]
    return replace(state, board=board, frozen=(first, second), awaited=Awaited(kind="sacrifice"))


def _decide(state: State, piece: Name, *, keep: bool) -> State:
    rest = state.pending(state.side)[1:]
    hands = _with(state.hands, state.side, (piece,)) if keep else state.hands
    return replace(state, hands=hands, awaited=Awaited("hand", pieces=rest) if rest else None)


def _sacrifice(state: State, piece: Name) -> State:
    cell = cell_of(piece, state.side)
    board = {square: there for square, there in state.board.items() if there != cell}
    hands = _without(state.hands, state.side, piece)
    return _complete(state, board, hands, frozen=state.frozen)


def _flip(state: State, square: Square, awaited: Awaited) -> State:
    board = {**state.board, square: state.board[square][::-1]}
    before = (awaited.flipped,) if awaited.flipped else ()
    return _use_dice(replace(state, board=board), awaited.dice[1:], (*before, square))


def _use_dice(state: State, dice: tuple[int, ...], flipped: tuple[Square, ...]) -> State:
    """Await the flip of the first die that some piece meets; without one the turn is complete."""
    done = flipped[0] if flipped else None
    while dice and not meeting(state, dice[0], done):
        dice = dice[1:]
    if dice:
        return replace(state, awaited=Awaited("flip", dice=dice, flipped=done))
    return _complete(state, state.board, frozen=tuple(sorted(flipped)))


def _hand_over(
    state: State, board: Mapping[Square, Cell], side: Side, names: tuple[Name, ...]
) -> State:
    """Complete the turn by giving captured pieces to their owner, who decides if they are many.

    Giving leaves every piece in play, so the limit is that of before the turn.
    """
    if len(state.hands[side]) + len(names) <= state.limit(side):
        return _complete(state, board, _with(state.hands, side, names))
    return _complete(state, board, awaited=Awaited("hand", pieces=names))


def _complete(
    state: State,
    board: Mapping[Square, Cell],
    hands: Mapping[Side, tuple[Name, ...]] | None = None,
    frozen: tuple[Square, ...] = (),
    awaited: Awaited | None = None,
) -> State:
    """Return the state after a whole turn: the other side acts, and what was flipped is frozen."""
    return State(
        board=board,
        side=opponent(state.side),
        hands=state.hands if hands is None else hands,
        frozen=frozen,
        awaited=awaited,
        homes=state.homes,
        number=state.number + (state.side == "black"),
    )


def _with(
    hands: Mapping[Side, tuple[Name, ...]], side: Side, names: tuple[Name, ...]
) -> Mapping[Side, tuple[Name, ...]]:
    return {**hands, side: in_order((*hands[side], *names))}


def _without(
    hands: Mapping[Side, tuple[Name, ...]], side: Side, gone: Name
) -> Mapping[Side, tuple[Name, ...]]:
    return {**hands, side: tuple(name for name in hands[side] if name != gone)}
