"""Realm Chess by brute force: every set of moves in every order. Slow, obvious, independent.

A board is a dict from square names to FEN letters. Nothing here is shared with the package.
"""

from itertools import permutations

FILES = "abcdefgh"
LINES = {
    "R": [(0, 1), (0, -1), (1, 0), (-1, 0)],
    "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
}
LINES["Q"] = LINES["R"] + LINES["B"]
LEAPS = {
    "N": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    "K": LINES["Q"],
}
HOMES = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}


def shift(square, step):
    file, rank = FILES.index(square[0]) + step[0], int(square[1]) + step[1]
    return FILES[file] + str(rank) if 0 <= file < 8 and 1 <= rank <= 8 else None


def read(fen):
    placement, side, castling, passed, clock, number = fen.split()
    board = {}
    for rank, row in zip("87654321", placement.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[FILES[file] + rank] = letter
                file += 1
    rights = set(castling) - {"-"}
    return board, side == "w", rights, set(passed.split(",")) - {"-"}, int(clock), int(number)


def write(board, white, rights, passed, clock, number):
    rows = []
    for rank in "87654321":
        row = "".join(board.get(file + rank, "1") for file in FILES)
        for run in range(8, 1, -1):
            row = row.replace("1" * run, str(run))
        rows.append(row)
    castling = "".join(right for right in "KQkq" if right in rights) or "-"
    squares = ",".join(sorted(passed)) or "-"
    return f"{'/'.join(rows)} {'w' if white else 'b'} {castling} {squares} {clock} {number}"


def is_mine(letter, white):
    return letter is not None and letter.isupper() == white


def attacked(board, square, by_white):
    """Whether a piece of the given side could capture on `square`."""
    for place, letter in board.items():
        if letter.isupper() == by_white and square in reach(board, place):
            return True
    return False


def reach(board, place):
    """The squares that the piece on `place` attacks."""
    letter = board[place]
    kind = letter.upper()
    if kind == "P":
        ahead = 1 if letter.isupper() else -1
        return [s for s in (shift(place, (-1, ahead)), shift(place, (1, ahead))) if s]
    if kind in LEAPS:
        return [s for s in (shift(place, step) for step in LEAPS[kind]) if s]
    found = []
    for step in LINES[kind]:
        square = shift(place, step)
        while square:
            found.append(square)
            if square in board:
                break
            square = shift(square, step)
    return found


class Oracle:
    """All turns of one position, by canonical text, with the positions they lead to."""

    def __init__(self, fen, power=False, free=False, balanced=False):
        self.board, self.white, self.rights, self.passed, self.clock, self.number = read(fen)
        self.power = power
        ply = 2 * self.number - (1 if self.white else 0)
        self.most = ply if balanced else 99
        starts = range(7) if free else range(0, 7, 2)
        self.realms = {
            f"{FILES[f]}{FILES[f + 1]}{r + 1}{r + 2}": {
                FILES[x] + str(y) for x in (f, f + 1) for y in (r + 1, r + 2)
            }
            for f in starts
            for r in starts
        }
        self.found = {}

    def king(self, board, white):
        return next(s for s, letter in board.items() if letter == ("K" if white else "k"))

    def in_check(self):
        return attacked(self.board, self.king(self.board, self.white), not self.white)

    def bare(self):
        return len(self.board) == 2

    def outcome(self):
        if self.bare():
            return (None, "bare-kings")
        if self.turns():
            return None
        if self.in_check():
            return ("black" if self.white else "white", "checkmate")
        return (None, "stalemate")

    def turns(self):
        if self.bare():
            return {}
        self.found = {}
        self.seen = set()
        self.go("S", "", frozenset(), dict(self.board), frozenset(), frozenset())
        for realm in self.realms:
            for kind in "DCRP" if self.power else "DCR":
                self.seen = set()
                self.go(kind, realm, frozenset(), dict(self.board), frozenset(), frozenset())
        return {text: position for position, (_, text) in self.found.items()}

    def go(self, kind, realm, moves, board, moved, passed, *, arranged=False):
        """Try every way on from the `moves` made so far.

        `moved` holds the squares on which moved pieces now stand.
        """
        if (moves, arranged) in self.seen:
            return
        self.seen.add((moves, arranged))
        if moves:
            self.enter(kind, realm, moves, board, passed)
        if kind == "S" and moves:
            return
        if kind in "SDCP":
            for place in [s for s in board if is_mine(board[s], self.white) and s not in moved]:
                for target, after, carried, gone in self.single(board, place, moved):
                    if self.suits(kind, realm, place, target, moves):
                        text = place + target + gone["letter"]
                        self.go(
                            kind, realm, moves | {text}, after, moved | carried,
                            passed | gone["passed"], arranged=arranged,
                        )  # fmt: skip
        if kind in "RP" and not arranged:
            for texts, after, carried in self.arrangements(realm, board, moved):
                self.go(kind, realm, moves | texts, after, moved | carried, passed, arranged=True)

    def suits(self, kind, realm, place, target, moves):
        if kind == "S":
            return True
        starts, ends = place in self.realms[realm], target in self.realms[realm]
        if kind == "D":
            return starts and not ends
        if kind == "C":
            return ends and not starts
        return starts != ends

    def single(self, board, place, moved):
        """Every move of one piece: target, board after it, squares of moved pieces, what else."""
        letter = board[place]
        kind = letter.upper()
        if kind == "P":
            yield from self.pawn(board, place)
            return
        for target in reach(board, place):
            there = board.get(target)
            if there is None or (not is_mine(there, self.white) and there.upper() != "K"):
                yield target, carry(board, place, target), {target}, nothing()
        if kind == "K":
            yield from self.castling(board, place, moved)

    def pawn(self, board, place):
        ahead = 1 if self.white else -1
        rank = int(place[1]) if self.white else 9 - int(place[1])
        square = place
        for distance in range(1, {1: 3, 2: 2}.get(rank, 1) + 1):
            behind, square = square, shift(square, (0, ahead))
            if square is None or square in board:
                break
            yield from self.promote(board, place, square, {behind} if distance > 1 else set())
        for target in reach(board, place):
            there = board.get(target)
            if there is not None and not is_mine(there, self.white) and there.upper() != "K":
                yield from self.promote(board, place, target, set())
            victim = shift(target, (0, -ahead))
            pawn = "p" if self.white else "P"
            if there is None and target in self.passed and board.get(victim) == pawn:
                after = carry(board, place, target)
                del after[victim]
                yield target, after, {target}, nothing()

    def promote(self, board, place, target, passed):
        letters = "qrbn" if target[1] == ("8" if self.white else "1") else [""]
        for letter in letters:
            after = carry(board, place, target)
            if letter:
                after[target] = letter.upper() if self.white else letter
            yield target, after, {target}, {"letter": letter, "passed": frozenset(passed)}

    def castling(self, board, place, moved):
        for right, (home, corner) in HOMES.items():
            if right not in self.rights or right.isupper() != self.white or place != home:
                continue
            rook = "R" if self.white else "r"
            if board.get(corner) != rook or corner in moved:
                continue
            rank = home[1]
            between = "fg" if corner[0] == "h" else "bcd"
            walk = "efg" if corner[0] == "h" else "edc"
            if any(file + rank in board for file in between):
                continue
            if any(attacked(board, file + rank, not self.white) for file in walk):
                continue
            after = carry(board, home, walk[2] + rank)
            after = carry(after, corner, walk[1] + rank)
            yield walk[2] + rank, after, {walk[2] + rank, walk[1] + rank}, nothing()

    def arrangements(self, realm, board, moved):
        """Every way to put unmoved pieces of the realm on other squares of it."""
        squares = sorted(self.realms[realm])
        pieces = [s for s in squares if is_mine(board.get(s), self.white) and s not in moved]
        others = [s for s in squares if s in board and s not in pieces]
        room = [s for s in squares if s not in others]
        for targets in permutations(room, len(pieces)):
            touched = [(a, b) for a, b in zip(pieces, targets, strict=True) if a != b]
            if touched:
                yield from self.put_down(board, touched)

    def put_down(self, board, touched):
        choices = [[]]
        for place, target in touched:
            last = board[place].upper() == "P" and target[1] == ("8" if self.white else "1")
            choices = [[*c, letter] for c in choices for letter in ("qrbn" if last else [""])]
        for letters in choices:
            after = {s: x for s, x in board.items() if s not in [a for a, _ in touched]}
            texts = set()
            for (place, target), letter in zip(touched, letters, strict=True):
                piece = board[place]
                if letter:
                    piece = letter.upper() if self.white else letter
                after[target] = piece
                texts.add(place + target + letter)
            if all(board.get(target) != board[place] for place, target in touched):
                yield frozenset(texts), after, {target for _, target in touched}

    def enter(self, kind, realm, moves, board, passed):
        if len(moves) > self.most or attacked(board, self.king(board, self.white), not self.white):
            return
        ordered = ",".join(sorted(moves))
        text = f"{kind}-{realm}:{ordered}" if realm else ordered
        rank = ("SDCRP".index(kind), len(moves), text)
        position = self.position(moves, board, passed)
        old = self.found.get(position)
        if old is None or rank < old[0]:
            self.found[position] = (rank, text)

    def position(self, moves, board, passed):
        pawn = "P" if self.white else "p"
        lost = sum(1 for letter in self.board.values() if letter.isupper() != self.white)
        lost -= sum(1 for letter in board.values() if letter.isupper() != self.white)
        restart = lost or any(self.board[text[:2]] == pawn for text in moves)
        castled = {
            corner
            for home, corner in HOMES.values()
            for text in moves
            if text[:2] == home
        }  # fmt: skip
        left = {text[:2] for text in moves} | {text[2:4] for text in moves} | castled
        rights = {r for r in self.rights if not left & set(HOMES[r])}
        return write(
            board, not self.white, rights, {s for s in passed if s not in board},
            0 if restart else self.clock + 1, self.number + (not self.white),
        )  # fmt: skip


def nothing():
    return {"letter": "", "passed": frozenset()}


def carry(board, place, target):
    after = {s: x for s, x in board.items() if s != place}
    after[target] = board[place]
    return after


def perft(fen, depth, **options):
    """How many ways of `depth` turns there are."""
    positions = Oracle(fen, **options).turns().values()
    return len(positions) if depth == 1 else sum(perft(p, depth - 1, **options) for p in positions)
