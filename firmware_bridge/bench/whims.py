"""Whims of people at a board: what they do in thought, in passing, or for the feel of it.

As in all clumsiness, the turns that were made are whole in the end, and nothing else has moved.
"""

from __future__ import annotations

from itertools import islice, pairwise, product, takewhile

from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.bench.games import LOOKED_AT
from firmware_bridge.bench.gestures import (
    a_moment,
    by_name,
    carrying,
    displace,
    drawn,
    drawn_of,
    is_near,
    stop_on,
    there_and_back,
    victim,
)
from firmware_bridge.bench.timeline import Timeline
from rules.interface import Deed, Square

STANDS = (0.5, 3.0)
"""Seconds, least and most, for which a piece stands where it may go, before it goes elsewhere."""
WAVED = (0.05, 0.3)
"""Seconds, least and most, for which what a hand plays with is felt on a square."""
LONG = 9.0
"""Seconds for which nothing else is done on what a cuff sweeps aside."""
JUMPS = 0.14
"""Seconds: a piece that jumps as the clock is hit is back on its contact within this."""
STATIC = (0.002, 0.06)
"""Seconds, least and most, for which cells seem to close by a spark."""


def ponder(line: Timeline) -> None:
    """Leave the piece for long on other squares where it may go, before it goes where it does."""
    deed = line.position.deed
    for lift, put in carrying(line):
        deeds = map(deed, islice(line.position.turns(), LOOKED_AT))
        moves = [d.moves for d in deeds if len(d.moves) == 1 and d == Deed(moves=d.moves)]
        ends = {to for ((home, to),) in moves if home == lift.cell}
        cells = drawn(line, ends.intersection(line.free(lift.t, line.end)), 1, 3)
        stop_on(line, (lift, put), cells, (0.15, 0.6), STANDS)


def dither(line: Timeline) -> None:
    """Set the piece down, take it home again, set it down anew: a hand that cannot let go."""
    dice, changes = line.dice, line.changes
    for lift, put in carrying(line):
        if any(c.cell in (lift.cell, put.cell) and c not in (lift, put) for c in changes):
            return  # what is lifted or stands there then is another piece
        now = put.t
        for _ in range(dice.randint(1, 3)):
            stands = dice.uniform(0.15, 2.5)
            line.pause(now, stands)
            now = there_and_back(line, now + stands, put.cell, lift.cell, (0.15, 2.5))


def wander(line: Timeline) -> None:
    """Slide a piece from square to square in thought, and home again, before a turn is made."""
    dice, free, own = line.dice, line.free(-1.0, 0.0), line.position.side[0]
    placement = line.position.placement
    men = [cell for cell in line.still(-1.0, 0.0) if placement.get(cell, " ")[0] == own]
    for home in drawn(line, men, 1, 1):
        way = [home]
        for _ in range(dice.randint(1, 5)):
            if near := [square for square in free if is_near(square, way[-1], 1)]:
                way.append(dice.choice(near))
        reading, now, acts = line.standing(0.0)[home], 0.02, list[CellEvent]()
        for left, onto in pairwise((*way, *way[-2::-1])):
            acts.append(CellEvent(now + dice.uniform(-0.01, 0.03), left, None))
            acts.append(CellEvent(now, onto, reading))
            now += dice.choice((0.1, 0.2, 0.4))
        line.pause(-1.0, now + 0.3)
        line.add(*acts)


def train(line: Timeline) -> None:
    """Push a row of pieces on by one square with the arm, and put them back one by one."""
    dice, at = line.dice, a_moment(line)
    still, free, rows = line.still(at, at), line.free(at, at), list[dict[Square, Square | None]]()
    for cell, (file, rank) in product(still, ((1, 0), (-1, 0), (0, 1), (0, -1))):
        row = [f"{chr(ord(cell[0]) + file * n)}{int(cell[1:]) + rank * n}" for n in range(5)]
        pushed = list(takewhile(still.__contains__, row))
        onto = row[1 : len(pushed) + 1]
        if len(pushed) > 1 and onto[-1] in free:
            rows.append(dict(zip(reversed(pushed), reversed(onto), strict=True)))
    if rows:
        displace(line, at, dice.choice(rows), within=dice.uniform(0.02, 0.2))


def ring(line: Timeline) -> None:
    """Wear a ring with a magnet, which free cells feel beside those that the hand is on."""
    dice = line.dice
    for change in drawn_of(line, line.changes, 3):
        since = max(0.0, change.t + dice.uniform(-0.15, 0.1))
        until = since + dice.uniform(0.03, 0.35)
        near = [cell for cell in line.free(since, until) if is_near(cell, change.cell, 1)]
        for cell in drawn(line, near, 1, 2):
            line.things.add(cell)
            line.add(CellEvent(since, cell, True), CellEvent(until, cell, None))


def fidget(line: Timeline) -> None:
    """Play with what was captured: it touches free squares while the turn is made, and after it."""
    dice = line.dice
    if (found := victim(line)) is not None:
        lifted, reading = found
        free, now = line.free(lifted.t, line.end + 9.0), lifted.t
        for cell in drawn(line, free, 2, 6):
            since = now + dice.uniform(0.1, 1.0)
            now = since + dice.uniform(*WAVED)
            line.add(CellEvent(since, cell, reading), CellEvent(now, cell, None))


def absent(line: Timeline) -> None:
    """Put what was captured where the piece came from that took it, and then take it off."""
    dice = line.dice
    found = victim(line)
    for lift, put in carrying(line) if found else ():
        since = put.t + dice.uniform(0.1, 0.6)
        until = since + dice.uniform(0.2, 3.0)
        if found and put.cell == found[0].cell and lift.cell in line.free(since, until):
            line.pause(put.t, until - put.t)
            line.add(CellEvent(since, lift.cell, found[1]), CellEvent(until, lift.cell, None))


def bulldoze(line: Timeline) -> None:
    """Push what is captured one square on with the piece that takes it, and take it off there."""
    dice = line.dice
    found = victim(line)
    for _, put in carrying(line) if found else ():
        if found and put.cell == found[0].cell:
            lifted, reading = found
            until = put.t + dice.uniform(0.3, 2.0)
            beside = [s for s in line.free(0.0, until) if is_near(s, put.cell, 1)]
            if beside and lifted in line.acts:
                onto = dice.choice(beside)
                line.acts.remove(lifted)
                line.add(CellEvent(put.t - 0.03, put.cell, None))
                line.add(CellEvent(put.t - 0.02, onto, reading), CellEvent(until, onto, None))


def pocket(line: Timeline) -> None:
    """Hold another piece while making the turn and pressing, and put it back after that."""
    dice, end = line.dice, line.end
    pressed = end + dice.uniform(0.1, 0.6)
    until = pressed + dice.uniform(0.3, 3.0)
    for cell in drawn(line, line.still(0.0, until) if _may_press(line) else (), 1, 1):
        line.touch(cell, dice.uniform(0.0, end), until)
        line.add(ButtonEvent(pressed, line.position.side))


def slam(line: Timeline) -> None:
    """Hit the clock so hard that pieces jump, what was moved among them."""
    dice, at = line.dice, line.end + line.dice.uniform(0.1, 0.6)
    if _may_press(line):
        line.add(ButtonEvent(at, line.position.side))
    for cell in drawn(line, line.still(at, at + 1.0), 3, 25):
        since = at + dice.uniform(-0.02, 0.06)
        line.touch(cell, since, since + dice.uniform(0.005, JUMPS))


def static(line: Timeline) -> None:
    """Let a spark close many free cells for an instant."""
    dice, at = line.dice, a_moment(line)
    for cell in drawn(line, line.free(at, at + 0.2), 3, 20):
        since = at + dice.uniform(0.0, 0.05)
        line.add(CellEvent(since, cell, True))
        line.add(CellEvent(since + dice.uniform(*STATIC), cell, None))


def afterthought(line: Timeline) -> None:
    """Press when the first piece of a turn stands, and only then do what else belongs to it."""
    dice, last = line.dice, {change.cell: change for change in line.changes}
    stands = [c.t for c in line.changes if c.reading is not None and last[c.cell] is c]
    if _may_press(line) and stands and any(change.t > stands[0] for change in line.changes):
        line.pause(stands[0], dice.uniform(0.2, 3.0))
        line.add(ButtonEvent(stands[0] + dice.uniform(0.02, 0.15), line.position.side))


def cuff(line: Timeline) -> None:
    """Sweep neighbours aside with a cuff on the way to the clock, and put them back after that."""
    dice, at = line.dice, line.end + line.dice.uniform(0.1, 0.5)
    still, free = line.still(-1.0, at + LONG), set(line.free(-1.0, at + LONG))
    centre, swept = dice.choice(still) if still else "", dict[Square, Square | None]()
    for cell in drawn(line, [c for c in still if is_near(c, centre, 2)], 2, 4):
        onto = sorted(square for square in free if is_near(cell, square, 1))
        swept[cell] = dice.choice(onto) if onto and dice.random() < 0.7 else None
        free.discard(swept[cell] or "")
    if len(swept) > 1 and _may_press(line):
        displace(line, at, swept, within=dice.uniform(0.02, 0.2))
        line.add(ButtonEvent(at + dice.uniform(-0.1, 0.4), line.position.side))


def _may_press(line: Timeline) -> bool:
    """Return whether a press takes no other turn than the one that hands are about to make."""
    return line.plain and not line.position.game.traits.long_turns


WHIMS = by_name(
    *(ponder, dither, wander, ring, fidget, absent, bulldoze),
    *(pocket, slam, static, afterthought, cuff, train),
)
"""What people do besides, by its name."""
