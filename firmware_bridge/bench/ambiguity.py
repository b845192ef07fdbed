"""Whether a question had to be asked: what could explain the board, whatever the reconciler thinks.

It knows the rules, what the cells read, and which of them opened since the turn began, longer than
a nudge takes; nothing of the order in which they did, and nothing of how the reconciler thinks.
Where it finds two explanations, no board of this tier can tell them apart by what stands where.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.port import Reading
from firmware_bridge.simulation import Pieces
from rules.explain import Seen
from rules.interface import Deed, Label, Position, Square

NUDGED = 0.2
"""Seconds: a cell that was open for a shorter time tells nothing of a capture there."""


class Doubt:
    """What the cells have told since a turn began."""

    def __init__(self, position: Position, pieces: Pieces, readings: Mapping[str, Reading]) -> None:
        self._position = position
        self._readings = dict(readings)
        self._was = dict(readings)
        self._touched: set[str] = set()
        self._opened: dict[str, float] = {}
        placement = position.placement
        known = {tag: placement[cell] for cell, tag in pieces.on.items() if cell in placement}
        self._labels: dict[str, Label] = pieces.tags | known

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
        squares = self._position.game.squares
        occupied = frozenset(self._readings.keys() & squares)
        known = self._known(occupied)
        seen = Seen(occupied, known)
        deeds = [self._position.deed(turn) for turn in self._position.explainer().fitting(seen)]
        fitting = [deed for deed in deeds if deed.physical and self._may_have_been(deed)]
        # Where a piece was set down that a turn wants there, it is not thought to stand elsewhere.
        fitting = [deed for deed in fitting if not self._unfelt(deed)] or fitting
        unfinished = any(self._may_be_unfinished(deed) or self._unread(deed) for deed in fitting)
        placement = self._position.placement
        unchanged = occupied == placement.keys() and known.items() <= placement.items()
        return len(fitting) + unfinished + unchanged

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
