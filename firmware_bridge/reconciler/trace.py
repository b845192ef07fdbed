"""What hands did since a position was agreed on: what was emptied and filled, and what went where.

Nothing here knows a tag. Which piece came down where is known by its tag, if it has one, and else
from the order in which pieces went up and came down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.settings import SHIPPED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from firmware_bridge.reconciler.settings import Habits
    from rules.interface import Label, Square


class EventTrace:
    """Keeps track of the pieces of one position by the squares on which they stood.

    Attributes:
        lifted_at: when a square was emptied last, chatter not counted.
        left_at: when the piece of a square was lifted last that was certainly the one of the
            position.
        placed_at: when something was set on a square last.
        origin: where the piece now on a square stood at first, as far as that is known or likely.
        alone: squares whose piece was the only one off the board when it came down.
        air: first squares of the pieces off the board, the latest last.
        touched: the square of the first piece that the mover lifted.
        last_placed: the square filled last.
        lifting: whether a piece was lifted last, not set down.
    """

    __slots__ = (
        "_habits",
        "_last_lifted",
        "_mixed",
        "_opened_at",
        "_placement",
        "_slow",
        "_was_sure",
        "air",
        "alone",
        "last_placed",
        "left_at",
        "lifted_at",
        "lifting",
        "origin",
        "placed_at",
        "touched",
    )

    def __init__(
        self,
        placement: Mapping[Square, Label],
        missing: Iterable[Square],
        habits: Habits = SHIPPED,
        *,
        drops: bool = False,
    ) -> None:
        """Begin with the pieces that are missing off the board.

        Args:
            placement: the pieces of the position.
            missing: the squares that are empty although they should not be.
            habits: what hands and sensors are known to do.
            drops: whether pieces may come onto the board from beside it.
        """
        self._placement = placement
        self._habits = habits
        self._slow = habits.overlap if drops else habits.slow
        self.air = sorted(missing)
        self.origin: dict[Square, Square] = {}
        self.alone: set[Square] = set()
        self._mixed: set[Square] = set(self.air) if len(self.air) > 1 else set()
        self.lifted_at: dict[Square, float] = {}
        self.left_at: dict[Square, float] = {}
        self.placed_at: dict[Square, float] = {}
        self._opened_at = 0.0
        self._was_sure = True
        self.touched: Square | None = None
        self.last_placed: Square | None = None
        self.lifting = False
        self._last_lifted: Square | None = None

    def forget_times(self) -> None:
        """Forget when and in which order things were lifted and put back."""
        self.lifted_at.clear()
        self.left_at.clear()
        self.placed_at.clear()
        self.touched = self.last_placed = self._last_lifted = None

    def forget(self, square: Square) -> None:
        """Forget when this square was emptied and filled: its cell does not tell the truth."""
        for times in (self.lifted_at, self.left_at, self.placed_at):
            times.pop(square, None)
        if self.last_placed == square:
            self.last_placed = None

    # --- What happens ---------------------------------------------------------------------------

    def lift(self, cell: Square, t: float, mover: str, *, sure: bool) -> None:
        """Take in that a square was emptied.

        Args:
            cell: the square.
            t: the time.
            mover: the letter of the side to move.
            sure: whether the piece is certainly the one that was thought to stand there.
        """
        if t - self.placed_at.get(cell, -math.inf) > self._habits.bounce:
            self.lifted_at[cell] = t
        self._last_lifted, self._opened_at, self._was_sure = cell, t, sure
        self.lifting = True
        if self.touched is None and self._placement.get(cell, " ")[0] == mover:
            self.touched = cell
        home = self.origin.pop(cell, cell)
        self.alone.discard(cell)
        if home == cell and sure:
            self.left_at[cell] = t
        if home not in self.air:
            self.air.append(home)
        if len(self.air) > 1:
            self._mixed.update(self.air)

    def place(self, cell: Square, t: float) -> None:
        """Take in that a square was filled; which piece it is tells `came_from`."""
        self.placed_at[cell] = t
        self.last_placed = cell
        self.lifting = False
        if cell == self.touched and t - self.lifted_at.get(cell, -math.inf) <= self._habits.nudge:
            self.touched = None

    def came_from(self, cell: Square, home: Square) -> None:
        """Take it that the piece on `cell` stood on `home` at first."""
        if home in self.air:
            if self.air == [home] and home not in self._mixed:
                self.alone.add(cell)
            self.air.remove(home)
        if home != cell:
            self.origin[cell] = home
        if not self.air and not self.origin:
            self._mixed.clear()

    def air_without(self, cell: Square) -> list[Square]:
        """Return what is off the board if the piece on `cell` is another than was thought."""
        return [*self.air, self.origin[cell]] if cell in self.origin else self.air

    def doubt(self, cell: Square) -> None:
        """Take it that the piece on `cell` is another one than was thought, back into the air."""
        if cell in self.origin:
            self.air.append(self.origin.pop(cell))

    # --- What it means --------------------------------------------------------------------------

    def stays_sure(self, cell: Square, t: float, *, told: bool) -> bool:
        """Return whether a piece set down on its square at `t` is surely the one that stood there.

        Args:
            cell: the square, not yet filled.
            t: the time.
            told: whether its being alone in the air tells enough.
        """
        last = cell == self._last_lifted
        if last and not self._was_sure:
            return False  # whatever stood here has come back
        alone = self.air == [cell] and cell not in self._mixed
        return (last and t - self._opened_at <= self._habits.bounce) or (alone and told)

    def likely(self, cell: Square, mover: str) -> Square:
        """Guess which of the pieces off the board came down here: the latest, but no victim."""
        if self.air[-1] != cell or len(self.air) == 1:
            return self.air[-1]
        if self._placement.get(cell, mover)[0] == mover:
            return cell
        own = [home for home in self.air if self._placement.get(home, " ")[0] == mover]
        return own[-1] if own else cell

    def in_time(self, moves: Iterable[tuple[Square, Square]]) -> bool:
        """Return whether every piece of these moves left its square before it arrived.

        Where nothing stood, a slow contact is the only thing that can have come before it.
        """
        left, filled, occupied = self.left_at, self.placed_at, self._placement
        overlap = self._habits.overlap
        return all(
            left.get(source, 0.0)
            <= filled.get(target, math.inf) + (overlap if target in occupied else self._slow)
            for source, target in moves
        )

    def handled_since(self, square: Square, t: float) -> float | None:
        """Return when hands put a piece on `square`, lifted after `t`; `None` if they did not."""
        placed, lifted = self.placed_at.get(square), self.lifted_at.get(square)
        if placed is None or lifted is None:
            return None
        return placed if t <= lifted <= placed - self._habits.touch else None

    def nudged(self, square: Square) -> bool:
        """Return whether the square was empty for a moment only when it was filled last."""
        lifted = self.lifted_at.get(square, -math.inf)
        return self.placed_at.get(square, math.inf) - lifted <= self._habits.nudge

    def filled_meanwhile(
        self, squares: Iterable[Square], missing: Collection[Square], least: float
    ) -> set[Square]:
        """Return which squares were filled while what is missing now was in the air.

        Args:
            squares: the squares to look at.
            missing: squares that are empty now.
            least: for how many seconds they were empty before at least.
        """
        lifted, placed = self.lifted_at, self.placed_at
        since = min((lifted.get(square, 0.0) for square in missing), default=math.inf)
        return {
            square
            for square in squares
            if since < placed.get(square, 0.0) and placed[square] - lifted.get(square, 0.0) > least
        }


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
        "_habits",
        "_left",
        "_opened",
        "_placement",
        "_refilled",
        "_unlifted",
        "_ways",
    )

    def __init__(
        self,
        placement: Mapping[Square, Label],
        missing: Iterable[Square],
        habits: Habits = SHIPPED,
    ) -> None:
        """Begin with the pieces that are missing off the board."""
        self._placement = placement
        self._habits = habits
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
        habits = self._habits
        if last != square and t - at <= (
            habits.crossing if adjoin(last, square) else habits.overlap
        ):
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
        if self._opened[0] == square and t - self._opened[1] <= self._habits.bounce:
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


def adjoin(one: Square, other: Square) -> bool:
    """Return whether two squares have a border or a corner in common."""
    if not one:
        return False
    return abs(ord(one[0]) - ord(other[0])) < 2 and abs(int(one[1:]) - int(other[1:])) < 2
