"""Mishaps of hands and boards that nobody means: crumbs, gloves, a toddler's fist, news that lags.

As in all clumsiness, the turns that were made are whole in the end, and nothing else has moved.
"""

from __future__ import annotations

from dataclasses import replace

from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.bench.gestures import (
    by_name,
    carrying,
    drawn,
    is_near,
    lift_and_put_back,
    stop_on,
)
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.messages import Input
from rules.values import SIDES

CAUGHT = (0.02, 0.12)
"""Seconds, least and most, for which a piece that slips touches the board before it is caught."""
BANGED = (0.05, 0.2)
"""Seconds, least and most, for which a piece is banged on a square."""
LAGS = (0.02, 0.05, 0.1)
"""Seconds: so late at most the cells of a slow board tell what they feel, each on its own."""
SLOW = (0.3, 1.0)
"""Seconds, least and most, by which a single cell lags behind all others."""
WAVED = (0.06, 0.28)
"""Seconds, least and most, for which a piece that a hand waves about is felt on a square."""


def crumb(line: Timeline) -> None:
    """Set the piece down on a crumb: its contact opens now and then, until it is pressed down."""
    dice = line.dice
    for _, put in carrying(line):
        if any(change.cell == put.cell and change.t > put.t for change in line.changes):
            return
        now = put.t
        for _ in range(dice.randint(1, 5)):
            now += dice.uniform(0.05, 0.8)
            until = now + dice.uniform(0.03, 0.4)
            line.add(CellEvent(now, put.cell, None), CellEvent(until, put.cell, put.reading))
            now = until


def catch(line: Timeline) -> None:
    """Let the piece slip and catch it again: it touches its square or the next one, on its way."""
    dice = line.dice
    for lift, put in carrying(line):
        near = [cell for cell in line.free(lift.t, line.end) if is_near(cell, lift.cell, 1)]
        cell = dice.choice([lift.cell, *near])
        if any(change.cell == lift.cell and change.t > lift.t for change in line.changes):
            return
        slips, touches = lift.t + dice.uniform(0.05, 0.4), dice.uniform(*CAUGHT)
        line.pause(lift.t, slips - lift.t + touches + 0.1)
        line.add(CellEvent(slips, cell, put.reading), CellEvent(slips + touches, cell, None))


def gloves(line: Timeline) -> None:
    """Take the neighbours up with the piece, in thick gloves, and set them down where they were."""
    dice = line.dice
    for lift, _ in carrying(line):
        near = [cell for cell in line.still(lift.t, line.end) if is_near(cell, lift.cell, 1)]
        chosen, now = drawn(line, near, 1, 2), lift.t + dice.uniform(0.3, 1.0)
        line.pause(lift.t, now - lift.t + 0.5 * len(chosen))
        for cell in chosen:
            line.touch(cell, lift.t + dice.uniform(0.005, 0.06), now)
            now += dice.uniform(0.1, 0.5)


def grope(line: Timeline) -> None:
    """Feel for the piece: lift its neighbours one after the other, and set each down at once."""
    dice = line.dice
    for lift, _ in carrying(line):
        at = lift.t - 0.001
        near = [cell for cell in line.still(at, line.end) if is_near(cell, lift.cell, 1)]
        chosen, now = drawn(line, near, 1, 4), at
        line.pause(at, 0.5 * len(chosen))
        for cell in chosen:
            line.touch(cell, now + 0.02, now + dice.uniform(0.06, 0.45))
            now += dice.uniform(0.2, 0.5)


def bang(line: Timeline) -> None:
    """Bang the piece on free squares, as a toddler does, before it is set down."""
    for lift, put in carrying(line):
        cells = drawn(line, line.free(lift.t, line.end), 2, 6)
        stop_on(line, (lift, put), cells, (0.1, 0.4), BANGED, then=0.05)


def lag(line: Timeline) -> None:
    """Let every cell tell a little late what it feels, so that some come in another order."""
    dice, last, most = line.dice, dict[str, float](), line.dice.choice(LAGS)
    acts = line.acts
    line.acts = []
    for act in acts:
        if isinstance(act, CellEvent):
            last[act.cell] = max(act.t + dice.uniform(0.0, most), last.get(act.cell, 0.0) + 0.001)
            line.add(replace(act, t=last[act.cell]))
        else:
            line.add(act)


def slow_cell(line: Timeline) -> None:
    """Let one cell that hands use tell late all that it feels."""
    late, acts = line.dice.uniform(*SLOW), line.acts
    line.acts = []
    (slow,) = drawn(line, {act.cell for act in acts if isinstance(act, CellEvent)}, 1, 1) or ("",)
    for act in acts:
        lags = isinstance(act, CellEvent) and act.cell == slow
        line.add(replace(act, t=act.t + late) if lags else act)


def echo(line: Timeline) -> None:
    """Let cells tell again what they have told, as a radio link does that had no answer."""
    dice = line.dice
    for change in line.changes:
        later = [c.t for c in line.changes if c.cell == change.cell and c.t > change.t]
        until = min((*later, change.t + 0.5))
        for _ in range(dice.randint(0, 2)):
            line.add(replace(change, t=dice.uniform(change.t, until - 0.001)))


def toy(line: Timeline) -> None:
    """Tilt one piece again and again in thought, often one that is to move, or to be taken."""
    dice, at = line.dice, 0.0
    line.pause(-1.0, 0.1)
    still, lifts = line.still(at, at), {c.cell for c in line.changes if c.reading is None}
    near = lifts.intersection(still) if dice.random() < 0.6 else still
    for cell in drawn(line, near, 1, 1) * dice.randint(4, 9):
        at = lift_and_put_back(line, at, cell, dice.uniform(0.15, 0.7))


def gesture(line: Timeline) -> None:
    """Talk with a piece in the hand, which touches squares, and put it home before the turn."""
    dice, placement = line.dice, line.position.placement
    side, still = line.position.side[0], line.still(0.0, 0.0)
    own = [cell for cell in still if placement.get(cell, " ")[0] == side]
    for cell in drawn(line, own, 1, 1):
        reading, now = line.standing(0.0)[cell], dice.uniform(0.3, 3.0)
        acts: list[Input] = [CellEvent(0.02, cell, None)]
        near = [square for square in line.free(0.0, 0.0) if is_near(square, cell, 3)]
        for square in drawn(line, near, 0, 5):
            until = now + dice.uniform(*WAVED)
            acts += CellEvent(now, square, reading), CellEvent(until, square, None)
            now = until + dice.uniform(0.1, 3.0)
        line.pause(-1.0, now + dice.uniform(0.3, 2.0))
        line.add(*acts, CellEvent(now, cell, reading))


def off_centre(line: Timeline) -> None:
    """Leave a piece on a border, with both cells on, until it is centred, often after a press."""
    dice, done, position = line.dice, line.end, line.position
    puts = [c for c in line.changes if c.reading is not None and c.cell in position.game.squares]
    for put in puts[-1:]:
        until = done + dice.uniform(1.5, 6.0)
        near = [cell for cell in line.free(put.t, until) if is_near(cell, put.cell, 1)]
        if line.standing(done).get(put.cell) != put.reading or not near:
            return
        beside = dice.choice(near)
        line.add(CellEvent(put.t + dice.uniform(0.0, 0.04), beside, put.reading))
        line.add(CellEvent(until, beside, None))
        if line.plain and not position.game.traits.long_turns and dice.random() < 0.7:
            line.add(ButtonEvent(dice.uniform(done + 0.1, until - 0.2), position.side))


def drum(line: Timeline) -> None:
    """Drum on both buttons of the clock, as a toddler does, once the turn is whole."""
    at = line.end
    for _ in range(line.dice.randint(2, 9) if line.plain else 0):
        at += line.dice.uniform(0.03, 0.6)
        line.add(ButtonEvent(at, line.dice.choice(SIDES)))


MISHAPS = by_name(
    crumb, catch, gloves, grope, bang, lag, slow_cell, echo, toy, gesture, off_centre, drum
)
"""What may happen so while turns are made, by its name."""
