"""The slow twin of what a player of Reality Check can know: every arrangement, played through.

For each arrangement that the opponent can have begun with, whatever he may have done is done on a
table of its own (`reality_check_oracle`); what looks otherwise than what was seen is thrown away.
"""

import re
from functools import partial
from itertools import permutations
from operator import eq

from reality_check_oracle import (
    LIST,
    NAME,
    Table,
    _answers,
    _board_turns,
    _captures,
    _drops,
    _memory,
    _moves,
)

SIDE = {"white": "w", "black": "b"}
LOOK = {
    me: {cell: cell if cell.isupper() == (me == "w") else cell[0] for cell in NAME} for me in "wb"
}
"""What each player sees of a cell: the opponent's from above."""


def tables(options, text, side):
    """A table for every arrangement of the opponent's that looks at the start as this one."""
    table = Table(options, text)
    theirs = [square for square in table.at if table.whose(square) != SIDE[side]]
    for names in _under([table.at[square][0].upper() for square in theirs], LIST):
        other = table.copy()
        for square, name in zip(theirs, names, strict=True):
            face = table.at[square][0]
            down = name.replace(face.upper(), "", 1)
            other.at[square] = face + (down if face.isupper() else down.lower())
        who = "b" if side == "white" else "w"
        other.hand[who] = [name for name in LIST if name not in names]
        yield other


def _under(faces, left):
    if not faces:
        return [()]
    return [
        (name, *rest)
        for name in left
        if faces[0] in name
        for rest in _under(faces[1:], [other for other in left if other != name])
    ]


def public(text):
    """What the opponent hears of a turn."""
    if "@" in text:
        return f"{text[0]}?{text[2:]}"
    return text.split(":")[0] if text[:4] in ("keep", "refu") else text


def looks(table, side):
    """All that one player may know of a table, one thing after the other."""
    me = SIDE[side]
    you = "b" if me == "w" else "w"
    yield {square: LOOK[me][cell] for square, cell in table.at.items()}
    yield len(table.hand[you])
    yield sorted(table.hand[me])
    yield sorted(table.frozen)
    waits = table.awaited
    if waits.startswith("hand") and table.side == you:
        waits = f"hand {len(table.waiting())}"
    yield table.side, table.number, table.homes, waits
    trues = {who: len(table.trues(who)) for who in "wb"}
    must_drop = table.awaited == "-" and len(table.hand[table.side]) >= trues[table.side]
    yield must_drop
    yield next((who for who in "wb" if not trues[who]), None)
    yield table.awaited == "-" and not any(_drops(table) if must_drop else _board_turns(table))


def looks_like(table, side, seen):
    """Whether a player may know the same of a table as was `seen`."""
    return all(map(eq, looks(table, side), seen))


def shown(table, text):
    """The pieces that a turn opens to all, before it is made: where, and what is there."""
    if text.startswith("sacrifice"):
        there = [s for s in table.at if table.whose(s) == table.side]
        return [s for s in there if table.name(s) == text[-2:]] or ["hand"]
    squares = re.findall("[a-g][1-9]", text)
    if "/" in text:
        opened = [squares[0] if squares[2] == squares[1] else squares[2]]
    elif "!" in text or text[0] == "?" or text.startswith("flip"):
        opened = squares
    else:
        opened = []
    return [(square, sorted(table.at[square].upper())) for square in opened]


def ways(table, text):
    """Every legal turn of a table that may look like this one, as (text, how to make it)."""
    trues = {who: len(table.trues(who)) for who in "wb"}
    over = len(table.hand[table.side]) >= trues[table.side]
    squares = re.findall("[a-g][1-9]", text)
    found = ()
    if 0 in trues.values():
        return ()
    if table.awaited != "-":
        found = _answers(table)
    elif "@" in text:
        found = _drops(table)
    elif text[0] == "?" and not over:
        found = [(text, partial(_memory, table, *squares))]
    elif "x" in text and not over:
        found = _captures(table, *squares)
    elif not over:
        found = _moves(table, *squares[:2])
    return found


class Twin:
    """What one player may hold possible, from the start on."""

    def __init__(self, options, text, side):
        self.options = options
        self.side = side
        self.tables = {table.text(): table for table in tables(options, text, side)}

    def see(self, text, turn):
        """Go on to the tables that look as the real one, where `turn` is played in `text`."""
        real = Table(self.options, text)
        own = real.side == SIDE[self.side]
        make = next(make for name, make in ways(real, turn) if name == turn)
        heard, opened = turn if own else public(turn), shown(real, turn)
        seen = list(looks(make(), self.side))
        left = {}
        for table in self.tables.values():
            for name, make in ways(table, turn):
                if heard != (name if own else public(name)) or opened != shown(table, name):
                    continue
                then = make()
                if looks_like(then, self.side, seen):
                    left[then.text()] = then
        self.tables = left

    def texts(self):
        return sorted(self.tables)


def knowing_the_same(options, text, side):
    """The texts of all positions that look the same now, whatever was seen before; few pieces."""
    real = Table(options, text)
    you = "b" if side == "white" else "w"
    theirs = [square for square in real.at if real.whose(square) == you]
    in_hand = len(real.hand[you])
    waiting = len(real.waiting()) if real.side == you else 0
    seen = list(looks(real, side))
    found = set()
    for names in permutations(LIST, len(theirs) + in_hand + waiting):
        table = real.copy()
        hand = sorted(names[len(theirs) : len(theirs) + in_hand], key=LIST.index)
        waits = sorted(names[len(theirs) + in_hand :], key=LIST.index)
        if any(real.at[s][0].upper() not in n for s, n in zip(theirs, names, strict=False)):
            continue
        for square, name in zip(theirs, names, strict=False):
            face = real.at[square][0]
            down = name.replace(face.upper(), "", 1)
            table.at[square] = face + (down if you == "w" else down.lower())
        table.hand[you] = hand
        if waiting:
            table.awaited = "hand:" + ",".join(waits)
        sensible = table.trues("w") or table.trues("b")
        if real.awaited == "sacrifice" and not table.trues(real.side):
            sensible = False
        if sensible and looks_like(table, side, seen):
            found.add(table.text())
    return found
