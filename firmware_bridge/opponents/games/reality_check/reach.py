"""Where a piece gets to from a square, and what it meets there: looked up by what stands around.

Sets of squares are bits of an integer. What a piece reaches depends on what stands on its lines
and on nothing else, so each answer is found once.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from firmware_bridge.opponents.games.reality_check.packed_table import Ground


class Reached(NamedTuple):
    """What a piece reaches, as sets of squares.

    Attributes:
        goals: where it could move without a capture.
        met: what it could capture, whoever's it is.
        covered: where something could be captured, if it stood there.
        room: the number of `goals`.
    """

    goals: int
    met: int
    covered: int
    room: int


class Lines:
    """The lines of one kind of piece from one square.

    Attributes:
        mask: all squares on them.
        known: what was looked up so far, by what stands on `mask`.
    """

    __slots__ = ("_quiet", "_taking", "known", "mask")

    def __init__(
        self, quiet: tuple[tuple[int, ...], ...], taking: tuple[tuple[int, ...], ...]
    ) -> None:
        self._quiet, self._taking = quiet, taking
        self.mask = sum({1 << square for ray in (*quiet, *taking) for square in ray})
        self.known: dict[int, Reached] = {}

    def reached(self, occupied: int) -> Reached:
        """Return what is reached where so many squares are occupied."""
        stands = occupied & self.mask
        if stands not in self.known:
            goals = _along(self._quiet, stands) & ~stands
            covered = _along(self._taking, stands)
            self.known[stands] = Reached(goals, covered & stands, covered, goals.bit_count())
        return self.known[stands]


def _along(rays: tuple[tuple[int, ...], ...], stands: int) -> int:
    """Return the squares of rays up to the first that is occupied, this one included."""
    found = 0
    for ray in rays:
        for square in ray:
            found |= 1 << square
            if stands >> square & 1:
                break
    return found


@cache
def lines_of(ground: Ground) -> tuple[tuple[Lines, ...], ...]:
    """Return the lines of each face from each square."""
    return tuple(
        tuple(Lines(quiet, taking) for quiet, taking in zip(*pair, strict=True))
        for pair in zip(ground.quiet, ground.taking, strict=True)
    )


def squares_in(squares: int) -> list[int]:
    """Return the squares of a set, the lowest first."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found


@cache
def set_of(squares: tuple[int, ...]) -> int:
    """Return squares as a set."""
    return sum(1 << square for square in squares)


def occupied_of(cells: list[int]) -> int:
    """Return the squares on which something lies."""
    occupied, bit = 0, 1
    for cell in cells:
        if cell:
            occupied |= bit
        bit <<= 1
    return occupied
