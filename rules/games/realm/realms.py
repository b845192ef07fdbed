"""The realms of the board: sixteen tiles, or with `free=True` every block of two by two squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import chess

SQUARE_NAMES = tuple(chess.SQUARE_NAMES)


@dataclass(frozen=True, slots=True)
class Realm:
    """One realm: its name (`cd34`), its four squares in a bit set, and its place in the list."""

    name: str
    squares: int
    index: int


@dataclass(frozen=True, slots=True)
class Division:
    """How the board is divided: the realms in the order of their names.

    Attributes:
        realms: every realm.
        around: for each square 0 to 63 the bit set of the realms (by index) that hold it.
    """

    realms: tuple[Realm, ...]
    around: tuple[int, ...]

    def named(self, name: str) -> Realm | None:
        """Return the realm called `name`, or `None` when the board has none of that name."""
        return next((realm for realm in self.realms if realm.name == name), None)


@cache
def division(*, free: bool) -> Division:
    """Return the sixteen tiles, or all 49 blocks of a `free` board."""
    corners = range(7) if free else range(0, 7, 2)
    realms = tuple(
        Realm(_name(file, rank), _block(file, rank), index)
        for index, (file, rank) in enumerate((file, rank) for file in corners for rank in corners)
    )
    around = tuple(
        sum(1 << realm.index for realm in realms if realm.squares >> square & 1)
        for square in range(64)
    )
    return Division(realms, around)


def _name(file: int, rank: int) -> str:
    return f"{chess.FILE_NAMES[file]}{chess.FILE_NAMES[file + 1]}{rank + 1}{rank + 2}"


def _block(file: int, rank: int) -> int:
    corner = 1 << chess.square(file, rank)
    return corner | corner << 1 | corner << 8 | corner << 9
