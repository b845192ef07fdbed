"""What all other figures are measured by: a library's work that changes with the machine alone."""

import chess


def replies(board, depth):
    """Count the positions so many moves ahead."""
    if not depth:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += replies(board, depth - 1)
        board.pop()
    return count


def test_yardstick(benchmark):
    assert benchmark(replies, chess.Board(), 3) == 8902
