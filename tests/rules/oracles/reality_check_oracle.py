"""A slow, obvious twin of Reality Check: texts in, texts out, sharing nothing with `rules`.

It walks the board as pairs of numbers, copies everything for every turn that is made, and asks the
longest question first: it names each turn that could be thought of and keeps those that the rules
allow, each with a function that makes it on a table of its own.
"""

from functools import partial
from itertools import combinations, product

LIST = ["PP", "PN", "PB", "PR", "NN", "NB", "NR", "BB", "BR", "RR"]
NAME = {cell: name for name in LIST for up in (name, name[::-1]) for cell in (up, up.lower())}
TRUE = {"w": {"PP", "NN", "BB", "RR"}, "b": {"pp", "nn", "bb", "rr"}}
BASIC_HOME = ["b3", "c2", "c3", "d1", "d2", "d3", "e2", "e3", "f3"]
ADVANCED_HOLES = ["d6", "c5", "e5", "b4", "c4", "e4", "f4", "c3", "e3", "d2"]
COMPASS = {
    "R": [(1, 0), (-1, 0), (0, 1), (0, -1)],
    "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
}


def squares_of(board):
    """All squares, in the order of the placement field, rank by rank."""
    if board == "advanced":
        return [
            [f"{file}{rank}" for file in "abcdefg" if f"{file}{rank}" not in ADVANCED_HOLES]
            for rank in range(7, 0, -1)
        ]
    widths = {1: "d", 2: "cde", 3: "bcdef", 4: "abcdefg", 5: "abcdefg", 6: "abcdefg"}
    widths |= {7: "bcdef", 8: "cde", 9: "d"}
    return [[f"{file}{rank}" for file in widths[rank]] for rank in range(9, 0, -1)]


class Table:
    """One position that may be changed; copy it first."""

    def __init__(self, options, text):
        self.options = options
        self.rows = squares_of(options.get("board", "basic"))
        self.squares = [square for row in self.rows for square in row]
        lines = [dict.fromkeys(row, ".") | {row[-1] + "/": "/"} for row in self.rows]
        self.blank = {place: text for line in lines for place, text in line.items()}
        self.advanced = options.get("board") == "advanced"
        self.flexible = options.get("flexible", False) or self.advanced
        self.dice = options.get("dice", 0)
        placement, side, hands, frozen, awaited, homes, number = text.split(" ")
        self.at = {}
        for row, line in zip(self.rows, placement.split("/"), strict=True):
            for run in range(1, 10):
                line = line.replace(str(run), ".." * run)  # noqa: PLW2901
            for i, square in enumerate(row):
                if line[2 * i] != ".":
                    self.at[square] = line[2 * i : 2 * i + 2]
        self.side = side
        self.hand = {
            who: [] if part == "-" else part.upper().split(",")
            for who, part in zip("wb", hands.split("/"), strict=True)
        }
        self.frozen = [] if frozen == "-" else frozen.split(",")
        self.awaited = awaited
        self.number = int(number)
        if homes == "-":
            self.homes = {"w": BASIC_HOME, "b": [f"{s[0]}{10 - int(s[1])}" for s in BASIC_HOME]}
        else:
            w, b = homes.split("/")
            self.homes = {"w": w.split(","), "b": b.split(",")}
        self.homes_text = homes

    def text(self):
        placement = "".join((self.blank | self.at).values())[:-1]
        for run in range(7, 0, -1):
            placement = placement.replace("." * run, str(run))
        hands = [",".join(sorted(self.hand[who], key=LIST.index)) or "-" for who in "wb"]
        return " ".join(
            [
                placement,
                self.side,
                f"{hands[0]}/{hands[1].lower()}",
                ",".join(sorted(self.frozen)) or "-",
                self.awaited,
                self.homes_text,
                str(self.number),
            ]
        )

    def copy(self):
        other = Table.__new__(Table)
        other.__dict__ |= self.__dict__
        other.at = dict(self.at)
        other.hand = {who: list(names) for who, names in self.hand.items()}
        other.frozen = list(self.frozen)
        return other

    # who has what

    def whose(self, square):
        return "w" if self.at[square].isupper() else "b"

    def name(self, square):
        return NAME[self.at[square]]

    def waiting(self):
        return self.awaited[5:].split(",") if self.awaited.startswith("hand:") else []

    def trues(self, who):
        on_board = [cell.upper() for cell in sorted(TRUE[who].intersection(self.at.values()))]
        others = self.hand[who] + (self.waiting() if who == self.side else [])
        return on_board + [name for name in others if name in TRUE["w"]]

    def limit(self, who):
        return len(self.trues(who)) - 1

    def first(self):
        return self.number == 1 and self.side == "w"

    # where a piece goes

    def reach(self, square, capture):
        """Squares a piece on `square` could move to, or capture on."""
        face = self.at[square][0].upper()
        x, y = ord(square[0]), int(square[1])
        if face == "N":
            near = [(x + a, y + b) for a, b in product((-2, -1, 1, 2), repeat=2) if a * a != b * b]
        elif face == "P":
            near = [(x + a, y + b) for a, b in COMPASS["B" if capture else "R"]]
        else:
            near = []
            for a, b in COMPASS[face]:
                for step in range(1, 10):
                    spot = f"{chr(x + a * step)}{y + b * step}"
                    if spot not in self.squares:
                        break
                    near.append((x + a * step, y + b * step))
                    if spot in self.at:
                        break
        names = [f"{chr(a)}{b}" for a, b in near]
        return [s for s in names if s in self.squares and (s in self.at) == capture]

    def meets(self, square, die):
        if die == 5:
            return self.whose(square) == self.side
        if die == 6:
            return self.whose(square) != self.side
        return self.at[square][0].upper() == {1: "P", 2: "N", 3: "B", 4: "R"}[die]

    # changes

    def flip(self, square):
        self.at[square] = self.at[square][::-1]

    def end_turn(self, frozen=()):
        self.frozen = list(frozen)
        self.awaited = "-"
        if self.side == "b":
            self.number += 1
        self.side = "b" if self.side == "w" else "w"

    def give(self, who, names):
        """Captured pieces go to their owner's hand or wait for his decision; the turn ends."""
        names = sorted(names, key=LIST.index)
        room = self.limit(who) + sum(n[0] == n[1] for n in names)
        if len(self.hand[who]) + len(names) <= room:
            self.hand[who] += names
            self.end_turn()
        else:
            self.end_turn()
            self.awaited = "hand:" + ",".join(names)

    def roll_on(self, dice, done):
        """Skip the dice that nothing meets; ask for the flip of the first that something does."""
        while dice:
            free = [s for s in self.at if s not in self.frozen and s not in done]
            if any(self.meets(s, dice[0]) for s in free):
                self.awaited = "flip:" + ",".join(map(str, dice))
                if done:
                    self.awaited += "/" + done[0]
                return
            dice = dice[1:]
        self.end_turn(frozen=done)


def _board_turns(table):
    """Every move, capture, drop and memory that the options allow, as (text, how to make it)."""
    for a in list(table.at):
        if table.whose(a) != table.side:
            continue
        for b in table.reach(a, capture=False):
            yield from _moves(table, a, b)
        if table.first():
            continue
        for b in table.reach(a, capture=True):
            yield from _captures(table, a, b)
    if table.first():
        return
    yield from _drops(table)
    if table.options.get("memory"):
        theirs = sorted(s for s in table.at if table.whose(s) != table.side)
        for a, b in combinations(theirs, 2):
            yield f"?{a},{b}", partial(_memory, table, a, b)


def _moves(table, a, b):
    may_flip = [b if s == a else s for s in table.at if s not in table.frozen]
    if table.first():
        yield f"{a}{b}", partial(_move, table, a, b)
        if not table.flexible or table.dice:
            return
    elif table.dice:
        yield f"{a}{b}", partial(_move_and_roll, table, a, b)
        return
    elif not may_flip:
        yield f"{a}{b}", partial(_move, table, a, b)
    for s in may_flip:
        yield f"{a}{b}/{s}", partial(_move, table, a, b, [s])


def _move(table, a, b, flips=()):
    moved = table.copy()
    moved.at[b] = moved.at.pop(a)
    for s in flips:
        moved.flip(s)
    moved.end_turn(frozen=flips)
    return moved


def _move_and_roll(table, a, b):
    moved = table.copy()
    moved.at[b] = moved.at.pop(a)
    moved.frozen = [b if s == a else s for s in moved.frozen]
    moved.awaited = "roll"
    return moved


def _captures(table, a, b):
    owner = table.whose(b)
    if owner == table.side and not (
        table.options.get("retreat") and len(table.hand[owner]) + 1 <= table.limit(owner)
    ):
        return
    yield f"{a}x{b}", partial(_capture, table, a, b)
    if owner != table.side:
        yield f"{a}x{b}!", partial(_check, table, a, b)


def _capture(table, a, b):
    taken = table.copy()
    taken.at[b] = taken.at.pop(a)
    taken.give(table.whose(b), [table.name(b)])
    return taken


def _check(table, a, b):
    if any(table.name(s)[0] != table.name(s)[1] for s in (a, b)):
        return _capture(table, a, b)
    checked = table.copy()
    checked.at[b] = checked.at.pop(a)
    checked.end_turn()
    return checked


def _drops(table):
    for name in table.hand[table.side]:
        for faces in {name, name[::-1]}:
            for s in table.homes[table.side]:
                if s not in table.at:
                    yield f"{faces}@{s}", partial(_drop, table, faces, s)


def _drop(table, faces, s):
    dropped = table.copy()
    dropped.hand[table.side].remove(NAME[faces])
    dropped.at[s] = faces if table.side == "w" else faces.lower()
    dropped.end_turn(frozen=[s])
    return dropped


def _memory(table, a, b):
    owner = table.whose(a)
    match = table.at[a][1] == table.at[b][1]
    after = table.copy()
    if match:
        names = [table.name(a), table.name(b)]
        del after.at[a], after.at[b]
        after.give(owner, names)
    else:
        after.flip(a)
        after.flip(b)
        after.frozen = [a, b]
        after.awaited = "sacrifice"
    return after


def _answers(table):
    """Every answer to what is awaited, as (text, how to make it)."""
    kind, _, detail = table.awaited.partition(":")
    if kind == "hand":
        piece = detail.split(",")[0]
        for word in ("keep", "refuse"):
            yield f"{word}:{piece}", partial(_decide, table, word)
    elif kind == "sacrifice":
        for name in table.trues(table.side):
            yield f"sacrifice:{name}", partial(_sacrifice, table, name)
    elif kind == "roll":
        for dice in product("123456", repeat=table.dice):
            yield "roll:" + ",".join(dice), partial(_roll, table, dice)
    else:
        numbers, _, before = detail.partition("/")
        dice = [int(n) for n in numbers.split(",")]
        done = [before] if before else []
        for s in table.at:
            if s not in table.frozen and s not in done and table.meets(s, dice[0]):
                yield f"flip:{s}", partial(_flip, table, s, dice[1:], done)


def _decide(table, word):
    piece, *rest = table.waiting()
    after = table.copy()
    after.awaited = "hand:" + ",".join(rest) if rest else "-"
    if word == "keep":
        after.hand[table.side].append(piece)
    return after


def _sacrifice(table, name):
    after = table.copy()
    after.at = {
        s: c
        for s, c in table.at.items()
        if not (table.whose(s) == table.side and table.name(s) == name)
    }
    after.hand[table.side] = [n for n in table.hand[table.side] if n != name]
    after.end_turn(frozen=table.frozen)
    return after


def _roll(table, dice):
    after = table.copy()
    after.roll_on([int(die) for die in dice], [])
    return after


def _flip(table, s, dice, done):
    after = table.copy()
    after.flip(s)
    after.roll_on(dice, [*done, s])
    return after


def _turns(table):
    if not table.trues("w") or not table.trues("b"):
        return {}
    if table.awaited != "-":
        found = _answers(table)
    elif len(table.hand[table.side]) > table.limit(table.side):
        found = _drops(table)
    else:
        found = _board_turns(table)
    return {text: make().text() for text, make in found}


def turns(options, text):
    """Every legal turn of a position with the position it leads to, all as texts."""
    return _turns(Table(options, text))


def outcome(options, text):
    """(winner or None, reason), or None while the game goes on."""
    table = Table(options, text)
    for who, other in (("w", "black"), ("b", "white")):
        if not table.trues(who):
            return other, "no-true-pieces"
    if table.awaited == "-" and not _turns(table):
        if len(table.hand[table.side]) > table.limit(table.side):
            return ("black" if table.side == "w" else "white"), "cannot-drop"
        return None, "no-turn"
    return None


def perft(options, text, depth):
    """The number of different ways to play `depth` turns, decisions and rolls counted as turns."""
    if depth == 0:
        return 1
    return sum(perft(options, after, depth - 1) for after in turns(options, text).values())
