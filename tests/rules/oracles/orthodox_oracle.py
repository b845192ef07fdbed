"""Chess the slow and obvious way: a dictionary of letters and plain loops.

Nothing here comes from the shipped code. A board maps squares to FEN letters.
"""

from typing import NamedTuple

FILES = "abcdefgh"
RANKS = "12345678"
SQUARES = [file + rank for file in FILES for rank in RANKS]
ROOK_STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
BISHOP_STEPS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT_STEPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
ALL_STEPS = ROOK_STEPS + BISHOP_STEPS


class State(NamedTuple):
    board: dict
    side: str
    castling: str
    passed: str
    half: int
    full: int


def parse(text):
    placement, side, castling, passed, half, full = text.split(" ")
    board = {}
    for rank, row in zip(reversed(RANKS), placement.split("/"), strict=True):
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
            else:
                board[FILES[column] + rank] = letter
                column += 1
    return State(board, side, castling.strip("-"), passed, int(half), int(full))


def show(state):
    rows = []
    for rank in reversed(RANKS):
        row, empty = "", 0
        for file in FILES:
            letter = state.board.get(file + rank)
            if letter is None:
                empty += 1
            else:
                row += (str(empty) if empty else "") + letter
                empty = 0
        rows.append(row + (str(empty) if empty else ""))
    fields = ["/".join(rows), state.side, state.castling or "-", state.passed]
    return " ".join([*fields, str(state.half), str(state.full)])


def step(square, across, up):
    """The square some steps away, or None beside the board."""
    column, row = FILES.index(square[0]) + across, RANKS.index(square[1]) + up
    if 0 <= column < 8 and 0 <= row < 8:
        return FILES[column] + RANKS[row]
    return None


def colour(letter):
    return "w" if letter.isupper() else "b"


def other(side):
    return "b" if side == "w" else "w"


def forward(side):
    return 1 if side == "w" else -1


def attacked_from(board, square):
    """The squares that the piece on `square` attacks."""
    letter = board[square]
    kind = letter.upper()
    if kind == "P":
        hops = [(1, forward(colour(letter))), (-1, forward(colour(letter)))]
    elif kind == "N":
        hops = KNIGHT_STEPS
    elif kind == "K":
        hops = ALL_STEPS
    else:
        steps = {"R": ROOK_STEPS, "B": BISHOP_STEPS, "Q": ALL_STEPS}[kind]
        found = set()
        for across, up in steps:
            target = step(square, across, up)
            while target is not None:
                found.add(target)
                if target in board:
                    break
                target = step(target, across, up)
        return found
    return {target for hop in hops if (target := step(square, *hop)) is not None}


def attackers(board, square, side, ignored=frozenset()):
    """The pieces of a side, those on ignored squares left out, that attack a square."""
    return {
        source
        for source, letter in board.items()
        if colour(letter) == side
        and source not in ignored
        and square in attacked_from(board, source)
    }


def king_square(board, side):
    return next((s for s, letter in board.items() if letter == ("K" if side == "w" else "k")), None)


def promotions(target):
    return ["q", "r", "b", "n"] if target[1] in "18" else [""]


def ways(state):
    """Every move that the pieces' ways allow, castling left out, kings capturable."""
    board, side = state.board, state.side
    for source, letter in sorted(board.items()):
        if colour(letter) != side:
            continue
        if letter.upper() == "P":
            yield from pawn_ways(state, source)
            continue
        for target in sorted(attacked_from(board, source)):
            if target not in board or colour(board[target]) != side:
                yield source + target


def pawn_ways(state, source):
    board, side = state.board, state.side
    ahead = step(source, 0, forward(side))
    if ahead not in board:
        for promotion in promotions(ahead):
            yield source + ahead + promotion
        far = step(source, 0, 2 * forward(side))
        if source[1] == ("2" if side == "w" else "7") and far not in board:
            yield source + far
    for target in sorted(attacked_from(board, source)):
        enemy = target in board and colour(board[target]) != side
        if enemy or target == state.passed:
            for promotion in promotions(target):
                yield source + target + promotion


def castling_ways(state):
    """(move, squares of king's way) for castling with rights and an empty way."""
    rank = "1" if state.side == "w" else "8"
    for right, between, way in (("K", "fg", "efg"), ("Q", "bcd", "edc")):
        letter = right if state.side == "w" else right.lower()
        if letter in state.castling and not any(file + rank in state.board for file in between):
            yield "e" + rank + way[2] + rank, [file + rank for file in way]


def victim(state, move):
    """The square of what a move captures, or None."""
    source, target = move[:2], move[2:4]
    if target in state.board:
        return target
    if state.board[source].upper() == "P" and source[0] != target[0]:
        return target[0] + source[1]
    return None


def make(state, move):
    """The state after a move, checks not looked at."""
    board = dict(state.board)
    source, target = move[:2], move[2:4]
    taken = victim(state, move)
    if taken is not None:
        del board[taken]
    letter = board.pop(source)
    board[target] = letter
    if move[4:]:
        board[target] = move[4:].upper() if state.side == "w" else move[4:]
    if letter in "Kk" and source[0] == "e" and target[0] in "cg" and source[1] == target[1]:
        rank = source[1]
        old, new = ("h", "f") if target[0] == "g" else ("a", "d")
        board[new + rank] = board.pop(old + rank)
    passed = "-"
    if letter in "Pp" and abs(int(target[1]) - int(source[1])) == 2:
        passed = source[0] + str((int(source[1]) + int(target[1])) // 2)
    homes = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
    castling = "".join(
        right for right in state.castling if not {source, target} & set(homes[right])
    )
    restart = taken is not None or letter in "Pp"
    return State(
        board,
        other(state.side),
        castling,
        passed,
        0 if restart else state.half + 1,
        state.full + (state.side == "b"),
    )


def safe(state, side):
    return not attackers(state.board, king_square(state.board, side), other(side))


def legal(state):
    """Every legal orthodox move with the state it leads to."""
    for move in ways(state):
        after = make(state, move)
        if safe(after, state.side):
            yield move, after
    for move, way in castling_ways(state):
        if not any(attackers(state.board, square, other(state.side)) for square in way):
            yield move, make(state, move)


def bare_kings(state):
    return sorted(state.board.values()) == ["K", "k"]
