"""How clumsy hands can be: each style bends a timeline, and leaves all pieces where it found them.

Nothing here is an offence: what stands wrongly goes back before anybody could rule on it, or comes
of an accident (several pieces at once), and the turns that were made are whole in the end.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.port import ButtonEvent, CellEvent, Reading
from firmware_bridge.bench.electronics import ELECTRONICS
from firmware_bridge.bench.gestures import (
    Bend,
    a_moment,
    by_name,
    carrying,
    displace,
    drawn,
    drawn_of,
    is_near,
    lift_and_put_back,
    on_the_way,
    there_and_back,
    victim,
)
from firmware_bridge.bench.mishaps import MISHAPS
from firmware_bridge.bench.slips import SLIPS
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.bench.whims import WHIMS
from rules.interface import Square
from rules.values import SIDES, king_steps

SHAKES = (0.01, 0.12)
"""Seconds, least and most, for which a contact opens or closes under a hand that trembles."""
KNOCKED = 0.14
"""Seconds: a contact that a knock on the table opens is closed again within this."""
TRIED = (0.15, 0.6)
"""Seconds, least and most, that a piece stands where it may not: shorter than the grace time."""


def tremble(line: Timeline) -> None:
    """Let contacts chatter for seconds under the hand that lifts a piece, or sets it down."""
    dice = line.dice
    changes = line.changes
    for change in drawn_of(line, changes, dice.randint(1, 2)):
        at = next((act.t for act in line.changes if act is change), None)
        if at is None:
            continue  # the first shaking has put it off
        before = line.standing(at - 0.001).get(change.cell, _elsewhere(line, change, at))
        other = before if change.reading is None else None
        gaps = [dice.uniform(*SHAKES) for _ in range(2 * dice.randint(2, 10))]
        line.pause(at, sum(gaps))
        for number, gap in enumerate(gaps):
            at += gap
            line.add(CellEvent(at, change.cell, change.reading if number % 2 else other))


def _elsewhere(line: Timeline, change: CellEvent, at: float) -> Reading:
    """Return what a cell must have read last, if its reading is not known."""
    return change.reading or next(iter(line.standing(at).values()), True)


def knock(line: Timeline) -> None:
    """Knock on the table: many contacts open for a moment, some of them again."""
    at = line.dice.uniform(0.0, line.end)
    cells = line.still(at, at + 3 * KNOCKED)
    for cell in drawn(line, cells, 2, 25):
        since = at + line.dice.uniform(0.0, 0.05)
        for _ in range(line.dice.randint(1, 2)):
            until = since + line.dice.uniform(0.005, KNOCKED)
            line.touch(cell, since, until)
            since = until + line.dice.uniform(0.005, 0.05)


def sleeve(line: Timeline) -> None:
    """Push some neighbours aside with a sleeve, all in one sweep, and put them back."""
    dice, at = line.dice, a_moment(line)
    still, free = line.still(at, at), set(line.free(at, at))
    if not still:
        return
    centre = dice.choice(still)
    swept: dict[Square, Square | None] = {}
    for cell in drawn(line, [cell for cell in still if is_near(cell, centre, 2)], 2, 4):
        onto = sorted(square for square in free if is_near(cell, square, 1))
        swept[cell] = dice.choice(onto) if onto and dice.random() < 0.8 else None
        free.discard(swept[cell] or "")
    if len(swept) > 1:  # one piece alone is no accident
        displace(line, at, swept, within=dice.uniform(0.03, 0.2))


def tip(line: Timeline) -> None:
    """Tip some neighbours over, and set them up again where they stood."""
    at = a_moment(line)
    still = line.still(at, at)
    if still:
        centre = line.dice.choice(still)
        near = [cell for cell in still if is_near(cell, centre, 2)]
        tipped = dict.fromkeys(drawn(line, near, 2, 5))
        displace(line, at, tipped, within=line.dice.uniform(0.03, 0.2))


def aside(line: Timeline) -> None:
    """Set a piece of the other player aside for a moment, as one that stands in the way."""
    _carried_aside(line, own=False)


def own_aside(line: Timeline) -> None:
    """Set another piece of one's own aside for a moment."""
    _carried_aside(line, own=True)


def _carried_aside(line: Timeline, *, own: bool) -> None:
    at = a_moment(line)
    placement, side = line.position.placement, line.position.side[0]
    mine = {cell for cell, label in placement.items() if (label[0] == side) == own}
    touched = {change.cell for change in line.changes}
    cells, free = sorted((mine & set(line.still(at, at))) - touched), line.free(at, at)
    if cells and free:
        there_and_back(line, at, line.dice.choice(cells), line.dice.choice(free), TRIED)


def border(line: Timeline) -> None:
    """Set a piece down on a border, so that the cell beside closes too, until it is centred."""
    dice, squares = line.dice, line.position.game.squares
    puts = [c for c in line.changes if c.reading is not None and c.cell in squares]
    if not puts:
        return
    change = dice.choice(puts)
    length = dice.choice((dice.uniform(0.05, 0.3), dice.uniform(0.3, 1.5)))
    near = [s for s in line.free(change.t, change.t) if is_near(s, change.cell, 1)]
    if near:
        beside, since = dice.choice(near), max(0.0, change.t + dice.uniform(-0.04, 0.04))
        line.pause(max(change.t, since), length)
        line.add(CellEvent(since, beside, change.reading))
        line.add(CellEvent(since + length, beside, None))


def park(line: Timeline) -> None:
    """Set a captured piece down on a playing square before it is taken off, perhaps after a press.

    Where owners are secret, a press says that hands are done.
    """
    dice, done, traits = line.dice, line.end, line.position.game.traits
    if (found := victim(line)) is not None:
        lifted, reading = found
        since = lifted.t + dice.uniform(0.1, 0.4)
        until = since + dice.uniform(*dice.choice(((0.1, 0.6), (0.6, 4.0), (5.0, 60.0))))
        if free := line.free(lifted.t, max(until, done)):
            cell = dice.choice(free)
            line.add(CellEvent(since, cell, reading), CellEvent(until, cell, None))
            if line.plain and until > done + 1.0 and not traits.owners_secret:
                line.add(ButtonEvent(dice.uniform(done + 0.1, until), line.position.side))


def shove(line: Timeline) -> None:
    """Push a captured piece to the next square with the hand, and take it off from there."""
    if (found := victim(line)) is not None:
        lifted, reading = found
        beside = [s for s in line.free(lifted.t, line.end) if is_near(s, lifted.cell, 1)]
        if beside:
            cell, since = line.dice.choice(beside), lifted.t + line.dice.uniform(0.01, 0.08)
            until = line.end + line.dice.uniform(0.2, 2.0)
            line.add(CellEvent(since, cell, reading), CellEvent(until, cell, None))


def hold(line: Timeline) -> None:
    """Think with a piece in the hand."""
    lifts = [change for change in line.changes if change.reading is None]
    if lifts:
        line.pause(line.dice.choice(lifts).t, line.dice.uniform(2.0, 12.0))


def adjust(line: Timeline) -> None:
    """Set many pieces upright, one after the other, own and others."""
    at = line.dice.choice((0.0, line.end))
    for cell in drawn(line, line.still(at, at), 3, 16):
        at = lift_and_put_back(line, at, cell, line.dice.uniform(0.12, 0.7))


def tries(line: Timeline) -> None:
    """Try a piece on wrong squares first, as a child does, and put it back every time."""
    dice, at = line.dice, 0.0
    placement, side = line.position.placement, line.position.side[0]
    own = sorted(cell for cell in line.still(at, at) if placement.get(cell, " ")[0] == side)
    free = line.free(at, at)
    for _ in range(dice.randint(1, 4) if own and free else 0):
        at = there_and_back(line, at, dice.choice(own), dice.choice(free), TRIED)


def sweep(line: Timeline) -> None:
    """Clear the board, or most of it, and set it up again as it was."""
    dice, at = line.dice, line.dice.choice((0.0, line.end))
    cells = line.still(at, at)
    chosen = drawn(line, cells, len(cells) // 2, len(cells))
    displace(line, at, dict.fromkeys(chosen), within=dice.uniform(0.3, 3.0))


def two_people(line: Timeline) -> None:
    """Let the other player adjust pieces of his own meanwhile."""
    dice = line.dice
    placement, side = line.position.placement, line.position.side[0]
    for _ in range(dice.randint(1, 3)):
        since = dice.uniform(0.0, line.end)
        until = since + dice.uniform(0.15, 1.5)
        cells = [c for c in line.still(since, until) if placement.get(c, side)[0] != side]
        if cells:
            line.touch(dice.choice(cells), since, until)


def drag(line: Timeline) -> None:
    """Drag a piece over the squares on its way, each of which feels it for a moment."""
    for lift, put in carrying(line):
        steps = king_steps(lift.cell, put.cell)
        free = {*line.free(lift.t, put.t)} - {put.cell}
        way = [cell for n in range(1, steps) if (cell := on_the_way(lift, put, n / steps)) in free]
        gap = line.dice.uniform(0.04, 0.25)
        line.pause(lift.t, gap * (len(way) + 1))
        for number, cell in enumerate(way, start=1):
            at = lift.t + number * gap
            line.add(CellEvent(at, cell, put.reading), CellEvent(at + 0.8 * gap, cell, None))


def second_thoughts(line: Timeline) -> None:
    """Set the piece down on other squares first, none of them for long."""
    for lift, put in carrying(line):
        free, now = line.free(lift.t, put.t), lift.t + 0.1
        chosen = [(cell, line.dice.uniform(*TRIED)) for cell in drawn(line, free, 1, 3)]
        line.pause(lift.t, sum(stands + 0.3 for _, stands in chosen) + 0.2)
        for cell, stands in chosen:
            now += 0.3 + stands
            line.add(CellEvent(now - stands, cell, put.reading), CellEvent(now, cell, None))


def nudge(line: Timeline) -> None:
    """Let a neighbour's contact open while a piece is lifted beside it, or set down."""
    dice = line.dice
    for change in drawn_of(line, line.changes, 2):
        since = max(0.0, change.t + dice.uniform(-0.1, 0.1))
        until = since + dice.uniform(0.03, 0.6)
        near = [cell for cell in line.still(since, until) if is_near(cell, change.cell, 1)]
        if near:
            line.touch(dice.choice(near), since, until)


def push(line: Timeline) -> None:
    """Push a neighbour to the next square with the piece in the hand, and put it back."""
    for lift, put in carrying(line):
        at = max(lift.t, put.t - line.dice.uniform(0.02, 0.15))
        near = [cell for cell in line.still(at, line.end) if is_near(cell, put.cell, 2)]
        cell = line.dice.choice(near) if near else ""
        onto = [square for square in line.free(at, line.end) if cell and is_near(square, cell, 1)]
        if onto:
            displace(line, at, {cell: line.dice.choice(onto)}, within=0.02)


def mixed_up(line: Timeline) -> None:
    """Tip two pieces over, set each up where the other one stood, and see it."""
    at, dice = a_moment(line), line.dice
    pair, readings = drawn(line, line.still(at, at), 2, 2), line.standing(at)
    if len(pair) < 2:
        return
    one, other = pair
    acts, now = [CellEvent(at + 0.02, one, None), CellEvent(at + 0.05, other, None)], at + 0.1
    seen = (one, readings[other]), (other, readings[one]), (one, None), (other, None)
    for cell, reading in (*seen, (one, readings[one]), (other, readings[other])):
        now += dice.uniform(0.2, 0.5)
        acts.append(CellEvent(now, cell, reading))
    line.pause(at, now - at + 0.1)
    line.add(*acts)


def lean(line: Timeline) -> None:
    """Lean on the board: a rank of pieces is off its contacts for a moment."""
    at, dice = a_moment(line), line.dice
    until = at + dice.uniform(0.2, 1.5)
    still = line.still(at, until + 0.1)
    rank = dice.choice(still)[1:] if still else ""
    for cell in still:
        if cell[1:] == rank:
            line.touch(cell, at + dice.uniform(0.0, 0.1), until + dice.uniform(0.0, 0.1))


def paw(line: Timeline) -> None:
    """Let a cat's paw shove some pieces to the next square, one after the other, and some off."""
    at, dice = a_moment(line), line.dice
    free = set(line.free(at, at))
    shoved: dict[Square, Square | None] = {}
    for cell in drawn(line, line.still(at, at), 3, 6):
        onto = sorted(square for square in free if is_near(square, cell, 1))
        shoved[cell] = dice.choice(onto) if onto and dice.random() < 0.7 else None
        free.discard(shoved[cell] or "")
    if len(shoved) > 2:
        displace(line, at, shoved, within=dice.uniform(0.4, 2.0))


def phone(line: Timeline) -> None:
    """Lay a thing with magnets on some free squares beside each other, and take it away."""
    at, dice = a_moment(line), line.dice
    until = at + dice.choice((dice.uniform(0.1, 1.0), dice.uniform(1.0, 10.0)))
    free = line.free(at, until)
    centre = dice.choice(free) if free else ""
    for cell in drawn(line, [s for s in free if centre and is_near(s, centre, 1)], 1, 3):
        line.things.add(cell)
        line.add(CellEvent(at + dice.uniform(0.0, 0.1), cell, True))
        line.add(CellEvent(until + dice.uniform(0.0, 0.1), cell, None))


def stall(line: Timeline) -> None:
    """Let the board stand still for a while, and tell then what has changed, cell by cell."""
    dice = line.dice
    since = dice.uniform(0.0, line.end)
    until = since + dice.uniform(0.2, 2.0)
    before, after = line.standing(since), line.standing(until)
    if before.keys() - line.standing(0.0).keys() - line.standing(line.end).keys():
        return  # what stands where it may not would stand there for too long
    line.acts = [
        act for act in line.acts if not (isinstance(act, CellEvent) and since < act.t <= until)
    ]
    cells = sorted(before.keys() | after.keys())
    changed = [cell for cell in cells if before.get(cell) != after.get(cell)]
    step = dice.choice((0.0, 0.001))
    line.pause(until, step * len(changed))
    line.add(
        *(CellEvent(until + n * step, cell, after.get(cell)) for n, cell in enumerate(changed))
    )


def centre(line: Timeline) -> None:
    """Centre three pieces with a finger, one after the other, before the turn."""
    at = 0.0
    for cell in drawn(line, line.still(at, at), 3, 3):
        at = lift_and_put_back(line, at, cell, line.dice.uniform(0.02, 0.3))


def polish(line: Timeline) -> None:
    """Polish some pieces, one after the other, each of them for long."""
    at = line.dice.choice((0.0, line.end))
    for cell in drawn(line, line.still(at, at), 2, 7):
        at = lift_and_put_back(line, at, cell, line.dice.uniform(0.5, 4.0))


def cat(line: Timeline) -> None:
    """Let a cat walk over the board: what it treads on is off its contact for a moment."""
    dice, at = line.dice, a_moment(line)
    still = line.still(at, line.end)
    way = drawn(line, still, 1, 1)
    while way and len(way) < 8:
        near = [cell for cell in still if cell not in way and is_near(cell, way[-1], 2)]
        if not near:
            break
        way.append(dice.choice(near))
    line.pause(at, 0.4 * len(way) + 0.5)
    for number, cell in enumerate(way):
        since = at + 0.02 + 0.4 * number * dice.uniform(0.5, 1.0)
        line.touch(cell, since, since + dice.uniform(0.05, 0.5))


def kings_up(line: Timeline) -> None:
    """Hold both kings while thinking, and put them back."""
    dice, at = line.dice, line.dice.choice((0.0, line.end))
    homes = {*map(line.position.king, SIDES)}
    seconds = dice.uniform(0.5, 9.0)
    line.pause(at, seconds + 1.0)
    for king in [cell for cell in line.still(at, at) if cell in homes]:
        since = at + dice.uniform(0.02, 0.4)
        line.touch(king, since, since + seconds)


def doubts(line: Timeline) -> None:
    """Lift the victim and put it back, twice, before it is taken."""
    lifts = [change for change in line.changes if change.reading is None]
    taken = [change for change in lifts if change.cell in line.taken][:1]
    for change in taken:
        at = max(0.0, change.t - 0.001)
        for _ in range(2 if change.cell in line.still(0.0, at) else 0):
            at = lift_and_put_back(line, at, change.cell, line.dice.uniform(0.1, 1.5))


def twist(line: Timeline) -> None:
    """Twist the piece that was moved on its square, and lift it for a moment by that."""
    at = line.end
    down = [change.cell for change in line.changes if change.reading is not None]
    moved = [cell for cell in down if cell in line.standing(at)][-1:]
    for cell in moved * line.dice.randint(1, 3):
        at = lift_and_put_back(line, at, cell, line.dice.uniform(0.05, 0.9))


def left_hand(line: Timeline) -> None:
    """Press the clock with the other hand before the piece stands, after a turn without a word."""
    puts = [change for change in line.changes if change.reading is not None]
    long = line.position.game.traits.long_turns  # there, a press ends what is whole
    if puts and line.plain and not long:
        lifts = [change.t for change in line.changes if change.reading is None]
        left = max((t for t in lifts if t < puts[-1].t), default=0.0)  # slid, it stood there
        at = max(left, puts[-1].t - line.dice.uniform(0.02, 0.6))
        line.add(ButtonEvent(at, line.position.side))


def child(line: Timeline) -> None:
    """Play as a child does: everything, one after the other."""
    for bend in line.dice.sample((tries, tip, adjust, own_aside, hold, tremble), 3):
        bend(line)


_OWN = by_name(
    tremble, knock, sleeve, tip, aside, own_aside, border, park, shove, hold, adjust, tries, sweep,
    two_people, drag, second_thoughts, nudge, push, mixed_up, lean, paw, phone, stall, child,
    centre, polish, cat, kings_up, doubts, twist, left_hand,
)  # fmt: skip
STYLES: Mapping[str, Bend] = {**_OWN, **SLIPS, **MISHAPS, **WHIMS, **ELECTRONICS}
"""What may happen while turns are made, by its name."""
QUIET = frozenset(
    (
        "tremble",
        "knock",
        "border",
        "hold",
        "adjust",
        "two-people",
        "nudge",
        "centre",
        "hover",
        "rank",
    )
)
"""Styles in which nothing ever stands where it may not, so that any alarm is a defect."""
