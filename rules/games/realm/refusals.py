"""Why one piece cannot move from here to there, whatever the others do."""

from __future__ import annotations

import chess

from rules.games.realm.bitboard import BETWEEN, Board, names_of
from rules.games.realm.realms import SQUARE_NAMES
from rules.games.realm.steps import Move, reach
from rules.interface import IllegalTurn

_NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}


def refuse_move(board: Board, move: Move, *, arranged: bool) -> IllegalTurn:
    """Return why the mover's piece cannot make `move`.

    Args:
        board: the board before the turn.
        move: a move that starts on one of the mover's pieces and is not possible.
        arranged: whether the move belongs to a rearrangement.
    """
    source, target, promotion = move
    kind, name = board.kind(source), SQUARE_NAMES[target]
    if arranged and board.enemy >> target & 1:
        text = f"A rearrangement captures nothing, and {name} is held by the opponent."
        return IllegalTurn("square-occupied", text, (name,))
    last_rank = chess.BB_RANK_8 if board.white else chess.BB_RANK_1
    due = kind == "P" and bool(1 << target & last_rank)
    if promotion and not due:
        return IllegalTurn("no-such-move", f"Nothing promotes on {name}.", (name,))
    refusal = None if arranged else _refuse_way(board, kind, source, target)
    if refusal is None and due and not promotion:
        return IllegalTurn("needs-promotion", f"Name what the pawn becomes on {name}.", (name,))
    return refusal or _no_such_move(kind, source, target)


def _refuse_way(board: Board, kind: str, source: int, target: int) -> IllegalTurn | None:
    """Return why the piece cannot go this way; `None` when it can."""
    bit = 1 << target
    if kind == "P":
        ways = _pawn_ways(board, source)
        captures = chess.BB_PAWN_ATTACKS[board.white][source]
        if bit & captures and not bit & (board.enemy | board.passed):
            text = f"A pawn goes to {SQUARE_NAMES[target]} only to capture."
            return IllegalTurn("no-such-move", text, (SQUARE_NAMES[target],))
        pushed = bool(bit & ways)
        ways |= captures
    else:
        ways, pushed = reach(kind, source, 0), False
    if kind == "K" and not bit & ways and abs(source - target) == 2 and source in _KING_HOMES:
        return _refuse_castling(board, source, target)
    if not bit & ways:
        return _no_such_move(kind, source, target)
    path = BETWEEN[source][target] | (bit if pushed else 0)
    blockers = path & board.enemy & ~board.victims
    if blockers:
        squares = names_of(blockers)
        return IllegalTurn("path-blocked", f"{', '.join(squares)} is in the way.", squares)
    if bit & board.enemy_king and not pushed:
        name = SQUARE_NAMES[target]
        return IllegalTurn("king-capture", f"The king on {name} is never captured.", (name,))
    return None


def _refuse_castling(board: Board, king: int, target: int) -> IllegalTurn:
    """Return why the king cannot castle to `target`."""
    rook = king + 3 if target > king else king - 4
    right = ("K" if target > king else "Q") if board.white else ("k" if target > king else "q")
    if right in board.castling:
        squares = names_of(BETWEEN[king][rook] & board.enemy)
        return IllegalTurn("path-blocked", f"{', '.join(squares)} is in the way.", squares)
    squares = (SQUARE_NAMES[king], SQUARE_NAMES[rook])
    return IllegalTurn("castling-rights", "There is no right to castle there.", squares)


def _no_such_move(kind: str, source: int, target: int) -> IllegalTurn:
    squares = (SQUARE_NAMES[source], SQUARE_NAMES[target])
    return IllegalTurn(
        "no-such-move",
        f"The {_NAMES[kind]} does not go from {squares[0]} to {squares[1]}.",
        squares,
    )


def _pawn_ways(board: Board, source: int) -> int:
    """Return the squares straight ahead that a pawn reaches on an empty board."""
    ahead = 8 if board.white else -8
    return sum(1 << source + ahead * n for n in range(1, board.pawn_stride(source) + 1))


_KING_HOMES = (chess.E1, chess.E8)
