"""What all other figures are measured by: a library's work that changes with the machine alone."""

import chess
import random_positions


def test_yardstick(benchmark):
    assert benchmark(random_positions.counted_elsewhere, chess.Board(), 3) == 8902
