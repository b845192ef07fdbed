"""What hands do again and again, of which handling that is clumsy is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from drivers.port import CellEvent, Reading
from firmware_bridge.bench.timeline import Timeline
from rules.interface import Square
from rules.values import king_steps

Bend = Callable[[Timeline], None]


def by_name(*bends: Bend) -> Mapping[str, Bend]:
    """Return bends by their names."""
    return {bend.__name__.replace("_", "-"): bend for bend in bends}


def a_moment(line: Timeline) -> float:
    """Return a time at which something may come in between."""
    return line.dice.choice((0.0, line.end, line.dice.uniform(0.0, line.end)))


def drawn(line: Timeline, cells: Iterable[str], least: int, most: int) -> list[str]:
    """Return so many of some cells, if there are so many."""
    known = sorted(cells)
    return line.dice.sample(known, min(len(known), line.dice.randint(least, most)))


def drawn_of(line: Timeline, changes: list[CellEvent], most: int) -> list[CellEvent]:
    """Return so many of some changes, if there are so many."""
    return line.dice.sample(changes, min(len(changes), most))


def carrying(line: Timeline) -> list[tuple[CellEvent, CellEvent]]:
    """Return the first carrying of a piece of the mover's over the board; none if there is none."""
    own, squares = line.position.side[0], line.position.game.squares
    placement, changes = line.position.placement, line.changes
    for number, lift in enumerate(changes):
        put = next((put for put in changes[number + 1 :] if put.cell != lift.cell), None)
        over = put is not None and put.reading is not None and put.cell in squares
        if put and over and lift.reading is None and placement.get(lift.cell, " ")[0] == own:
            return [(lift, put)]
    return []


def victim(line: Timeline) -> tuple[CellEvent, Reading] | None:
    """Return the first lift on the square of a captured piece, and its reading, if it is its own.

    Where that piece was knocked aside, what is lifted there is the one that came in its place.
    """
    lifts = (c for c in line.changes if c.cell in line.taken and c.reading is None)
    lifted = next(lifts, None)
    if lifted is None:
        return None
    reading = line.standing(lifted.t - 0.001).get(lifted.cell)
    own = reading is not None and reading == line.standing(0.0).get(lifted.cell)
    return (lifted, reading) if own else None


def on_the_way(lift: CellEvent, put: CellEvent, share: float) -> Square:
    """Return over which square a piece is after so much of its way."""
    file = ord(lift.cell[0]) + share * (ord(put.cell[0]) - ord(lift.cell[0]))
    rank = int(lift.cell[1:]) + share * (int(put.cell[1:]) - int(lift.cell[1:]))
    return f"{chr(round(file))}{round(rank)}"


def lift_and_put_back(line: Timeline, at: float, cell: str, seconds: float) -> float:
    """Lift a piece and put it back; all else waits. Return when the hand is free again."""
    length = seconds + line.dice.uniform(0.1, 0.4)
    line.pause(at, length)
    line.touch(cell, at + 0.02, at + 0.02 + seconds)
    return at + length


def there_and_back(
    line: Timeline, at: float, cell: str, onto: str, stands: tuple[float, float]
) -> float:
    """Carry a piece to a square and back; all else waits. Return when the hand is free again."""
    dice, reading = line.dice, line.standing(at)[cell]
    times = [0.02, dice.uniform(0.15, 0.4), dice.uniform(*stands), dice.uniform(0.15, 0.4)]
    length = sum(times) + dice.uniform(0.1, 0.4)
    line.pause(at, length)
    for seconds, (where, reads) in zip(
        times, ((cell, None), (onto, reading), (onto, None), (cell, reading)), strict=True
    ):
        at += seconds
        line.add(CellEvent(at, where, reads))
    return at


def stop_on(
    line: Timeline,
    carried: tuple[CellEvent, CellEvent],
    cells: Iterable[Square],
    comes: tuple[float, float],
    stands: tuple[float, float],
    *,
    then: float = 0.0,
) -> None:
    """Set a carried piece down on squares in turn, before it goes where it does; all else waits.

    Args:
        line: what is bent.
        carried: how the piece is lifted, and put down in the end.
        cells: the squares.
        comes: seconds, least and most, until it stands on the next one.
        stands: seconds, least and most, for which it stands there.
        then: seconds from the last one on.
    """
    lift, put = carried
    now, acts = lift.t, list[CellEvent]()
    for cell in cells:
        since = now + line.dice.uniform(*comes)
        now = since + line.dice.uniform(*stands)
        acts += CellEvent(since, cell, put.reading), CellEvent(now, cell, None)
    line.pause(lift.t, now - lift.t + then)
    line.add(*acts)


def displace(line: Timeline, at: float, moved: Mapping[str, str | None], *, within: float) -> None:
    """Move pieces away `within` seconds, `None` for off the board, and put them back in turn."""
    dice, readings = line.dice, line.standing(at)
    acts, now = [], at + 0.02
    for cell, onto in moved.items():
        acts.append(CellEvent(now, cell, None))
        if onto is not None:
            acts.append(CellEvent(now + dice.uniform(0.005, 0.04), onto, readings[cell]))
        now += within / len(moved)
    now += dice.uniform(0.3, 2.5)
    away, order = dict(moved), dice.sample(sorted(moved), len(moved))
    while away:  # where one that was pushed stands on the square of another, that one waits
        cell = next(cell for cell in order if cell in away and cell not in away.values())
        if (onto := away.pop(cell)) is not None:
            acts.append(CellEvent(now, onto, None))
            now += dice.uniform(0.1, 0.4)
        acts.append(CellEvent(now, cell, readings[cell]))
        now += dice.uniform(0.1, 0.4)
    line.pause(at, now - at)
    line.add(*acts)


def is_near(one: Square, other: Square, steps: int) -> bool:
    """Return whether a king goes from one square to the other in so many steps."""
    return 0 < king_steps(one, other) <= steps
