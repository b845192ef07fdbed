"""Pieces that hands can take: on the board's cells, and in the box beside it."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.piece_set import PieceSet
from drivers.port import Reading
from rules.interface import Label, Square, Tier


class Pieces:
    """Where every piece is, each by the tag that lies down."""

    def __init__(self, piece_set: PieceSet, placement: Mapping[Square, Label], tier: Tier) -> None:
        self.tier = tier
        self.tags: dict[str, Label] = {}
        self.on: dict[str, str] = {}
        self.box: dict[str, None] = {}
        self._other: dict[str, str] = {}
        for piece in piece_set.pieces:
            tags = [face.tag for face in piece.faces]
            self.tags.update({face.tag: face.label for face in piece.faces})
            self.box[tags[0]] = None
            for tag, other in zip(tags, reversed(tags), strict=True):
                self._other[tag] = other
        self.arrange(placement)

    def arrange(self, placement: Mapping[Square, Label]) -> None:
        """Set these pieces up and put all others into the box."""
        self.box.update(dict.fromkeys(self.on.values()))
        self.on.clear()
        for square, label in placement.items():
            self.on[square] = self.fetch(label)

    def fetch(self, label: Label) -> str:
        """Take a piece from the box, turned so that it is called `label`.

        Raises:
            LookupError: when there is none.
        """
        for tag in self.box:
            for lying in (tag, self._other[tag]):
                if self.tags[lying] == label:
                    del self.box[tag]
                    return lying
        raise LookupError(f"no {label} is left in the box")

    def has(self, label: Label) -> bool:
        """Return whether the box holds such a piece."""
        return any(label in (self.tags[t], self.tags[self._other[t]]) for t in self.box)

    def turned(self, tag: str) -> str:
        """Return the tag that lies down when this piece is turned over."""
        return self._other[tag]

    def reading(self, tag: str) -> Reading:
        """Return what a cell reads of a piece."""
        return True if self.tier == "occupancy" else tag

    def standing(self) -> dict[str, Reading]:
        """Return what every cell reads."""
        return {cell: self.reading(tag) for cell, tag in self.on.items()}
