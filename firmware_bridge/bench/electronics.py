"""Cells that tell late what hands do, or nothing for a while, as readers and slow boards do."""

from __future__ import annotations

import math
from collections.abc import Callable

from drivers.port import CellEvent, Reading
from firmware_bridge.bench.gestures import by_name, drawn
from firmware_bridge.bench.timeline import Timeline

LATE = (0.1, 0.25, 0.5)
"""Seconds for which a cell must read the same until it tells so."""
ROUND = (0.1, 0.25)
"""Seconds in which all cells are asked, one after the other."""
STARTS_AGAIN = (0.03, 0.1, 0.4, 1.5, 4.0)
"""Seconds for which a chip tells nothing that starts again."""


def lingering(line: Timeline) -> None:
    """Tell late of every piece that leaves its cell, as a reader that misses a tag now and then."""
    late = line.dice.choice(LATE)
    _tell(line, lambda _, t, reading: t + late if reading is None else t)


def sluggish(line: Timeline) -> None:
    """Tell late of every piece that comes to a cell."""
    late = line.dice.choice(LATE)
    _tell(line, lambda _, t, reading: t if reading is None else t + late)


def polled(line: Timeline) -> None:
    """Ask the cells one after the other, so that what comes and goes in between is never told."""
    takes, cells = line.dice.choice(ROUND), sorted({change.cell for change in line.changes})
    begun = line.dice.uniform(0.0, takes)
    asked = {cell: begun + takes * number / len(cells) for number, cell in enumerate(cells)}
    _tell(line, lambda cell, t, _: asked[cell] + takes * math.ceil((t - asked[cell]) / takes))


def blackout(line: Timeline) -> None:
    """Let some lines of the board tell nothing for a while, and all of it at once after that."""
    dice, at, lasts = line.dice, line.dice.uniform(0.0, line.end), line.dice.choice(STARTS_AGAIN)
    still = line.still(at, at + lasts)
    dark = drawn(line, {cell[0] for cell in still}, 2, 4)
    for cell in still:
        if cell[0] in dark:
            line.touch(cell, at + dice.uniform(0.0, 0.001), at + lasts)


def _tell(line: Timeline, when: Callable[[str, float, Reading], float]) -> None:
    """Tell of every change of a cell at another time, unless it has changed again by then."""
    changes, told = line.changes, line.standing(-1.0)
    line.acts = [act for act in line.acts if not isinstance(act, CellEvent)]
    for number, change in enumerate(changes):
        at = when(change.cell, change.t, change.reading)
        again = (later.t for later in changes[number + 1 :] if later.cell == change.cell)
        if change.reading != told.get(change.cell) and at < next(again, math.inf):
            told[change.cell] = change.reading
            line.add(CellEvent(at, change.cell, change.reading))


ELECTRONICS = by_name(lingering, sluggish, polled, blackout)
"""Each way in which cells tell late, by its name."""
