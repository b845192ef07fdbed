"""The same position with other discs under the same faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.games.reality_check.discs import Cell, Name, cell_of, in_order, name_of, owner
from rules.games.reality_check.fields import State
from rules.interface import Label, Side, Square
from rules.values import SIDES, faces_up


def with_discs(state: State, placement: Mapping[Square, Label]) -> State:
    """Return the state with these discs on the board.

    Those of them that were in a hand, or awaited a decision, give their place there to discs that
    stand on the board no more.
    """
    board = {
        square: cell_of(faces_up(label), "white" if label[0] == "w" else "black")
        for square, label in placement.items()
    }
    hands, awaited = dict(state.hands), state.awaited
    for side in SIDES:
        now = _names(board.values(), side)
        gone = [name for name in _names(state.board.values(), side) if name not in now]
        hands[side] = in_order([_replaced(name, now, gone) for name in hands[side]])
        if awaited is not None and side == state.side:
            pieces = in_order([_replaced(name, now, gone) for name in awaited.pieces])
            awaited = replace(awaited, pieces=pieces)
    return replace(state, board=board, hands=hands, awaited=awaited)


def _names(cells: Iterable[Cell], side: Side) -> tuple[Name, ...]:
    return in_order(name_of(cell) for cell in cells if owner(cell) == side)


def _replaced(name: Name, now: tuple[Name, ...], gone: list[Name]) -> Name:
    return gone.pop(0) if name in now and gone else name
