"""Slips of hands that know what they want: what falls, what is touched, what is pressed too soon.

As in all clumsiness, the turns that were made are whole in the end, and nothing else has moved.
"""

from __future__ import annotations

from drivers.port import ButtonEvent, CellEvent, Reading
from firmware_bridge.bench.gestures import (
    a_moment,
    by_name,
    carrying,
    drawn,
    is_near,
    on_the_way,
    stop_on,
)
from firmware_bridge.bench.timeline import Timeline
from rules.interface import Square
from rules.values import SIDES, king_steps

ROLLED = 3
"""So many squares a piece rolls at most."""
TOUCHES = (0.04, 0.5)
"""Seconds, least and most, for which a piece that hovers touches its square, or leaves it."""
LIES = (0.5, 4.0)
"""Seconds, least and most, until a piece that fell is set up again."""
ONE_BY_ONE = (0.3, 1.0)
"""Seconds, least and most, from one piece that a child takes to the next."""
SHORTLY = (0.3, 0.7)
"""Seconds, least and most, for which a piece stands where it may not, with the clock pressed."""
LONGEST = 40
"""Over so many free squares at most a piece looks for its way round the others."""


def handful(line: Timeline) -> None:
    """Take up two neighbours in one hand, and set them down in the other order."""
    dice, at = line.dice, a_moment(line)
    still = line.still(at, at)
    first = dice.choice(still) if still else ""
    near = [cell for cell in still if first and is_near(cell, first, 1)]
    if not near:
        return
    pair = [first, dice.choice(near)]
    readings, now, acts = line.standing(at), at, []
    for cells, reads in ((pair, False), (pair[::-1] if dice.random() < 0.8 else pair, True)):
        for cell in cells:
            now += dice.uniform(0.1, 0.6)
            acts.append(CellEvent(now, cell, readings[cell] if reads else None))
        now += dice.uniform(0.2, 3.0)
    line.pause(at, now - at)
    line.add(*acts)


def elbow(line: Timeline) -> None:
    """Press a button of the clock with the elbow, one's own or the other one's, on the way."""
    dice, side = line.dice, line.dice.choice(SIDES)
    lifts = [change.t for change in line.changes if change.reading is None]
    at = dice.choice((-1.0, *lifts))
    line.pause(at, 1.5)  # what stands just after the clock is pressed would count, too
    line.add(ButtonEvent(max(at, 0.0) + dice.uniform(0.2, 0.8), side))


def roll(line: Timeline) -> None:
    """Let a piece roll over some free squares, and fetch it back from the last."""
    dice, at = line.dice, a_moment(line)
    still, free = line.still(at, at), line.free(at, at)
    if not still:
        return
    cell = dice.choice(still)
    way, reading, now = [cell], line.standing(at)[cell], at + 0.02
    while len(way) <= ROLLED and (near := [s for s in free if is_near(s, way[-1], 1)]):
        way.append(dice.choice([s for s in near if s not in way] or near))
    acts = []
    for number, square in enumerate(way[1:], start=1):
        acts.append(CellEvent(now, way[number - 1], None))
        acts.append(CellEvent(now + dice.uniform(0.01, 0.06), square, reading))
        now += dice.uniform(0.07, 0.2)
    if not acts:
        return
    now += dice.uniform(0.05, 0.15)  # nobody lets it lie
    acts.append(CellEvent(now, way[-1], None))
    now += dice.uniform(0.15, 0.4)
    acts.append(CellEvent(now, cell, reading))
    line.pause(at, now - at + 0.1)
    line.add(*acts)


def fallen_king(line: Timeline) -> None:
    """Tip a king, whose magnet is felt beside its square for a moment, and set it up again."""
    dice, at = line.dice, a_moment(line)
    placement = line.position.placement
    kings = [cell for cell in line.still(at, at) if placement.get(cell, "")[1:] == "K"]
    if not kings:
        return
    king = dice.choice(kings)
    reading, since = line.standing(at)[king], at + 0.02
    until = since + dice.uniform(*LIES)
    beside = [square for square in line.free(at, at) if is_near(square, king, 1)]
    acts = [CellEvent(since, king, None), CellEvent(until, king, reading)]
    if beside and dice.random() < 0.7:
        square, touched = dice.choice(beside), since + dice.uniform(0.02, 0.2)
        rolls_off = touched + dice.uniform(0.02, 0.2)
        acts += [CellEvent(touched, square, reading), CellEvent(rolls_off, square, None)]
    line.pause(at, until - at + 0.2)
    line.add(*acts)


def hover(line: Timeline) -> None:
    """Hold a piece over its square and touch it several times, before it goes or once it came."""
    dice, changes = line.dice, line.changes
    if not changes:
        return
    change = dice.choice(changes)
    stood = line.standing(change.t - 0.001).get(change.cell)
    down, up = change.reading, stood if change.reading is None else None
    if down is None and up is None:
        return
    now = change.t
    gaps = [dice.uniform(*TOUCHES) for _ in range(2 * dice.randint(1, 4))]
    line.pause(now, sum(gaps) + 0.1)
    for number, gap in enumerate(gaps):
        now += gap
        line.add(CellEvent(now, change.cell, down if number % 2 else up))


def rank(line: Timeline) -> None:
    """Set a whole rank upright with both hands before the turn, the next before the last stands."""
    dice, now = line.dice, 0.0
    still = line.still(now, now)
    number = dice.choice(still)[1:] if still else ""
    cells = [cell for cell in still if cell[1:] == number]
    if dice.random() < 0.5:
        cells.reverse()
    acts, readings, last = [], line.standing(now), 0.0
    for cell in drawn(line, cells, len(cells), len(cells)) if dice.random() < 0.3 else cells:
        until = now + dice.uniform(0.05, 0.6)
        acts += [CellEvent(now, cell, None), CellEvent(until, cell, readings[cell])]
        now, last = now + dice.uniform(0.2, 0.5), max(last, until)
    line.pause(-1.0, max(now, last) + dice.uniform(0.2, 1.0))
    line.add(*acts)


def engraving(line: Timeline) -> None:
    """Look below many pieces before the turn, taking the next one up before the last one stands."""
    dice, now, readings = line.dice, 0.0, line.standing(0.0)
    acts = list[CellEvent]()
    for cell in drawn(line, line.still(0.0, 0.0), 12, 32):
        until = now + dice.uniform(*ONE_BY_ONE)
        acts += CellEvent(now, cell, None), CellEvent(until, cell, readings[cell])
        now = until + dice.uniform(-0.15, 0.4)
    line.pause(-1.0, now + dice.uniform(0.3, 1.0))
    line.add(*acts)


def grab(line: Timeline) -> None:
    """Let a child take pieces off one by one, and set them up again, before the turn or after."""
    dice, at = line.dice, line.dice.choice((0.0, line.end))
    readings, cells = line.standing(at), drawn(line, line.still(at, at), 3, 6)
    acts, now = [], at + 0.02
    for order, reads in ((cells, False), (dice.sample(cells, len(cells)), True)):
        for cell in order:
            acts.append(CellEvent(now, cell, readings[cell] if reads else None))
            now += dice.uniform(*ONE_BY_ONE)
        now += dice.uniform(0.2, 2.0)
    line.pause(at, now - at)
    line.add(*acts)


def juggle(line: Timeline) -> None:
    """Hold another piece, own or not, through the whole turn, and put it back after it."""
    still = line.still(0.0, line.end + 2.0)
    if still:
        line.pause(-1.0, 0.5)
        until = line.end + line.dice.uniform(0.1, 1.5)
        line.touch(line.dice.choice(still), line.dice.uniform(0.0, 0.3), until)


def loose_reed(line: Timeline) -> None:
    """Let a free cell say now and then, all through the turn, that something stands there."""
    _now_and_then(line, line.dice.choice(line.free(-1.0, line.end + 5.0)), True)


def weak_magnet(line: Timeline) -> None:
    """Let the cell of a piece that rests open now and then, all through the turn."""
    for cell in drawn(line, line.still(-1.0, line.end + 5.0), 1, 1):
        _now_and_then(line, cell, None, line.standing(-1.0)[cell])


def coupled(line: Timeline) -> None:
    """Let a free cell read, now and then, the tag of a piece that goes on standing beside it."""
    free, reads = line.free(-1.0, line.end + 5.0), line.standing(-1.0)
    resting = line.still(-1.0, line.end + 5.0)
    if pairs := [(piece, cell) for piece in resting for cell in free if is_near(piece, cell, 1)]:
        piece, cell = line.dice.choice(pairs)
        _now_and_then(line, cell, reads[piece])


def _now_and_then(line: Timeline, cell: Square, reading: Reading, usual: Reading = None) -> None:
    now, end = line.dice.uniform(0.0, 0.8), line.end
    while now < end:
        until = now + line.dice.uniform(0.02, 0.7)
        line.add(CellEvent(now, cell, reading), CellEvent(until, cell, usual))
        now = until + line.dice.uniform(0.3, 2.0)


def overshoot(line: Timeline) -> None:
    """Slide a piece past its goal to the next square, and back."""
    for lift, put in carrying(line):
        steps = king_steps(lift.cell, put.cell)
        onto = on_the_way(lift, put, 1 + 1 / steps)
        if onto not in line.free(lift.t, line.end):
            return
        there = put.t + line.dice.uniform(0.05, 0.2)
        back = there + line.dice.uniform(0.05, 0.7)
        line.pause(put.t, back - put.t + 0.1)
        line.add(
            CellEvent(there, put.cell, None),
            CellEvent(there + 0.01, onto, put.reading),
            CellEvent(back, onto, None),
            CellEvent(back + 0.01, put.cell, put.reading),
        )


def roundabout(line: Timeline) -> None:
    """Slide a piece round all others, from cell to cell; each closes before the last one opens."""
    for lift, put in carrying(line):
        way = _round(line, lift, put)
        gap = line.dice.uniform(0.1, 0.6)
        line.pause(lift.t, gap * (len(way) + 1))
        for number, cell in enumerate(way, start=1):
            at = lift.t + number * gap
            line.add(CellEvent(at, cell, put.reading))
            line.add(CellEvent(at + gap + line.dice.uniform(-0.03, 0.07), cell, None))


def _round(line: Timeline, lift: CellEvent, put: CellEvent) -> list[Square]:
    """Return the shortest way over free squares, without the two at its ends; perhaps none."""
    free = drawn(line, line.free(lift.t, line.end), LONGEST, LONGEST)
    ways = [[square] for square in free if is_near(square, lift.cell, 1)]
    reached = {way[-1] for way in ways}
    for way in ways:
        if is_near(way[-1], put.cell, 1):
            return [square for square in way if square != put.cell]
        onward = [s for s in free if s not in reached and is_near(s, way[-1], 1)]
        reached.update(onward)
        ways += [[*way, square] for square in onward]
    return []


def cup(line: Timeline) -> None:
    """Put a cup, or strange pieces, on some free squares, and take it away after a press."""
    dice, done = line.dice, line.end
    since, until = dice.uniform(0.0, done + 0.3), done + dice.uniform(1.5, 12.0)
    free, strange = line.free(since, until) if line.reads_tags else [], dice.random() < 0.5
    centre = dice.choice(free) if free else ""
    for cell in drawn(line, [s for s in free if centre and is_near(s, centre, 1)], 1, 3):
        reading: Reading = f"another-set-{cell}" if strange else True
        line.add(CellEvent(since + dice.uniform(0.0, 0.08), cell, reading))
        line.add(CellEvent(until + dice.uniform(0.0, 0.08), cell, None))
    if line.plain and not line.position.game.traits.long_turns and dice.random() < 0.5:
        line.add(ButtonEvent(dice.uniform(done + 0.1, until - 0.1), line.position.side))


def held_press(line: Timeline) -> None:
    """Press with a piece in the hand, and set it down long after."""
    dice = line.dice
    long = line.position.game.traits.long_turns  # there, a press ends what is whole
    lifts = [change.t for change in line.changes if change.reading is None]
    if lifts and line.plain and not long:
        at = dice.choice(lifts)
        line.pause(at, dice.uniform(1.5, 4.0))
        line.add(ButtonEvent(at + dice.uniform(0.02, 0.4), line.position.side))


def tidy(line: Timeline) -> None:
    """Put what was captured in order beside the board, all through the turn and after it."""
    dice, end = line.dice, line.end + 1.0
    for cell in ("hw1", "hw2", "hb1"):
        now = dice.uniform(0.0, 0.8)
        while now < end:
            until = now + dice.uniform(0.1, 1.5)
            line.add(CellEvent(now, cell, True), CellEvent(until, cell, None))
            now = until + dice.uniform(0.1, 1.5)


def counting(line: Timeline) -> None:
    """Tap the piece on every free square of its way, as children count, and set it down at last."""
    for lift, put in carrying(line):
        steps, free = king_steps(lift.cell, put.cell), line.free(lift.t, line.end)
        way = dict.fromkeys(on_the_way(lift, put, step / steps) for step in range(1, steps))
        stop_on(line, (lift, put), [cell for cell in way if cell in free], (0.1, 0.5), TOUCHES)


def cling(line: Timeline) -> None:
    """Lift a neighbour with the piece: it falls onto the square that was left, and is put home."""
    dice = line.dice
    for lift, put in carrying(line):
        near = [cell for cell in line.still(lift.t, line.end) if is_near(cell, lift.cell, 1)]
        if not near or any(c.cell == lift.cell and c.t > lift.t for c in line.changes):
            return
        cell, falls = dice.choice(near), lift.t + dice.uniform(0.05, 0.2)
        reading = line.standing(lift.t)[cell]
        taken = max(falls + dice.uniform(0.2, 1.5), put.t + 0.2)
        line.add(CellEvent(lift.t + 0.03, cell, None), CellEvent(falls, lift.cell, reading))
        line.add(CellEvent(taken, lift.cell, None))
        line.add(CellEvent(taken + dice.uniform(0.15, 0.5), cell, reading))


def shift(line: Timeline) -> None:
    """Shift a neighbour by one square with the arm that sets the piece down; put it back later.

    Sometimes nobody sees it before the clock is pressed.
    """
    dice = line.dice
    for _, put in carrying(line):
        at = put.t + dice.uniform(0.03, 0.1)
        free = line.free(-1.0, line.end + LIES[1])  # what was left may be filled by another turn
        still = [cell for cell in line.still(at, line.end + LIES[1]) if is_near(cell, put.cell, 2)]
        moved = [(cell, to) for cell in still for to in free if is_near(cell, to, 1)]
        if not moved:
            return
        cell, to = dice.choice(moved)
        done, reading, back = line.end, line.standing(at)[cell], line.end + dice.uniform(*LIES) / 2
        line.add(CellEvent(at, cell, None), CellEvent(at + dice.uniform(0.0, 0.05), to, reading))
        line.add(
            CellEvent(back, to, None), CellEvent(back + dice.uniform(0.15, 0.6), cell, reading)
        )
        if line.plain and not line.position.game.traits.long_turns and dice.random() < 0.5:
            line.add(ButtonEvent(dice.uniform(done + 0.1, back), line.position.side))


def hasty_press(line: Timeline) -> None:
    """Press before the piece is set down, first where it may stand for a moment only."""
    dice = line.dice
    for lift, put in carrying(line):
        free = [cell for cell in line.free(lift.t, line.end) if is_near(cell, lift.cell, 2)]
        if line.position.game.traits.long_turns or not (line.plain and free):
            return
        onto, stands = dice.choice(free), dice.uniform(*SHORTLY)
        at = lift.t + dice.uniform(0.1, 0.4)
        line.pause(lift.t, at - lift.t + stands + 0.5)
        line.add(ButtonEvent(at - 0.08, line.position.side), CellEvent(at, onto, put.reading))
        line.add(CellEvent(at + stands, onto, None))


SLIPS = by_name(
    handful, elbow, roll, fallen_king, hover, rank, engraving, grab, juggle, loose_reed,
    weak_magnet, coupled, overshoot, roundabout, cup, held_press, tidy, counting, cling, shift,
    hasty_press,
)  # fmt: skip
"""What hands do besides, by its name."""
