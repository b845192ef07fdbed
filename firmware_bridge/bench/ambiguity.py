"""Whether a question had to be asked: what could explain the board, whatever the reconciler thinks.

It knows the rules, what the cells read, and which of them opened since the turn began, longer than
a nudge takes; nothing of the order in which they did, and nothing of how the reconciler thinks.
Where it finds two explanations, no board of this tier can tell them apart by what stands where.

Nor can any board tell what hands meant that say by a press, a touch or a thing on the board that
they made another turn: that is not `fair`, and what comes of it no defect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from drivers.port import ButtonEvent, CellEvent, Reading
from firmware_bridge.bench.scene import Handling
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.simulation import Pieces
from rules.explain import Seen
from rules.interface import Deed, Label, Position, Square

NUDGED = 0.2
"""Seconds: a cell that was open for a shorter time tells nothing of a capture there."""
PRESSED_FOR = 0.3
"""Seconds after a press in which what comes down was pressed for."""


def named(position: Position, pieces: Pieces) -> Mapping[str, Label]:
    """Return what every tag tells, while the pieces show the position."""
    on, placement = pieces.on, position.placement
    return pieces.tags | {tag: placement[cell] for cell, tag in on.items() if cell in placement}


class Doubt:
    """What the cells have told since a turn began."""

    def __init__(
        self, position: Position, labels: Mapping[str, Label], readings: Mapping[str, Reading]
    ) -> None:
        """Begin with what the cells read; `labels` is what every tag tells."""
        self._position = position
        self._labels = labels
        self._readings = dict(readings)
        self._was = dict(readings)
        self._touched: set[str] = set()
        self._opened: dict[str, float] = {}

    def feel(self, t: float, cell: str, reading: Reading) -> None:
        """Take in that a cell reads something."""
        if self._readings.get(cell) == reading:
            return
        if reading is None:
            self._opened[cell] = t
            self._readings.pop(cell, None)
            return
        lost = reading is True and cell in self._readings  # a tag may fail to read at any moment
        if not lost and t - self._opened.get(cell, -NUDGED) >= NUDGED:
            self._touched.add(cell)
        self._readings[cell] = reading

    def explanations(self) -> int:
        """Return how many explanations there are, or enough of them.

        Each legal turn of which all is there that can be felt is one. The position itself is one
        where the board shows it. And where a turn needs a piece to stand on a cell that never
        opened, or a disc to be turned over of which no tag says so, hands may not have done it yet;
        and where what lies below a disc decides, and all see it, not to ask would tell it.
        """
        fitting, seen = self.made(), self._seen()
        unfinished = any(self._may_be_unfinished(deed) or self._unread(deed) for deed in fitting)
        placement = self._position.placement
        unchanged = seen.occupied == placement.keys() and seen.known.items() <= placement.items()
        return len(fitting) + unfinished + unchanged

    def made(self) -> list[Deed]:
        """Return what the legal turns do of which all is there that can be felt.

        Where a piece was set down that a turn wants there, it is not thought to stand elsewhere.
        """
        turns = self._position.explainer().fitting(self._seen())
        deeds = map(self._position.deed, turns)
        fitting = [deed for deed in deeds if deed.physical and self._may_have_been(deed)]
        return [deed for deed in fitting if not self._unfelt(deed)] or fitting

    def _seen(self) -> Seen:
        """Return what stands there."""
        occupied = frozenset(self._readings.keys() & self._position.game.squares)
        return Seen(occupied, self._known(occupied))

    def _known(self, occupied: frozenset[Square]) -> dict[Square, Label]:
        """Return what tags tell."""
        read = {s: r for s in occupied if isinstance(r := self._readings[s], str)}
        return {square: self._labels[tag] for square, tag in read.items() if tag in self._labels}

    def _may_have_been(self, deed: Deed) -> bool:
        """Return whether every cell opened that must have, and no tag says that nothing was done.

        A victim may have been pushed aside without its cell opening, a carried piece may not.
        """
        sources = {target: source for source, target in deed.moves}
        left = {*sources.values(), *(set(deed.taken) - sources.keys())}
        turned = {square for square, _ in deed.flips}
        if not left | (turned - sources.keys()) <= self._opened.keys():
            return False
        return not any(
            self._lies_as_before(square, sources.get(square, square)) for square in turned
        )

    def _unfelt(self, deed: Deed) -> bool:
        """Return whether a piece would stand where no cell has told of its coming."""
        sources = {source for source, _ in deed.moves}
        return any(t not in self._touched and t not in sources for _, t in deed.moves)

    def _may_be_unfinished(self, deed: Deed) -> bool:
        """Return whether nothing tells that hands have done all of it."""
        sources = {target: source for source, target in deed.moves}
        return self._unfelt(deed) or any(
            self._tag(square, self._readings) is None
            or self._tag(sources.get(square, square), self._was) is None
            for square, _ in deed.flips
        )

    def _unread(self, deed: Deed) -> bool:
        """Return whether only what lies below a disc tells the turn: asking keeps it secret."""
        sacrificed = bool(deed.taken) and not deed.moves
        return sacrificed or any(self._tag(s, self._readings) is None for s, _ in deed.placed)

    def _lies_as_before(self, square: Square, home: Square) -> bool:
        """Return whether the tag that lay down on `home` lies down on `square` now."""
        tag = self._tag(square, self._readings)
        return tag is not None and tag == self._tag(home, self._was)

    @staticmethod
    def _tag(square: Square, readings: Mapping[str, Reading]) -> str | None:
        reading = readings.get(square)
        return reading if isinstance(reading, str) else None


def fair(handling: Handling, labels: Mapping[str, Label]) -> bool:
    """Return whether hands have said nowhere that they made another turn than those they did.

    Args:
        handling: what they do, and their turns.
        labels: what every tag tells as they begin.
    """
    line = handling.line
    for position, turn in zip(handling.positions, handling.turns, strict=False):
        deed = position.deed(turn)
        doubt = Doubt(position, labels, line.standing(-1.0))
        said = any(_other(one, deed) for one in _pressed_for(line, doubt, position.side))
        if said or any(_converts(line, position.deed(one), deed) for one in position.turns()):
            return False
    return line.reads_tags or not any(_in_the_air(line, at) for at in _laid_at(line))


def _pressed_for(line: Timeline, doubt: Doubt, side: str) -> Iterator[Deed]:
    """Yield what is whole when this side presses, or as soon after it as contacts lag."""
    pressed = [act.t for act in line.acts if isinstance(act, ButtonEvent) and act.button == side]
    acts = [*line.changes, *(CellEvent(at, "", None) for at in pressed)]
    for act in sorted(acts, key=lambda one: one.t):
        doubt.feel(act.t, act.cell, act.reading)
        if any(0.0 <= act.t - at <= PRESSED_FOR for at in pressed):
            yield from doubt.made()


def _other(one: Deed, meant: Deed) -> bool:
    """Return whether hands move, take or turn over something else; the rest the rules ask for."""
    return (one.moves, {*one.taken}, one.flips) != (meant.moves, {*meant.taken}, meant.flips)


def _converts(line: Timeline, one: Deed, meant: Deed) -> bool:
    """Return whether hands touched what confirms a conversion that this turn leaves out."""
    if one.touch is None or one.moves != meant.moves or one == meant:
        return False
    handled = [*_handled(line)]
    ends = {to for _, to in one.moves}
    changed = {square for square, _ in one.becomes} - ends
    return one.touch in handled or changed.issubset(handled)


def _handled(line: Timeline) -> Iterator[Square]:
    """Yield the squares on which something was put back."""
    stood = line.standing(-1.0)
    yield from (change.cell for change in line.changes if change.reading and change.cell in stood)


def _laid_at(line: Timeline) -> Iterator[float]:
    """Yield when things were laid on the board that are no pieces."""
    yield from (c.t for c in line.changes if c.cell in line.things and c.reading)


def _in_the_air(line: Timeline, at: float) -> bool:
    """Return whether a piece comes down later that had been lifted at this time."""
    held = 0
    for change in line.changes:
        if change.t > at and change.cell not in line.things:
            held += 1 if change.reading else -1
            if held > 0:
                return True
    return False
