"""Where the pieces of the simulated board are: pure bookkeeping of what hands do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self

from drivers.piece_set import PieceSet
from drivers.port import DriverError

IN_HAND, TRAY = "hand", "tray"
"""Places that are no cells: held in the air, and lying beside the board."""


class NoSuchThingError(DriverError):
    """Hands were told to do something with a piece or a cell that there is not."""


class Spot(NamedTuple):
    """Where a piece is, and on which of its faces it lies; in a hand, where it was before."""

    piece: str
    place: str
    face: int
    before: str


class TableTop:
    """Every piece is on a cell, in a hand, or in the tray; several may crowd on one cell.

    Attributes:
        place: piece name -> cell, `IN_HAND` or `TRAY`.
        face: piece name -> number of the face on which it lies.
        lifted: pieces in a hand, in the order in which they were taken -> where each was.
    """

    def __init__(self, pieces: PieceSet, cells: tuple[str, ...]) -> None:
        self.pieces = pieces
        self.place = {piece.name: TRAY for piece in pieces.pieces}
        self.face = {piece.name: 0 for piece in pieces.pieces}
        self._faces = {piece.name: piece.faces for piece in pieces.pieces}
        self._crowd: dict[str, list[str]] = {cell: [] for cell in cells}
        self.lifted: dict[str, str] = {}

    def tag_on(self, cell: str) -> str | None:
        """Return the tag read on a cell: that of the piece that has been there longest."""
        crowd = self._crowd[cell]
        return self.tag_of(crowd[0]) if crowd else None

    def tag_of(self, name: str) -> str:
        """Return the tag on the side on which this piece lies."""
        return self._faces[name][self.face[name]].tag

    def look_of(self, name: str) -> str:
        """Return what is seen of this piece from above."""
        return self._faces[name][self.face[name]].look

    def move(self, name: str, place: str) -> None:
        """Carry a piece to a cell, into a hand, or to the tray."""
        if name not in self.place:
            raise NoSuchThingError(f'There is no piece "{name}".')
        if place not in self._crowd and place not in {IN_HAND, TRAY}:
            raise NoSuchThingError(f'There is no cell "{place}" on this board.')
        before = self.lifted.get(name, self.place[name])
        self._leave(name)
        self.place[name] = place
        if place == IN_HAND:
            self.lifted[name] = before
        elif place != TRAY:
            self._crowd[place].append(name)

    def flip(self, name: str) -> None:
        """Turn a piece over where it is; one with a single face stays as it is."""
        if name not in self.place:
            raise NoSuchThingError(f'There is no piece "{name}".')
        self.face[name] = (self.face[name] + 1) % len(self._faces[name])

    def set_reading(self, cell: str, reading: str | bool | None) -> None:
        """Make a cell read this, as scripts say it: lift what stands there, or put a piece down.

        A tag brings the piece that carries it, the right way up, from wherever it is; `True`
        brings the piece that was taken in hand last.
        """
        if cell not in self._crowd:
            raise NoSuchThingError(f'There is no cell "{cell}" on this board.')
        if reading is None or reading is False:
            for name in list(self._crowd[cell]):
                self.move(name, IN_HAND)
            return
        if reading is True:
            if not self.lifted:
                raise NoSuchThingError(f'Nothing is in hand that could be put on "{cell}".')
            self.move(next(reversed(self.lifted)), cell)
            return
        if reading not in self.pieces.by_tag:
            raise NoSuchThingError(f'No piece carries the tag "{reading}".')
        piece, face = self.pieces.by_tag[reading]
        others = [name for name in self._crowd[cell] if name != piece.name]
        self.face[piece.name] = face
        self.move(piece.name, cell)
        for name in others:  # one tag is read at a time, so whatever stood there is knocked off
            self.move(name, TRAY)

    def arrange(self, arrangement: Mapping[str, str]) -> None:
        """Put every piece where an arrangement wants it, and the others in the tray."""
        for name in self.place:
            self.move(name, TRAY)
            self.face[name] = 0
        for cell, tag in arrangement.items():
            if cell in self._crowd:
                self.set_reading(cell, tag)

    def spots(self) -> Iterator[Spot]:
        """Yield where every piece is; of those on one cell the one first that was there first."""
        crowded = [name for crowd in self._crowd.values() for name in crowd]
        for name in dict.fromkeys((*crowded, *self.lifted, *self.place)):
            place = self.place[name]
            yield Spot(name, place, self.face[name], self.lifted.get(name, place))

    @classmethod
    def laid(cls, pieces: PieceSet, cells: tuple[str, ...], spots: Iterable[Spot]) -> Self:
        """Return a table with every piece where it was once, on another day."""
        top = cls(pieces, cells)
        for name, place, face, before in spots:
            top.move(name, before)
            top.move(name, place)
            top.face[name] = face % len(top._faces[name])
        return top

    def _leave(self, name: str) -> None:
        place = self.place[name]
        if place == IN_HAND:
            del self.lifted[name]
        elif place != TRAY:
            self._crowd[place].remove(name)
