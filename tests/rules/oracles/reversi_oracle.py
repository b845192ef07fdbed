"""Reversi Chess the slow and obvious way."""

import orthodox_oracle as chess


def segments(state, square, side):
    """(anchor, enemies) for every segment that may be converted from `square`."""
    for across, up in chess.ALL_STEPS:
        enemies = []
        place = chess.step(square, across, up)
        while place is not None:
            letter = state.board.get(place)
            if letter is not None and chess.colour(letter) == side:
                kings = any(state.board[enemy] in "Kk" for enemy in enemies)
                if letter not in "Pp" and enemies and not kings:
                    yield place, enemies
                break
            if letter is not None:
                enemies.append(place)
            place = chess.step(place, across, up)


def outcome(text):
    state = chess.parse(text)
    if chess.bare_kings(state):
        return (None, "bare-kings")
    if turns(text):
        return None
    if chess.safe(state, state.side):
        return (None, "stalemate")
    return ({"w": "black", "b": "white"}[state.side], "checkmate")


def turns(text):
    """Turn text -> resulting position text."""
    state = chess.parse(text)
    if chess.bare_kings(state):
        return {}
    found = {move: chess.show(after) for move, after in chess.legal(state)}
    for move in chess.ways(state):
        if chess.victim(state, move) is None:
            continue
        after = chess.make(state, move)
        for anchor, enemies in segments(after, move[2:4], state.side):
            board = {s: x.swapcase() if s in enemies else x for s, x in after.board.items()}
            converted = after._replace(board=board)
            if chess.safe(converted, state.side):
                found[f"{move}~{anchor}"] = chess.show(converted)
    return found
