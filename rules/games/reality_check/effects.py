"""What a turn means outside the rules: for the hands that make it, and for those who look on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rules.games.reality_check.discs import cell_of, placed_label
from rules.games.reality_check.fields import State
from rules.games.reality_check.turns import AnyTurn, Capture, Drop, Flip, Memory, Move, Sacrifice
from rules.interface import Deed, Label, Side, Square
from rules.values import opponent


def deed(  # noqa: PLR0911 - one return a kind of turn
    state: State, turn: AnyTurn, tokens: Collection[Side] = ()
) -> Deed:
    """Return what hands do on the board to make a legal turn; nothing for a decision or a roll.

    `tokens` are sides whose discs have one face on the board: whether two of theirs match is seen
    only when both have been turned over.
    """
    match turn:
        case Move(source, target, flip):
            flips = _turned(state, (flip,), turn) if flip else ()
            return Deed(moves=((source, target),), flips=flips)
        case Capture(source, target):
            return Deed(moves=((source, target),), taken=(target,))
        case Drop(faces, square):
            return Deed(placed=((square, placed_label(cell_of(faces, state.side))),))
        case Memory(first, second):
            alike = state.board[first][1] == state.board[second][1]
            if alike and opponent(state.side) not in tokens:
                return Deed(taken=(first, second))
            return Deed(flips=_turned(state, (first, second)))
        case Flip(square):
            return Deed(flips=_turned(state, (square,)))
        case Sacrifice(piece):
            place = _where(state, piece)
            return Deed(taken=(place,)) if place else Deed()
        case _:
            return Deed()


def revealed(state: State, turn: AnyTurn) -> Mapping[Square, Label]:
    """Return the pieces that a legal turn shows to all at that moment, by where they are seen.

    That is the square after the turn, or for a piece that leaves the board the square it left. In
    a Reality Check the capturing piece stands there already, and the captured one comes under the
    square that is now empty; a piece sacrificed from the hand comes under the empty text.
    """
    match turn:
        case Move(flip=flip) if flip:
            return dict(_turned(state, (flip,), turn))
        case Capture(source, target, check=True):
            capturer, victim = state.board[source], state.board[target]
            return {target: placed_label(capturer), source: placed_label(victim)}
        case Memory(first, second):
            return dict(_turned(state, (first, second)))
        case Flip(square):
            return dict(_turned(state, (square,)))
        case Sacrifice(piece):
            return {_where(state, piece) or "": placed_label(cell_of(piece, state.side))}
        case _:
            return {}


def opened(state: State, turn: AnyTurn) -> Mapping[Square, Label]:
    """Return the pieces whose both sides a turn shows; see `Position.opened`."""
    match turn:
        case Capture(first, second, check=True) | Memory(first, second):
            return {square: placed_label(state.board[square]) for square in (first, second)}
        case Sacrifice(piece):
            return {_where(state, piece) or "hand": placed_label(cell_of(piece, state.side))}
        case _:
            return {}


def _turned(
    state: State, squares: tuple[Square, ...], move: Move | None = None
) -> tuple[tuple[Square, Label], ...]:
    """Return the labels of flipped pieces as they then lie, named by their squares after `move`."""
    turned = []
    for square in squares:
        stood = move.source if move and square == move.target else square
        turned.append((square, placed_label(state.board[stood][::-1])))
    return tuple(turned)


def _where(state: State, piece: str) -> Square | None:
    """Return where a true piece of the side to act lies, or `None` when it is in hand."""
    cell = cell_of(piece, state.side)
    return next((square for square, there in state.board.items() if there == cell), None)
