"""The two boards of 39 squares, and how the faces move on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.games.reality_check.discs import FACES
from rules.interface import Side, Square

Ray = tuple["Square", ...]
_Direction = tuple[int, int]

_STRAIGHT: tuple[_Direction, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL: tuple[_Direction, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_LEAPS: tuple[_Direction, ...] = (
    (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2),
)  # fmt: skip
_FAR = 9
"""More steps than any ray has."""

_QUIET = {"P": (_STRAIGHT, 1), "N": (_LEAPS, 1), "B": (_DIAGONAL, _FAR), "R": (_STRAIGHT, _FAR)}
_TAKING = {**_QUIET, "P": (_DIAGONAL, 1)}


@dataclass(frozen=True)
class Board:
    """One board.

    Attributes:
        rows: the squares as texts list them: highest rank first, each rank from the a-file on.
        files_across: the file that Black has where White has a, b, c, ...
        half: the squares on which White may set up with a free setup.
        home: White's home squares in the fixed setup, or in a demonstration, sorted.
    """

    rows: tuple[tuple[Square, ...], ...]
    files_across: str
    half: tuple[Square, ...]
    home: tuple[Square, ...]

    def opposite(self, square: Square) -> Square:
        """Return the square that is to the other side what `square` is to this one."""
        file = self.files_across[ord(square[0]) - ord("a")]
        return f"{file}{len(self.rows) + 1 - int(square[1])}"

    @cached_property
    def halves(self) -> Mapping[Side, frozenset[Square]]:
        """The squares on which each side may set up with a free setup."""
        return {"white": frozenset(self.half), "black": frozenset(map(self.opposite, self.half))}

    @cached_property
    def homes(self) -> Mapping[Side, tuple[Square, ...]]:
        """The home squares of each side where the setup is fixed, sorted."""
        return {"white": self.home, "black": tuple(sorted(map(self.opposite, self.home)))}

    @cached_property
    def squares(self) -> frozenset[Square]:
        """Every square that exists."""
        return frozenset(square for row in self.rows for square in row)

    @cached_property
    def quiet(self) -> Mapping[str, Mapping[Square, tuple[Ray, ...]]]:
        """Face -> square -> the rays along which it moves without capturing."""
        return {face: self._rays(*_QUIET[face]) for face in FACES}

    @cached_property
    def taking(self) -> Mapping[str, Mapping[Square, tuple[Ray, ...]]]:
        """Face -> square -> the rays along which it captures the first piece it meets."""
        return {face: self._rays(*_TAKING[face]) for face in FACES}

    def _rays(
        self, directions: tuple[_Direction, ...], steps: int
    ) -> Mapping[Square, tuple[Ray, ...]]:
        return {
            square: tuple(
                ray for step in directions if (ray := tuple(self._walk(square, step, steps)))
            )
            for square in self.squares
        }

    def _walk(self, square: Square, step: _Direction, steps: int) -> Iterator[Square]:
        """Yield the squares in one direction, up to the edge or a hole."""
        file, rank = ord(square[0]), int(square[1])
        for _ in range(steps):
            file, rank = file + step[0], rank + step[1]
            if (square := f"{chr(file)}{rank}") not in self.squares:
                return
            yield square


def _squares(text: str) -> tuple[Square, ...]:
    return tuple(text.split())


def _rows(*rows: str) -> tuple[tuple[Square, ...], ...]:
    return tuple(map(_squares, rows))


BASIC = Board(
    rows=_rows(
        "d9", "c8 d8 e8", "b7 c7 d7 e7 f7",
        "a6 b6 c6 d6 e6 f6 g6", "a5 b5 c5 d5 e5 f5 g5", "a4 b4 c4 d4 e4 f4 g4",
        "b3 c3 d3 e3 f3", "c2 d2 e2", "d1",
    ),
    files_across="abcdefg",
    half=_squares("d1 c2 d2 e2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4"),
    home=_squares("b3 c2 c3 d1 d2 d3 e2 e3 f3"),
)  # fmt: skip

# On the advanced board the sides face each other across the long diagonal, half a turn apart.
ADVANCED = Board(
    rows=_rows(
        "a7 b7 c7 d7 e7 f7 g7", "a6 b6 c6 e6 f6 g6", "a5 b5 d5 f5 g5", "a4 d4 g4",
        "a3 b3 d3 f3 g3", "a2 b2 c2 e2 f2 g2", "a1 b1 c1 d1 e1 f1 g1",
    ),
    files_across="gfedcba",
    half=_squares("d1 e1 f1 g1 e2 f2 g2 f3 g3 g4"),
    home=_squares("d1 e1 e2 f1 f2 f3 g1 g2 g3"),
)  # fmt: skip

BOARDS: Mapping[str, Board] = {"basic": BASIC, "advanced": ADVANCED}
