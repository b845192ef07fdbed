"""What machines and people go by on a circuit: fiducials, and each part's name beside it.

Places are looked for, not drawn: a mark lies where no copper, hole, part or print is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from hardware.tools.pcb.copper import EDGE, HOLE, VIA, Box, Circuit, Label, Placed, Point, Track

FIDUCIAL, BARE = 1.0, 2.0
"""Diameter of a fiducial's copper, and of what is free of mask around it (IPC-7351)."""
_STEP, _AWAY = 0.5, 0.3
_LETTER_WIDE, _LETTER_HIGH = 0.9, 1.0
"""Room for one letter of a name, in millimetres, lines included."""
_SIZE = 0.8
_BESIDE = 0.3


def fiducials(circuit: Circuit) -> tuple[Point, ...]:
    """Return three places for fiducials: far apart, and not in a line."""
    room = BARE / 2 + _AWAY
    inset = EDGE + room + 2.5  # fabricators hold a circuit at its edges
    wide, high = circuit.width, circuit.height
    right, low = wide - inset, high - inset
    wanted = (Point(inset, low), Point(right, inset), Point(right, low))
    return tuple(_nearest(circuit, place, room, inset) for place in wanted)


def _nearest(circuit: Circuit, wanted: Point, room: float, inset: float) -> Point:
    """Return the free place that is nearest to the one wanted."""
    across = int((circuit.width - 2 * inset) / _STEP)
    down = int((circuit.height - 2 * inset) / _STEP)
    places = [
        Point(inset + column * _STEP, inset + row * _STEP)
        for column in range(across + 1)
        for row in range(down + 1)
    ]
    for place in sorted(places, key=lambda place: math.dist(place, wanted)):
        if free(circuit, _square(place, room)):
            return place
    raise ValueError(f"{circuit.name}: there is no room for a fiducial")


def free(circuit: Circuit, box: Box) -> bool:
    """Return whether nothing of the upper side, and no hole, reaches into a box."""
    if any(_touches(box, via.at, VIA / 2) for via in circuit.vias):
        return False
    if any(_touches(box, hole, HOLE / 2 + 1.6) for hole in circuit.holes):  # a screw's head
        return False
    if any(track.layer == "F" and _crosses(box, track) for track in circuit.tracks):
        return False
    above = [label for label in circuit.labels if not label.below]
    taken = [*map(_room, circuit.parts), *map(_words, above)]
    return not any(_overlap(box, other) for other in taken)


def names(circuit: Circuit) -> Iterator[Label]:
    """Yield the name of every part, printed where there is room beside it."""
    marks = [_square(mark, BARE / 2 + 0.2) for mark in fiducials(circuit)]
    taken = {
        below: [*marks, *map(_words, circuit.labels)]
        + [box for part in circuit.parts for box in _blocks(part, below=below)]
        for below in (False, True)
    }
    for part in circuit.parts:
        boxes = taken[part.component.footprint.below]
        for label in _around(part):
            box = _words(label)
            inside = box.left > EDGE and box.top > EDGE
            inside &= box.right < circuit.width - EDGE and box.bottom < circuit.height - EDGE
            clear = not any(_overlap(box, other) for other in boxes)
            if inside and clear and _printable(circuit, box):
                boxes.append(box)
                yield label
                break


def _blocks(part: Placed, *, below: bool) -> Iterator[Box]:
    """Yield where a part lets nothing be printed on a side: its room, or its legs on the other."""
    if part.component.footprint.below == below:
        yield _room(part)
        return
    for pad in part.component.footprint.pads:
        if pad.drill:
            yield _square(part.place(pad.x, pad.y), max(pad.width, pad.height) / 2 + 0.1)


def _around(part: Placed) -> Iterator[Label]:
    """Yield where a part's name may stand: above, below, right, left of it, then farther off."""
    room = _room(part)
    x, y = (room.left + room.right) / 2, (room.top + room.bottom) / 2
    wide = len(part.reference) * _LETTER_WIDE / 2
    for away in (_BESIDE, 1.0, 1.8, 2.6, 3.4, 4.2, 5.0, 5.8):
        up = _LETTER_HIGH / 2 + away
        for place in (
            Point(x, room.top - up),
            Point(x, room.bottom + up),
            Point(room.right + wide + away, y),
            Point(room.left - wide - away, y),
            Point(room.left - wide - away, room.top - up),
            Point(room.right + wide + away, room.top - up),
            Point(room.right + wide + away, room.bottom + up),
        ):
            yield Label(part.reference, place, _SIZE, below=part.component.footprint.below)


def _printable(circuit: Circuit, box: Box) -> bool:
    """Return whether print would lie on no hole: it is cut away there, and cannot be read."""
    vias = any(_touches(box, via.at, VIA / 2) for via in circuit.vias)
    return not vias and not any(_touches(box, hole, HOLE / 2 + 0.3) for hole in circuit.holes)


def _square(at: Point, half: float) -> Box:
    return Box(at.x - half, at.y - half, at.x + half, at.y + half)


def _room(part: Placed) -> Box:
    room = part.component.footprint.room
    corners = [part.place(x, y) for x in (room.left, room.right) for y in (room.top, room.bottom)]
    across, down = [corner.x for corner in corners], [corner.y for corner in corners]
    return Box(min(across), min(down), max(across), max(down))


def _words(label: Label) -> Box:
    """Return the room that a label takes."""
    half = len(label.text) * label.size * _LETTER_WIDE / _SIZE * 0.5, label.size * 0.7
    wide, high = half if label.turned in (0, 180) else half[::-1]
    return Box(label.at.x - wide, label.at.y - high, label.at.x + wide, label.at.y + high)


def _overlap(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom


def _touches(box: Box, at: Point, radius: float) -> bool:
    near = Point(min(max(at.x, box.left), box.right), min(max(at.y, box.top), box.bottom))
    return math.dist(near, at) < radius


def _crosses(box: Box, track: Track) -> bool:
    """Return whether a track comes into a box; tracks run straight along an axis, or aslant."""
    reach = track.width / 2 + 0.1
    (x, y), (to_x, to_y) = track.start, track.end
    if max(x, to_x) + reach < box.left or min(x, to_x) - reach > box.right:
        return False  # most tracks run far off, and are not followed
    if max(y, to_y) + reach < box.top or min(y, to_y) - reach > box.bottom:
        return False
    steps = max(1, int(math.dist(track.start, track.end) / _STEP))
    return any(
        _touches(box, Point(x + (to_x - x) * n / steps, y + (to_y - y) * n / steps), reach)
        for n in range(steps + 1)
    )
