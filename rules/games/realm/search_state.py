"""The six fields of a FEN as the search likes them, and what steps make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import chess

from rules import fen
from rules.games.realm.bitboard import CASTLERS, EMPTY, Board, scan
from rules.games.realm.order import after
from rules.games.realm.steps import Step, carried


class State(NamedTuple):
    """One position, without its game.

    Attributes:
        squares: 64 FEN letters from a1 to h8, `.` for an empty square.
        white: whether White is to move.
        castling: the rights, a part of `KQkq`.
        passed: the bit set of squares on which a pawn may be taken en passant.
        half_moves: half-moves since the last capture or pawn move.
        full_move: the number of the full move.
    """

    squares: str
    white: bool
    castling: str
    passed: int
    half_moves: int
    full_move: int


def state_of(text: fen.Fen) -> State:
    """Return the state that a FEN describes."""
    there = text.placement
    letters = (fen.letter(there[s]) if s in there else EMPTY for s in fen.SQUARES)
    passed = sum(1 << chess.parse_square(name) for name in text.en_passant)
    return State(
        "".join(letters),
        text.side == "white",
        text.castling,
        passed,
        text.half_moves,
        text.full_move,
    )


def following(state: State, board: Board, steps: Sequence[Step]) -> State:
    """Return the state after legal steps on the board of `state`."""
    occupied, taken = after(board, steps)
    squares = list(state.squares)
    arriving = []
    touched = passed = 0
    for step in steps:
        touched |= step.leaves
        passed |= step.passed
        for move in carried(step):
            letter = move.promotion or squares[move.source]
            arriving.append((move.target, letter.upper() if state.white else letter.lower()))
    pawns_moved = any(squares[square] in "Pp" for square in scan(touched))
    for square in scan(touched | taken):
        squares[square] = EMPTY
    for square, letter in arriving:
        squares[square] = letter
    touched |= taken
    return State(
        "".join(squares),
        not state.white,
        "".join(right for right in state.castling if not CASTLERS[right] & touched),
        passed & ~occupied,
        0 if taken or pawns_moved else state.half_moves + 1,
        state.full_move + (not state.white),
    )
