"""Positions to compare on: from random play, and from pieces thrown on the board."""

import orthodox_oracle as chess

import rules

_HOMES = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}


def perft(position, depth):
    """How many ways there are to go on for one ply, for two, and so on."""
    counts, here = [], [position]
    while len(counts) + 1 < depth:
        here = [before.play(turn) for before in here for turn in before.turns()]
        counts.append(len(here))
    return (*counts, sum(1 for before in here for _ in before.turns()))


def played(game, random, most_turns=80):
    """A position after some random turns from the start, perhaps with an outcome."""
    position = game.start()
    for _ in range(random.randint(0, most_turns)):
        turns = list(position.turns())
        if not turns:
            break
        position = position.play(random.choice(turns))
    return position


def thrown(game, random):
    """A position of pieces thrown on the board, any material, kings often at home."""
    while True:
        text = chess.show(_heap(random))
        if game.id == "mockery":
            occupied = sorted(chess.parse(text).board)
            text += " " + (",".join(s for s in occupied if random.random() < 0.25) or "-")
        try:
            return game.parse(text)
        except rules.InvalidPosition as invalid:
            if any(problem.code != "opponent-in-check" for problem in invalid.problems):
                raise


def _heap(random):
    board = {}
    if random.random() < 0.5:
        board = {"e1": "K", "e8": "k", "a1": "R", "h1": "R", "a8": "r", "h8": "r"}
        for corner in ("a1", "h1", "a8", "h8"):
            if random.random() < 0.3:
                del board[corner]
    for letter in "KkPPPPPppppNNnnBBbbRrQqQq":
        square = random.choice(chess.SQUARES)
        king_there = letter in "Kk" and letter in board.values()
        if square in board or king_there or (letter in "Pp" and square[1] in "18"):
            continue
        if letter in "Kk" or random.random() < 0.6:
            board[square] = letter
    for king in "Kk":
        if king not in board.values():
            board[next(s for s in chess.SQUARES if s not in board)] = king
    side = random.choice("wb")
    castling = "".join(
        right
        for right, (king, rook) in _HOMES.items()
        if (board.get(king), board.get(rook)) == (("K", "R") if right.isupper() else ("k", "r"))
    )
    return chess.State(board, side, castling, _passed(board, side, random), 3, 9)


def _passed(board, side, random):
    start, passed, stop, pawn = ("7", "6", "5", "p") if side == "w" else ("2", "3", "4", "P")
    squares = [
        file + passed
        for file in chess.FILES
        if board.get(file + stop) == pawn and not {file + passed, file + start} & set(board)
    ]
    return random.choice(squares) if squares and random.random() < 0.8 else "-"


def counted_elsewhere(board, plies):
    """Count by python-chess how many positions lie so far ahead: all benchmarks' yardstick."""
    if plies == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += counted_elsewhere(board, plies - 1)
        board.pop()
    return total
