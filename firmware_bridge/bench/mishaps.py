"""Mishaps of hands and boards that nobody means: crumbs, gloves, a toddler's fist, news that lags.

As in all clumsiness, the turns that were made are whole in the end, and nothing else has moved.
"""

from __future__ import annotations

from dataclasses import replace

from drivers.port import CellEvent
from firmware_bridge.bench.gestures import by_name, carrying, drawn, is_near
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.messages import Input

CAUGHT = (0.02, 0.12)
"""Seconds, least and most, for which a piece that slips touches the board before it is caught."""
BANGED = (0.05, 0.2)
"""Seconds, least and most, for which a piece is banged on a square."""
LAGS = (0.02, 0.05, 0.1)
"""Seconds: so late at most the cells of a slow board tell what they feel, each on its own."""


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
    dice = line.dice
    for lift, put in carrying(line):
        free, now, acts = line.free(lift.t, line.end), lift.t, list[Input]()
        for cell in drawn(line, free, 2, 6):
            stands = now + dice.uniform(0.1, 0.4)
            now = stands + dice.uniform(*BANGED)
            acts += CellEvent(stands, cell, put.reading), CellEvent(now, cell, None)
        line.pause(lift.t, now - lift.t + 0.05)
        line.add(*acts)


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


def echo(line: Timeline) -> None:
    """Let cells tell again what they have told, as a radio link does that had no answer."""
    dice = line.dice
    for change in line.changes:
        later = [c.t for c in line.changes if c.cell == change.cell and c.t > change.t]
        until = min((*later, change.t + 0.5))
        for _ in range(dice.randint(0, 2)):
            line.add(replace(change, t=dice.uniform(change.t, until - 0.001)))


MISHAPS = by_name(crumb, catch, gloves, grope, bang, lag, echo)
"""What may happen so while turns are made, by its name."""
