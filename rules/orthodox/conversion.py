"""Between python-chess boards and the words of the rules: texts, labels, squares."""

from __future__ import annotations

import chess

from rules.fen import Fen, print_placement
from rules.interface import Label, Side, Square

NAMES: tuple[Square, ...] = tuple(chess.SQUARE_NAMES)
LABELS: tuple[tuple[Label, ...], tuple[Label, ...]] = (
    tuple("b" + kind for kind in ".PNBRQK"),
    tuple("w" + kind for kind in ".PNBRQK"),
)
"""Labels by colour (False is Black) and python-chess piece type."""


def side_of(color: chess.Color) -> Side:
    """Return the name of a python-chess colour."""
    return "white" if color else "black"


def squares_of(mask: int) -> tuple[Square, ...]:
    """Return the names of the squares of a bit mask, sorted."""
    return tuple(sorted(NAMES[square] for square in chess.scan_forward(mask)))


def mask_of(squares: tuple[Square, ...]) -> int:
    """Return the bit mask of some squares."""
    return sum(1 << chess.parse_square(square) for square in squares)


def board_of(fen: Fen, board_type: type[chess.Board] = chess.Board) -> chess.Board:
    """Return a python-chess board that stands as `fen` says, right or wrong."""
    board = board_type(None)
    board.set_fen(str(fen))
    return board


def text_of(board: chess.Board) -> str:
    """Return the FEN of a board, the en passant square always in it."""
    return " ".join(
        (
            print_placement(placement_of(board)),
            "w" if board.turn else "b",
            board.castling_xfen(),
            "-" if board.ep_square is None else NAMES[board.ep_square],
            str(board.halfmove_clock),
            str(board.fullmove_number),
        )
    )


def placement_of(board: chess.Board) -> dict[Square, Label]:
    """Return the label of what stands on each occupied square."""
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return {
        NAMES[square]: LABELS[color][piece_type]
        for color in chess.COLORS
        for piece_type, mask in enumerate(kinds, 1)
        for square in chess.scan_forward(mask & board.occupied_co[color])
    }


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    """Return the board after a pseudo-legal move; the given one stays as it is."""
    result = board.copy(stack=False)
    result.push(move)
    result.clear_stack()
    return result


def king_attackers(board: chess.Board, color: chess.Color) -> int:
    """Return the enemies, as a bit mask, that attack the king of `color`."""
    king = board.kings & board.occupied_co[color]
    return board.attackers_mask(not color, chess.lsb(king))


def bare_kings(board: chess.Board) -> bool:
    """Whether nothing but kings is left."""
    return board.occupied == board.kings
