"""Mockery Chess the slow and obvious way."""

import orthodox_oracle as chess


def parse(text):
    orthodox, invisible = text.rsplit(" ", 1)
    return chess.parse(orthodox), frozenset() if invisible == "-" else frozenset(
        invisible.split(",")
    )


def show(state, invisible):
    return chess.show(state) + " " + (",".join(sorted(invisible)) or "-")


def threatened(board, square, invisible):
    enemy = chess.other(chess.colour(board[square]))
    return bool(chess.attackers(board, square, enemy, ignored=invisible))


def supported(board, square, invisible):
    for across, up in chess.ALL_STEPS:
        friend = chess.step(square, across, up)
        if (
            friend in board
            and chess.colour(board[friend]) == chess.colour(board[square])
            and friend not in invisible
            and not threatened(board, friend, invisible)
        ):
            return True
    return False


def sheltered(board, square, invisible):
    return threatened(board, square, invisible) and supported(board, square, invisible)


def recover(board, invisible):
    while True:
        staying = frozenset(s for s in invisible if sheltered(board, s, invisible))
        if staying == invisible:
            return invisible
        invisible = staying


def settle(board, invisible, mover):
    invisible = recover(board, invisible)
    for side in (mover, chess.other(mover)):
        invisible |= frozenset(
            square
            for square, letter in board.items()
            if chess.colour(letter) == side
            and square not in invisible
            and sheltered(board, square, invisible)
        )
    return recover(board, invisible)


def in_check(board, invisible, side):
    king = chess.king_square(board, side)
    return king is not None and king not in invisible and threatened(board, king, invisible)


def make(state, invisible, move):
    after = chess.make(state, move)
    flags = set(invisible)
    taken = chess.victim(state, move)
    flags.discard(taken)
    for source in set(state.board) - set(after.board) - {taken}:
        if source in flags:
            flags.remove(source)
            if source == move[:2]:
                flags.add(move[2:4])
            else:
                flags.add({"a": "d", "h": "f"}[source[0]] + source[1])
    if taken is not None and state.board[taken] in "Kk":
        keep = "KQ" if state.side == "w" else "kq"
        after = after._replace(castling="".join(x for x in after.castling if x in keep))
    return after, settle(after.board, frozenset(flags), state.side)


def candidates(state, invisible):
    for move in chess.ways(state):
        taken = chess.victim(state, move)
        if taken in invisible:
            continue
        if taken is not None and state.board[taken] in "Kk" and move[:2] not in invisible:
            continue
        yield move
    if not in_check(state.board, invisible, state.side):
        for move, (_, passed, _) in chess.castling_ways(state):
            enemy = chess.other(state.side)
            if not chess.attackers(state.board, passed, enemy, ignored=invisible):
                yield move


def over(state):
    if chess.king_square(state.board, state.side) is None:
        return ({"w": "black", "b": "white"}[state.side], "king-captured")
    return (None, "bare-kings") if chess.bare_kings(state) else None


def turns(text):
    """Turn text -> resulting position text."""
    state, invisible = parse(text)
    if over(state):
        return {}
    found = {}
    for move in candidates(state, invisible):
        after, hidden = make(state, invisible, move)
        wins = chess.king_square(after.board, after.side) is None
        if wins or not in_check(after.board, hidden, state.side):
            found[move] = show(after, hidden)
    return found


def outcome(text):
    state, invisible = parse(text)
    if over(state) or turns(text):
        return over(state)
    if in_check(state.board, invisible, state.side):
        return ({"w": "black", "b": "white"}[state.side], "checkmate")
    return (None, "stalemate")
