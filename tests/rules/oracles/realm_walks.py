"""Realm positions to test and measure on: thrown on the board, or reached by random play."""

from itertools import islice, product

import realm_oracle

OPTIONS = [
    dict(zip(("power", "free", "balanced"), values, strict=True))
    for values in product((False, True), repeat=3)
]
SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]


def option_name(options):
    return "+".join(name for name, on in options.items() if on) or "standard"


def random_turn(position, random):
    """A turn in some realm, drawn at random, or a standard move; there must be one."""
    finder = position.finder
    realms = list(finder.division.realms)
    random.shuffle(realms)
    for realm in realms:
        found = finder.sets(realms=1 << realm.index)
        if few := list(islice(found, 60)):
            steps, _, _ = random.choice(few)
            return finder.describer.describe(steps)
    raise ValueError("there is no turn")


def walk(game, random, turns=60):
    """The positions of one game of random turns, the one with an outcome included."""
    position = game.start()
    for _ in range(turns):
        yield position
        if position.outcome:
            return
        position = position.play(random_turn(position, random))


def sample(game, random, count):
    """`count` positions, each from its own stage of some random game."""
    found = []
    while len(found) < 2 * count:
        found += walk(game, random)
    return random.sample(found, count)


def thrown(random, most=8):
    """The FEN of a few pieces thrown on the board, close together, castling and passing alike."""
    ranks = random.choice(("12345678", "1234", "5678"))
    near = [square for square in SQUARES if square[1] in ranks]
    board = {}
    letters = random.choice(("QRBNPPPqrbnppp", "QRPPNNRRqp", "QRBNPPPPPP"))
    places = random.sample(near, random.randint(2, min(most, len(near))))
    for index, square in enumerate(places):
        letter = "Kk"[index] if index < 2 else random.choice(letters)
        if square[1] == {"P": "8", "p": "1"}.get(letter):
            letter = "N" if letter == "P" else "n"
        board[square] = letter
    rights = _put_castlers(board, random) if random.random() < 0.3 else set()
    white = bool(rights) or random.random() < 0.6
    passed = {square for square in _passable(board, white) if random.random() < 0.6}
    counters = random.randrange(9), random.randint(1, 4)
    return realm_oracle.write(board, white, rights, passed, *counters)


def _put_castlers(board, random):
    """Put White's king and rook at home, Black's king out of their way; return the right."""
    for square in [s for s, letter in board.items() if letter in "Kk"]:
        del board[square]
    corner = random.choice(("a1", "h1"))
    board.update({"e1": "K", corner: "R", random.choice(("c8", "e8", "g6")): "k"})
    return {"Q" if corner == "a1" else "K"}


def _passable(board, white):
    """The squares that a pawn of the side that has just moved may have passed."""
    pawn, ranks, back = ("p", "56", 1) if white else ("P", "34", -1)
    for square, letter in sorted(board.items()):
        behind = square[0] + str(int(square[1]) + back)
        if letter == pawn and square[1] in ranks and behind not in board:
            yield behind
