"""Chess960 the slow and obvious way: castling as its rules say it, all else as in chess.

A castling is written as the king taking his rook; a state keeps the squares of the rooks that may.
"""

import orthodox_oracle as chess


def parse(text):
    """The state of a position text, its rights turned into the squares of rooks."""
    state = chess.parse(text)
    return state._replace(castling=frozenset(_rook_of(state, right) for right in state.castling))


def _rook_of(state, right):
    rank = "1" if right.isupper() else "8"
    rook, king = ("R", "K") if right.isupper() else ("r", "k")
    row = [file for file in chess.FILES if state.board.get(file + rank) == rook]
    home = next(file for file in chess.FILES if state.board.get(file + rank) == king)
    if right in "Kk":
        return max(file for file in row if file > home) + rank
    if right in "Qq":
        return min(file for file in row if file < home) + rank
    return right.lower() + rank


def castlings(state):
    """Every castling allowed: the rook's square, and where king and rook come to stand."""
    king = chess.king_square(state.board, state.side)
    enemy = chess.other(state.side)
    for rook in sorted(state.castling):
        if rook[1] != ("1" if state.side == "w" else "8"):
            continue
        king_to, rook_to = ("g", "f") if rook[0] > king[0] else ("c", "d")
        king_way = _squares(king[0], king_to, rook[1])
        way = {*king_way, *_squares(rook[0], rook_to, rook[1])} - {king, rook}
        if way & set(state.board):
            continue
        alone = {s: piece for s, piece in state.board.items() if s != king}
        if any(chess.attackers(alone, square, enemy) for square in king_way):
            continue
        after = _castled(state, king, rook, king_to + rook[1], rook_to + rook[1])
        if chess.safe(after, state.side):
            yield king + rook, after


def _squares(first, last, rank):
    low, high = sorted((first, last))
    return [file + rank for file in chess.FILES if low <= file <= high]


def _castled(state, king, rook, king_to, rook_to):
    board = dict(state.board)
    men = board.pop(king), board.pop(rook)
    board[king_to], board[rook_to] = men
    kept = frozenset(square for square in state.castling if square[1] != king[1])
    full = state.full + (state.side == "b")
    return chess.State(board, chess.other(state.side), kept, "-", state.half + 1, full)


def _made(state, move):
    """The state after a move; that of a king never castles, wherever he goes."""
    if state.board[move[:2]] not in "Kk":
        return chess.make(state, move)
    board = {s: piece for s, piece in state.board.items() if s != move[:2]}
    half = 0 if move[2:4] in board else state.half + 1
    board[move[2:4]] = state.board[move[:2]]
    full = state.full + (state.side == "b")
    return chess.State(board, chess.other(state.side), "", "-", half, full)


def legal(state):
    """Every legal move with the state that it leads to."""
    plain = state._replace(castling="")
    for move in chess.ways(plain):
        target = _made(plain, move)
        if chess.safe(target, state.side):
            king_moved = state.board[move[:2]] in "Kk"
            kept = {
                square
                for square in state.castling
                if square not in (move[:2], move[2:4])
                and not (king_moved and square[1] == ("1" if state.side == "w" else "8"))
            }
            yield move, target._replace(castling=frozenset(kept))
    yield from castlings(state)
