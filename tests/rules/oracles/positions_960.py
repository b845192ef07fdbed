"""Positions of Chess960: from random play out of random starts, and of few men that may castle."""

import chess
import random_positions

import rules

CLEAR = 0.75
"""How many of the men between king and rooks are gone."""


def played(random, most_turns=80):
    """A position after some random turns, begun anywhere."""
    game = rules.load("chess960", start=random.randrange(960))
    return random_positions.played(game, random, most_turns)


def castling(random):
    """A position in which few men are left and a king may often castle."""
    while True:
        board = chess.Board.from_chess960_pos(random.randrange(960))
        for square in chess.SQUARES:
            kind = board.piece_type_at(square)
            if kind not in (None, chess.KING, chess.ROOK) and random.random() < CLEAR:
                board.remove_piece_at(square)
        for _ in range(random.randrange(6)):
            square = random.choice(chess.SQUARES[16:48])
            piece = chess.Piece(random.choice((2, 3, 4, 5)), random.random() < 0.5)
            if board.piece_at(square) is None:
                board.set_piece_at(square, piece)
        board.turn = random.random() < 0.5
        rights = [s for s in chess.scan_forward(board.castling_rights) if random.random() < 0.9]
        board.castling_rights = sum(1 << square for square in rights)
        try:
            return rules.load("chess960").parse(board.fen())
        except rules.InvalidPosition as invalid:
            if any(problem.code != "opponent-in-check" for problem in invalid.problems):
                raise
