"""Where each of several pieces may stand that all look alike to the board.

A reed tells that something was set down, not what. As long as one piece at a time is in the air
there is no doubt; with two in the air either may have come down, and the doubt travels with them
when they are taken up again. Every way in which the pieces may have gone is kept here, so that a
question is asked only where more than one of them makes a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.event_trace import BOUNCE, OVERLAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rules.interface import Label, Square

CROSSING = 0.25
"""Seconds: a piece that slides slowly to the next cell may keep the old one closed so long."""
MOST_WAYS = 300
"""With more ways than this, nothing is said any more about where the pieces stand."""
ANY: Label = ""
"""A piece of which nothing is known."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which the pieces may have gone.

    Attributes:
        on: what stands on squares that hands have filled, as pairs in order.
        air: the pieces off the board, in order.
        far: whether it takes two pieces in motion at once, where one after the other would do.
    """

    on: tuple[tuple[Square, Label], ...]
    air: tuple[Label, ...]
    far: bool = False

    def lifted(self, square: Square, label: Label) -> _Way:
        return _Way(self._without(square), tuple(sorted((*self.air, label))), self.far)

    def placed(self, square: Square, label: Label) -> _Way:
        air = list(self.air)
        if label in air:
            air.remove(label)
        return _Way(tuple(sorted((*self._without(square), (square, label)))), tuple(air), self.far)

    def _without(self, square: Square) -> tuple[tuple[Square, Label], ...]:
        return tuple(pair for pair in self.on if pair[0] != square)


class PieceAssignments:
    """Every way in which pieces without tags may have gone since a position was agreed on."""

    __slots__ = (
        "_before",
        "_filled",
        "_left",
        "_opened",
        "_placement",
        "_refilled",
        "_unlifted",
        "_ways",
    )

    def __init__(self, placement: Mapping[Square, Label], missing: Iterable[Square]) -> None:
        """Begin with the pieces that are missing off the board."""
        self._placement = placement
        self._left = set(missing)
        self._ways = frozenset({_Way((), tuple(sorted(placement[s] for s in self._left)))})
        self._refilled: set[Square] = set()
        self._before: frozenset[_Way] = frozenset()
        self._unlifted: frozenset[_Way] = frozenset()
        self._filled: tuple[Square, float] = ("", -math.inf)
        self._opened: tuple[Square, float] = ("", -math.inf)

    def lift(self, square: Square, t: float) -> None:
        """Take in that a square was emptied at `t`, in seconds."""
        self._unlifted, self._opened = self._ways, (square, t)
        ways = self._lifted(self._ways, square)
        last, at = self._filled
        if last != square and t - at <= (CROSSING if _adjoin(last, square) else OVERLAP):
            slid = frozenset(self._slid(way, square, last) for way in self._before)
            others = max((len(way.air) for way in self._before), default=0)
            if others == 1:
                slid = frozenset(replace(way, far=True) for way in slid)
            ways = ways | slid if others else slid
            self._before = self._lifted(self._before, square)
        self._left.add(square)
        self._refilled.discard(square)
        self._keep(ways)

    def place(self, square: Square, t: float) -> None:
        """Take in that a square was filled at `t`, in seconds."""
        if square in self._placement:
            self._refilled.add(square)
        if self._opened[0] == square and t - self._opened[1] <= BOUNCE:
            self._ways = self._unlifted
            return
        self._before, self._filled = self._ways, (square, t)
        self._opened = ("", -math.inf)
        ways: set[_Way] = set()
        for way in self._ways:
            ways.update(way.placed(square, label) for label in set(way.air) or (ANY,))
            if len(ways) > MOST_WAYS:
                break
        self._keep(frozenset(ways))

    def doubtful(self) -> set[Square]:
        """Return the squares of the position on which another of its pieces may stand."""
        if not self._ways:
            return set(self._refilled)
        return {
            square
            for way in self._ways
            for square, label in way.on
            if label != self._placement.get(square, label)
        }

    def allow(self, moves: Sequence[tuple[Square, Square]], *, far: bool = True) -> bool:
        """Return whether pieces may have gone so: each from its square to another one.

        Args:
            moves: the pieces, as (from, to).
            far: whether ways that are far-fetched count too.
        """
        if any(source not in self._left for source, _ in moves):
            return False
        arrived = {target: self._placement[source] for source, target in moves}
        ways = (way for way in self._ways if far or not way.far)
        return not self._ways or any(self._agrees(way, arrived) for way in ways)

    def _agrees(self, way: _Way, arrived: Mapping[Square, Label]) -> bool:
        return all(
            label in (ANY, arrived.get(square, self._placement.get(square)))
            for square, label in way.on
        )

    def _lifted(self, ways: frozenset[_Way], square: Square) -> frozenset[_Way]:
        return frozenset(way.lifted(square, self._label(way, square)) for way in ways)

    def _slid(self, way: _Way, source: Square, target: Square) -> _Way:
        label = self._label(way, source)
        return way.lifted(source, label).placed(target, label)

    def _label(self, way: _Way, square: Square) -> Label:
        for filled, label in way.on:
            if filled == square:
                return label
        return self._placement.get(square, ANY)

    def _keep(self, ways: frozenset[_Way]) -> None:
        self._ways = ways if len(ways) <= MOST_WAYS else frozenset()


def _adjoin(one: Square, other: Square) -> bool:
    if not one:
        return False
    return abs(ord(one[0]) - ord(other[0])) < 2 and abs(int(one[1:]) - int(other[1:])) < 2
