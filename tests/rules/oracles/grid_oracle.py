"""Grid Chess the slow and obvious way."""

import orthodox_oracle as chess


def field(square):
    return "abcdefgh".index(square[0]) // 2, "12345678".index(square[1]) // 2


def attacked(board, square, side):
    """Whether somebody of a side attacks a square from another field."""
    return any(field(source) != field(square) for source in chess.attackers(board, square, side))


def legal(state):
    """The texts of all legal moves."""
    enemy = chess.other(state.side)
    found = set()
    for move in chess.ways(state):
        after = chess.make(state, move)
        king = chess.king_square(after.board, state.side)
        crosses = field(move[:2]) != field(move[2:4])
        if crosses and not attacked(after.board, king, enemy):
            found.add(move)
    for move, way in chess.castling_ways(state):
        if not any(attacked(state.board, square, enemy) for square in way):
            found.add(move)
    return found
