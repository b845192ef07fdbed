"""What hands did since a position was agreed on: when squares changed, and what went where.

Nothing here reads a tag. Which piece came down where tells the order in which pieces went up and
came down, and what is told of a piece once its tag is read.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reconciler.settings import SHIPPED
from rules.values import adjoin

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from firmware_bridge.reconciler.settings import Habits
    from rules.interface import Label, Square

TAKEN_UP = 2
"""So many pieces a hand takes up at once: one, and the one that it captures."""


class EventTrace:
    """When the squares of one position were emptied and filled.

    Attributes:
        lifted_at: when a square was emptied last, chatter not counted.
        left_at: when the piece of a square was lifted last that was certainly the one of the
            position.
        placed_at: when something was set on a square last.
        beside: what `beside_at` said when a square was emptied last.
        knocked: when a square was emptied for so short a time that nothing was made of it.
        touched: the square of the first piece that the mover lifted.
        last_placed: the square filled last.
        lifting: whether a piece was lifted last, and since then a hand has set none down.
        between: neighbouring squares that were filled at once, perhaps by one piece set down on
            their border; it stands on the one that stays filled.
        doubled: squares on which a tag is read that the cell before has not told to be gone.
        asked: where a piece that hangs may have stood when it was to be set down once more.
        begun: when the last piece of the turn before was set down.
        moved_last: the squares that this turn changed.
    """

    def __init__(
        self, placement: Mapping[Square, Label], habits: Habits = SHIPPED, *, drops: bool = False
    ) -> None:
        """Begin with nothing felt; `drops`: pieces may come onto the board from beside it."""
        self._placement = placement
        self._habits = habits
        self._slow = habits.overlap if drops else habits.slow
        self.lifted_at: dict[Square, float] = {}
        self.left_at: dict[Square, float] = {}
        self.placed_at: dict[Square, float] = {}
        self.beside: dict[Square, set[Square]] = {}
        self.knocked: dict[Square, float] = {}
        self.touched: Square | None = None
        self.last_placed: Square | None = None
        self.lifting = self._left = False
        self.between: frozenset[Square] = frozenset()
        self.doubled: frozenset[Square] = frozenset()
        self.asked: frozenset[Square] = frozenset()
        self.begun = -math.inf
        self.moved_last: frozenset[Square] = frozenset()

    def forget_times(self) -> None:
        """Forget when and in which order things were lifted and put back."""
        self.lifted_at.clear()
        self.left_at.clear()
        self.placed_at.clear()
        self.knocked.clear()
        self.touched = self.last_placed = None
        self.between = self.between if self.doubled else frozenset()  # tags tell it

    def forget(self, square: Square) -> None:
        """Forget when this square was emptied and filled: its cell does not tell the truth."""
        for times in (self.lifted_at, self.left_at, self.placed_at):
            times.pop(square, None)
        if self.last_placed == square:
            self.last_placed = None

    def lift(self, cell: Square, t: float, mover: str, *, own: bool) -> None:
        """Take in that a square was emptied.

        Args:
            cell: the square.
            t: the time.
            mover: the letter of the side to move.
            own: whether the piece of the position certainly stood there.
        """
        if t - self.placed_at.get(cell, -math.inf) > self._habits.bounce:
            self.lifted_at[cell], self.beside[cell] = t, self.beside_at(t)
        self.lifting = True
        self._left |= cell == self.last_placed
        if cell in self.between:
            self.between = frozenset(self.between - {cell} if len(self.between) > 2 else ())
        if self.touched is None and self._placement.get(cell, " ")[0] == mover:
            self.touched = cell
        if own:
            self.left_at[cell] = t

    def place(self, cell: Square, t: float) -> None:
        """Take in that a square was filled."""
        last, self.placed_at[cell] = self.last_placed, t
        if last is not None and not self.doubled and self._at_once(last, cell):  # else tags tell
            along = {square for square in self.between if self._at_once(square, cell)}
            self.between = frozenset({*along, last, cell})
        self._left = False
        self.last_placed = cell
        self.lifting &= t - self.lifted_at.get(cell, -math.inf) <= self._habits.touch
        if cell == self.touched and t - self.lifted_at.get(cell, -math.inf) <= self._habits.nudge:
            self.touched = None

    def _at_once(self, one: Square, other: Square) -> bool:
        """Return whether one piece, set down on a border, may have filled both squares."""
        apart = one == other or self.nudged(one) or self.nudged(other)
        return not (apart or self._left) and self._beside(one, other)

    def _beside(self, one: Square, other: Square) -> bool:
        late = self.placed_at.get(other, math.inf) - self.placed_at.get(one, -math.inf)
        return adjoin(one, other) and late <= self._habits.overlap

    def read_on_both(self, pairs: Collection[tuple[Square, Square]]) -> None:
        """Take in on which pairs of squares one tag is read, the older first."""
        self.doubled = frozenset(newer for _, newer in pairs)
        self.between = frozenset(s for pair in pairs if adjoin(*pair) for s in pair)

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

    def opened_about(self, t: float) -> set[Square]:
        """Return the squares that were emptied at the same time, if only by a knock."""
        return self._about(t, self.lifted_at) | self._about(t, self.knocked)

    def beside_at(self, t: float) -> set[Square]:
        """Return the squares filled so shortly before that no hand answers what came there."""
        return {s for s, at in self.placed_at.items() if 0.0 <= t - at <= self._habits.touch}

    def went_along(self, own: Collection[Square], home: Square, to: Square) -> bool:
        """Return whether a hand that is busy on its `own` squares has not moved this piece alone.

        Others left about then, too; or it slid just when one had come down.
        """
        left = self.lifted_at.get(home, -math.inf)
        slid = self.placed_at.get(to, math.inf) - left <= self._habits.touch
        beside = self.beside.get(home, set()) if slid else set()
        return not self.opened_about(left) | beside <= {*own}

    def filled_about(self, t: float) -> set[Square]:
        """Return the squares that were filled at the same time."""
        return self._about(t, self.placed_at)

    def _about(self, t: float, times: Mapping[Square, float]) -> set[Square]:
        return {square for square, at in times.items() if abs(at - t) <= self._habits.nudge}

    def handled_since(self, square: Square, t: float) -> float | None:
        """Return when hands put a piece on `square`, lifted after `t`; `None` if they did not."""
        placed, lifted = self.placed_at.get(square), self.lifted_at.get(square)
        if placed is None or lifted is None:
            return None
        return placed if t <= lifted <= placed - self._habits.touch else None

    @property
    def carried_until(self) -> float:
        """Until when a hand may carry what it has taken up last."""
        return max(self.lifted_at.values(), default=-math.inf) + self._habits.carried

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


MOST_WAYS = 24
"""With more ways than this, each square is looked at for itself: which pieces may stand there."""
REMEMBERED = 40
"""After more changes than this nobody finds out any more what was a thing and no piece."""
NOWHERE: Square = ""
"""Where a piece stood at first that came from beside the board; no square of any position."""


class _Way(NamedTuple):
    """One way in which the pieces may have gone; each is named by where it stood at first.

    Attributes:
        on: what stands on the squares that hands have filled; after odd events not the same squares
            in every way.
        air: the pieces off the board, the latest last.
        far: whether it takes two pieces in motion at once, where one after the other would do.
    """

    on: Mapping[Square, Square]
    air: tuple[Square, ...]
    far: bool = False

    def at(self, square: Square) -> Square:
        """Return which piece stands on a square: its own, if hands have not filled it."""
        return self.on.get(square, square)

    def left(self, square: Square) -> bool:
        """Return whether nothing stands here any more, whatever its cell has told."""
        return square not in self.on and square in (*self.on.values(), *self.air)

    def lifted(self, square: Square) -> _Way:
        if self.left(square):
            return self
        on = {**self.on}
        return _Way(on, (*self.air, on.pop(square, square)), self.far)

    def placed(self, square: Square, home: Square) -> _Way:
        air = self.air
        if home in air:
            at = air.index(home)
            air = air[:at] + air[at + 1 :]
        return _Way({**self.on, square: home}, air, self.far)

    def slid(self, source: Square, target: Square) -> _Way:
        return self.lifted(source).placed(target, NOWHERE if self.left(source) else self.at(source))


_NEVER: tuple[Square, float, list[_Way]] = ("", -math.inf, [])


def _moved(way: _Way, square: Square, home: Square) -> _Way:
    """Return the way in which a piece got to a square though nobody felt it."""
    was = way.on.get(square, NOWHERE)
    if home in way.on.values():
        on = {filled: was if of == home else of for filled, of in way.on.items()}
        return way._replace(on={**on, square: home})
    air = tuple(of for of in (*way.air, was) if of not in (home, NOWHERE))
    return _Way({**way.on, square: home}, air, way.far)


def _strangers(way: _Way) -> int:
    """Return how many pieces have come from beside the board."""
    return sum(home == NOWHERE for home in way.on.values())


def _perhaps_strange(way: _Way) -> list[Square]:
    """Return what was filled when more was down than had gone up: nobody knows which came anew."""
    filled, homes = [*way.on], [*way.on.values()]
    return filled[: len(homes) - homes[::-1].index(NOWHERE)] if NOWHERE in homes else []


class PieceAssignments:
    """Every way in which pieces may have gone since a position was agreed on, likeliest first.

    Attributes:
        agreed: where what stands on the squares that hands have filled stood at first, `None` if it
            may be one of several.
        left: the squares that pieces have left.
        visited: the squares on which pieces have come down that had left a square.
    """

    def __init__(
        self,
        placement: Mapping[Square, Label],
        missing: Iterable[Square],
        habits: Habits = SHIPPED,
        *,
        alike: bool = True,
    ) -> None:
        """Begin with the pieces that are missing off the board.

        Args:
            placement: the pieces of the position.
            missing: the squares that are empty although they should not be.
            habits: what hands and sensors are known to do.
            alike: whether pieces with like labels are the same to everyone.
        """
        self._placement = placement
        self._kinds = placement if alike else dict(zip(placement, placement, strict=True))
        self._habits = habits
        self._missing = tuple(sorted(missing))
        self.left = set(self._missing)
        self._ways = [_Way({}, self._missing)]
        self._felt: list[tuple[Square, float, str | None]] = []
        self._filled = _NEVER  # where, when, and the ways before
        self._unlifted = self._ways, self._filled
        self._opened = "", -math.inf
        self._may: dict[Square, frozenset[Square]] | None = None
        self._up: frozenset[Square] = frozenset()
        self.agreed: Mapping[Square, Square | None] = {}
        self.visited: set[Square] = set()

    def lift(self, square: Square, t: float) -> None:
        """Take in that a square was emptied at `t`, in seconds."""
        self._lift(square, t)
        if self._remembers((square, t, None)) and square not in self._placement:
            self._keep(self._distinct([*self._ways, *self._if_a_thing(square)]))

    def place(self, square: Square, t: float, mover: str = "", home: Square = NOWHERE) -> None:
        """Take in that a square was filled at `t`.

        Args:
            square: the square.
            t: the time in seconds.
            mover: who most likely did it; anybody if empty.
            home: where that piece stood at first, if its tag tells.
        """
        self._place(square, t, mover, home)
        self._remembers((square, t, mover))

    def _remembers(self, felt: tuple[Square, float, str | None]) -> bool:
        """Remember what was felt, where no tag tells; return whether all of it is."""
        if self._kinds is self._placement and len(self._felt) <= REMEMBERED:
            self._felt.append(felt)
        return 0 < len(self._felt) <= REMEMBERED

    def _if_a_thing(self, square: Square) -> list[_Way]:
        """Return how pieces went if what came and went there was none, and so fewer came anew."""
        if not (least := _strangers(self._ways[0])):
            return []
        again = PieceAssignments(self._placement, self._missing, self._habits)
        for cell, t, mover in (felt for felt in self._felt if felt[0] != square):
            if mover is None:
                again._lift(cell, t)
            else:
                again._place(cell, t, mover, NOWHERE)
        return [way for way in again._ways if _strangers(way) < least]

    def _lift(self, square: Square, t: float) -> None:
        self._unlifted, self._opened = (self._ways, self._filled), (square, t)
        ways = [way.lifted(square) for way in self._ways]
        (last, at, before), habits, homes = self._filled, self._habits, frozenset({square})
        if self._may is not None:
            homes = self._may.pop(square, homes)
            self._up |= homes
        if last == square:
            self._filled = _NEVER
        elif t - at <= (habits.crossing if adjoin(last, square) else habits.overlap):
            if self._may is not None:
                self._may[last] |= homes
            slid = [way.slid(square, last) for way in before]
            others = max(len(way.air) for way in before)
            if others == 1 and t - at > habits.bounce:  # no hand is quicker: at once has no order
                slid = [way._replace(far=True) for way in slid]
            ways = self._distinct([*ways, *slid] if others else [*slid, *ways])
            self._filled = last, at, [way.lifted(square) for way in before]
        self.left.add(square)
        self._keep(ways)

    def _place(self, square: Square, t: float, mover: str, home: Square) -> None:
        if self._may is not None:
            self._may[square] = self._up or frozenset({NOWHERE})
        if self._opened[0] == square and t - self._opened[1] <= self._habits.bounce:
            ways, self._filled = self._unlifted
            self._keep(ways)
            return
        self._filled = square, t, self._ways
        self._opened = "", -math.inf
        if any(home != NOWHERE for way in self._ways for home in way.air):
            self.visited.add(square)
        air = self._ways[0].air
        told = home != NOWHERE and home in air
        if len(self._ways) == 1 and (told or len(air) < 2):
            came = home if told else next(iter(air), NOWHERE)
            ways = [self._ways[0].placed(square, came)]
        else:
            before = self._distinct(self._ways)
            down = {air: self._in_hand(air, square, mover) for air in {way.air for way in before}}
            ways = [way.placed(square, home) for way in before for home in down[way.air]]
        self._keep(ways)

    def tell(self, square: Square, homes: Sequence[Square]) -> None:
        """Take it that a piece stood on one of `homes` at first; the likeliest is named first."""
        self._filled = _NEVER
        ways = self._ways
        if self._may is not None:
            self._may[square] = frozenset(homes)
        if len(ways) == 1 and ways[0].on.get(square) in homes:
            return
        fitting = [way for home in homes for way in ways if way.at(square) == home]
        self._keep(fitting or self._distinct(_moved(way, square, homes[0]) for way in ways))

    # --- What it means --------------------------------------------------------------------------

    @property
    def origin(self) -> dict[Square, Square]:
        """Where the pieces that stand elsewhere now stood at first, in the likeliest way."""
        return {s: home for s, home in self._ways[0].on.items() if home not in (s, NOWHERE)}

    def came_anew(self, squares: Collection[Square]) -> bool:
        """Return whether what stands on one of these may have come from beside the board."""
        return any(square in squares for way in self._ways for square in _perhaps_strange(way))

    def doubtful(self) -> set[Square]:
        """Return the squares of the position on which another of its pieces may stand."""
        kinds = self._kinds
        return {
            square
            for square, home in self.agreed.items()
            if square in kinds and kinds.get(home or "") != kinds[square]
        }

    def may_be_from(self, square: Square) -> list[Square]:
        """Return where what stands on `square`, or is off the board, stood; the likeliest last."""
        found = dict.fromkeys(way.on[square] for way in self._ways if square in way.on)
        return [*self._ways[0].air, *reversed(found)]

    def allow(self, moves: Sequence[tuple[Square, Square]], *, far: bool = True) -> bool:
        """Return whether pieces may have gone so: each from its square to another one.

        Args:
            moves: the pieces, as (from, to).
            far: whether ways that are far-fetched count too.
        """
        if any(source not in self.left for source, _ in moves):
            return False
        kinds, may = self._kinds, self._may
        arrived = {target: kinds[source] for source, target in moves}

        def fits(square: Square, home: Square) -> bool:
            return home not in kinds or kinds[home] == arrived.get(square, kinds.get(square))

        if may is not None:
            return all(any(fits(square, home) for home in homes) for square, homes in may.items())
        ways = (way for way in self._ways if far or not way.far)
        return any(all(fits(square, home) for square, home in way.on.items()) for way in ways)

    def bear_out(self, moves: Sequence[tuple[Square, Square]]) -> bool:
        """Return whether these pieces may have gone so, wherever others have gone meanwhile."""
        kinds = self._kinds
        return self._may is not None or any(
            all(kinds.get(way.at(to), kinds[home]) == kinds[home] for home, to in moves)
            for way in self._ways
        )

    # --- How it is done -------------------------------------------------------------------------

    def _in_hand(self, air: tuple[Square, ...], square: Square, mover: str) -> list[Square]:
        """Return what may come down: the latest first, but a victim of the mover's last."""
        kinds, placement = self._kinds, self._placement
        if len(air) < 2:
            return [*(air or (NOWHERE,))]
        found = {kinds.get(home): home for home in air}
        likely = air[-1]
        if square in air:
            found[kinds.get(square)] = square
            if self._may is not None or len(air) > TAKEN_UP:  # no turn is made of so many
                likely = square
            elif likely == square and placement.get(square, mover)[:1] != mover:
                others = [home for home in air if home != square]
                own = [home for home in others if placement.get(home, " ").startswith(mover)]
                likely = [square, *own][-1]
        likely = found.pop(kinds.get(likely))
        return [likely, *reversed(found.values())]

    def _keep(self, ways: list[_Way]) -> None:
        """Go on with these ways."""
        if self._may is None and len(ways) > MOST_WAYS:
            filled = {s for way in ways for s in way.on}
            self._may = {s: frozenset(way.at(s) for way in ways) for s in filled}
            self._up = frozenset(home for way in ways for home in way.air)
        self._up = self._up if ways[0].air else frozenset()
        self._ways, kind = ways if self._may is None else ways[:1], self._kinds.get
        likely = self._ways[0].on
        agreed: dict[Square, Square | None]
        agreed = {**likely} if self._may is None else dict.fromkeys(likely)
        for way in self._ways[1:]:
            agreed |= dict.fromkeys(s for s, at in likely.items() if kind(way.at(s)) != kind(at))
        self.agreed = agreed

    def _distinct(self, ways: Iterable[_Way]) -> list[_Way]:
        """Return one of all ways that look alike."""
        kind_of = self._kinds.get
        unique: dict[tuple[object, ...], _Way] = {}
        for way in ways:
            looks = frozenset(zip(way.on, map(kind_of, way.on.values()), strict=True))
            unique.setdefault((way.far, looks), way)
        return [*unique.values()]
