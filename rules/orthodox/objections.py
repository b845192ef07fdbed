"""Why a piece does not move so: the most helpful true reason, with the squares that show it.

An objection is an `IllegalTurn`, ready to be raised. Kings' safety is asked separately, because
the games differ in what endangers a king.
"""

from __future__ import annotations

from typing import NamedTuple

import chess

from rules.interface import IllegalTurn, Square
from rules.orthodox.conversion import NAMES, squares_of

_STRAIGHT = {
    chess.BISHOP: (chess.BB_DIAG_ATTACKS,),
    chess.ROOK: (chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS),
    chess.QUEEN: (chess.BB_DIAG_ATTACKS, chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS),
}


class Castling(NamedTuple):
    """From where to where a castling takes the king and the rook; either may stay where it is."""

    king: tuple[chess.Square, chess.Square]
    rook: tuple[chess.Square, chess.Square]


def castling_of(board: chess.Board, move: chess.Move) -> Castling | None:
    """Return the castling that a move would be, allowed or not, `None` when it is another move.

    In chess it is a king's step of two squares from the e-file, on a board of Chess960
    (`board.chess960`) one onto a rook of his own: there he may have one square to go, or none.
    """
    source, target = move.from_square, move.to_square
    row, rank = (0, chess.BB_RANK_1) if board.turn else (56, chess.BB_RANK_8)
    own = board.occupied_co[board.turn] & rank
    if not (board.kings & own) >> source & 1:
        return None
    if board.chess960:
        if not (board.rooks & own) >> target & 1:
            return None
        rook = target
    elif source == row + 4 and abs(target - source) == 2:
        rook = row + 7 if target > source else row
    else:
        return None
    king_to, rook_to = (row + 6, row + 5) if rook > source else (row + 2, row + 3)
    return Castling((source, king_to), (rook, rook_to))


def objection(board: chess.Board, move: chess.Move) -> IllegalTurn | None:
    """Return why the move is not even pseudo-legal, attacked castling squares aside, or `None`."""
    source, target = move.from_square, move.to_square
    piece_type = board.piece_type_at(source)
    if piece_type is None:
        return _because("empty-square", f"{NAMES[source]} is empty.", source)
    if not board.occupied_co[board.turn] >> source & 1:
        return _because("not-your-piece", f"The piece on {NAMES[source]} is not yours.", source)
    castling = castling_of(board, move)
    goes_there = castling is not None and castling.rook[0] == target
    if board.occupied_co[board.turn] >> target & 1 and not goes_there:
        return _because("own-piece-there", f"A piece of yours stands on {NAMES[target]}.", target)
    if castling is not None:
        return _castling_way(board, move, castling)
    return _way_objection(board, move, piece_type)


def _way_objection(
    board: chess.Board, move: chess.Move, piece_type: chess.PieceType
) -> IllegalTurn | None:
    """Return why this kind of piece cannot go from there to there."""
    source, target = move.from_square, move.to_square
    if piece_type == chess.PAWN:
        return _pawn_objection(board, move)
    if move.promotion is not None:
        return _no_such_move(piece_type, move)
    if piece_type in _STRAIGHT:
        aligned = any(1 << target & table[source][0] for table in _STRAIGHT[piece_type])
        return _blocked(board, source, target) if aligned else _no_such_move(piece_type, move)
    steps = chess.BB_KING_ATTACKS if piece_type == chess.KING else chess.BB_KNIGHT_ATTACKS
    return None if steps[source] >> target & 1 else _no_such_move(piece_type, move)


def en_passant_victim(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the square of the pawn that a pawn's move takes en passant, if it does."""
    if (
        move.to_square == board.ep_square
        and board.pawns >> move.from_square & 1
        and chess.square_file(move.from_square) != chess.square_file(move.to_square)
    ):
        return move.to_square + (-8 if board.turn else 8)
    return None


def castling_objection(board: chess.Board, move: chess.Move) -> IllegalTurn | None:
    """Return the objection that the king would castle out of, through or into an attack."""
    castling = castling_of(board, move)
    if castling is None:
        return None
    king, rook = castling
    others = board.occupied & ~(1 << king[0])
    first, last = sorted(king)
    attackers = 0
    for square in range(first, last + 1):
        standing = others if square != king[1] else others & ~(1 << rook[0]) | 1 << rook[1]
        attackers |= board.attackers_mask(not board.turn, square, standing)
    return attacked_castling(attackers) if attackers else None


def attacked_king(attackers: int, *, was_in_check: bool) -> IllegalTurn:
    """Return the objection that the own king would stand attacked by the pieces of a mask."""
    squares = squares_of(attackers)
    by = ", ".join(squares)
    if was_in_check:
        return IllegalTurn(
            "still-in-check", f"Your king would still be attacked from {by}.", squares
        )
    return IllegalTurn("exposes-king", f"Your king would be attacked from {by}.", squares)


def attacked_castling(attackers: int) -> IllegalTurn:
    """Return the objection that the pieces of a mask attack the king's way in castling."""
    squares = squares_of(attackers)
    by = ", ".join(squares)
    message = f"The king's way in castling is attacked from {by}."
    return IllegalTurn("castling-through-check", message, squares)


def _because(reason: str, message: str, *squares: chess.Square) -> IllegalTurn:
    names: tuple[Square, ...] = tuple(NAMES[square] for square in squares)
    return IllegalTurn(reason, message, names)


def _no_such_move(piece_type: chess.PieceType, move: chess.Move) -> IllegalTurn:
    name = chess.piece_name(piece_type)
    way = f"from {NAMES[move.from_square]} to {NAMES[move.to_square]}"
    if move.promotion is not None and piece_type != chess.PAWN:
        return _because("no-such-move", f"A {name} does not promote.", move.from_square)
    return _because("no-such-move", f"A {name} does not move {way}.", move.from_square)


def _blocked(board: chess.Board, source: int, target: int) -> IllegalTurn | None:
    """Return the objection that something stands between two squares, naming the first."""
    between = chess.between(source, target) & board.occupied
    if not between:
        return None
    first = chess.lsb(between) if target > source else chess.msb(between)
    return _because("path-blocked", f"The piece on {NAMES[first]} is in the way.", first)


def _pawn_objection(board: chess.Board, move: chess.Move) -> IllegalTurn | None:
    source, target = move.from_square, move.to_square
    forward = 8 if board.turn else -8
    second_rank = chess.BB_RANK_2 if board.turn else chess.BB_RANK_7
    if target - source == forward or (target - source == 2 * forward and second_rank >> source & 1):
        for square in range(source + forward, target + forward, forward):
            if board.occupied >> square & 1:
                message = f"The piece on {NAMES[square]} is in the way."
                return _because("path-blocked", message, square)
    elif chess.BB_PAWN_ATTACKS[board.turn][source] >> target & 1:
        if not board.occupied >> target & 1 and target != board.ep_square:
            message = f"A pawn moves aslant only to capture, and {NAMES[target]} is empty."
            return _because("no-such-move", message, target)
    else:
        return _no_such_move(chess.PAWN, move)
    if (chess.BB_BACKRANKS >> target & 1) != (move.promotion is not None):
        if move.promotion is None:
            return _because("needs-promotion", "Say which piece the pawn becomes.", target)
        return _because("no-such-move", "A pawn promotes only on the last rank.", target)
    return None


def _castling_way(board: chess.Board, move: chess.Move, castling: Castling) -> IllegalTurn | None:
    """Return why the king cannot castle so, attacked squares aside, naming what is in the way."""
    king, rook = castling
    if move.promotion is not None:
        return _no_such_move(chess.KING, move)
    if not board.clean_castling_rights() >> rook[0] & 1:
        message = "The king or that rook has moved, so castling there is no longer allowed."
        return _because("castling-rights", message, king[0], rook[0])
    first, last = min(*king, *rook), max(*king, *rook)
    for square in sorted(range(first, last + 1), key=lambda square: abs(square - king[0])):
        if square not in (king[0], rook[0]) and board.occupied >> square & 1:
            message = f"The piece on {NAMES[square]} is in the way."
            return _because("path-blocked", message, square)
    return None
