"""From what the board shows to the turns that explain it, without listing all turns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import and_, or_

from rules.explain import Lacking, Seen, fewest_lacking
from rules.games.realm.bitboard import Board, names_of, scan
from rules.games.realm.choices import Family
from rules.games.realm.finder import Finder
from rules.games.realm.realms import SQUARE_NAMES
from rules.games.realm.steps import Step, carried
from rules.games.realm.turn import RealmTurn
from rules.games.realm.turn_search import Demand
from rules.interface import Label, Position, Square

BITS = {name: 1 << number for number, name in enumerate(SQUARE_NAMES)}
"""The bit of each square in a bit set."""
SEARCHED = 200
"""How many turns are looked at to find those that lack the fewest pieces."""


class _View:
    """What the board shows, compared with the position, as bit sets of squares.

    Attributes:
        occupied: where something stands.
        standing: where the piece that stood there before is known to stand, or one like it.
        arrived: where something stands that did not stand there before.
        emptied: where nothing stands any more.
        told: where the board can tell what stands there.
        known: the labels that it can tell.
    """

    __slots__ = ("arrived", "emptied", "known", "occupied", "standing", "told")

    def __init__(self, before: Mapping[Square, Label], board: Board, seen: Seen) -> None:
        difference = seen.since(before)
        self.known = seen.known
        self.emptied = _squares(difference.emptied)
        filled, changed = _squares(difference.filled), _squares(difference.changed)
        unknown = _squares(before.keys() - seen.known.keys())
        self.occupied = board.occupied & ~self.emptied | filled
        self.standing = board.occupied & ~(changed | unknown)
        self.told = self.standing | changed
        self.arrived = filled | changed


class RealmExplainer:
    """The search of one position; it holds the `Explainer` protocol."""

    def __init__(
        self,
        position: Position,
        finder: Finder,
        steps_of: Callable[[RealmTurn], Sequence[Step]],
    ) -> None:
        self._position = position
        self._before = position.placement
        self._finder = finder
        self._steps_of = steps_of
        self._letter = position.side[0]

    def prepare(self) -> Iterator[None]:
        """Index one family of steps after the other."""
        return self._finder.prepare()

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[RealmTurn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""
        board = self._finder.board
        view = self._view(seen)
        lost = board.occupied.bit_count() - view.occupied.bit_count()
        if lost < 0 or view.emptied & board.enemy & ~board.victims:
            return ()
        demand = Demand(view.arrived, view.emptied, view.occupied, lost)
        return tuple(islice(self._whole(view, demand), limit))

    def lacking(self, seen: Seen, limit: int = 64) -> tuple[Lacking, ...]:
        """Return the turns that lack the fewest of the pieces now missing, and nothing else."""
        view = self._view(seen)
        spare, fewest = view.emptied.bit_count(), 0
        while spare and (one := next(self._lacking(view, spare), None)) is not None:
            fewest = len(one.missing)
            spare = fewest - 1
        if not fewest:
            return ()
        return fewest_lacking(islice(self._lacking(view, fewest), SEARCHED), limit)

    def _lacking(self, view: _View, spare: int) -> Iterator[Lacking]:
        """Yield the turns that lack up to `spare` of the missing pieces, and one at least."""
        emptied = view.emptied
        demand = Demand(view.arrived, emptied, view.occupied, emptied.bit_count(), spare=spare)
        for turn in self._whole(view, demand):
            deed = self._position.deed(turn)
            gone = _squares(square for square, _ in deed.moves) | _squares(deed.taken)
            if missing := names_of(emptied & ~gone):
                yield Lacking(turn, frozenset(missing))

    def _view(self, seen: Seen) -> _View:
        return _View(self._before, self._finder.board, seen)

    def _whole(self, view: _View, demand: Demand) -> Iterator[RealmTurn]:
        """Yield the turns that meet the demand and of which nothing still has to be put down."""

        def barred(family: Family) -> int:
            out = 0 if demand.taken else family.taking
            entering = family.entering
            for square in scan(family.entered & ~view.occupied):
                out |= entering[square]
            return out | self._disagreeing(view, family, family.entered & view.occupied)

        turns = self._turns(barred, demand, view)
        return (  # those whose canonical description agrees with the labels that are known
            turn
            for turn in turns
            if all(self._agrees(view, step, step.enters) for step in self._steps_of(turn))
        )

    def leading_to(
        self, seen: Seen, limit: int = 1, *, handling: Collection[Square] = ()
    ) -> tuple[RealmTurn, ...]:
        """Return turns that may have begun on the board, at most `limit` of them.

        Which of several like pieces has arrived where does not matter: any description will do.
        """
        view = self._view(seen)

        def barred(family: Family) -> int:
            return self._disagreeing(view, family, family.entered & view.arrived)

        demand = Demand(view.arrived, _squares(handling), standing=view.standing)
        return tuple(islice(self._turns(barred, demand, view), limit))

    def _turns(
        self, barred: Callable[[Family], int], demand: Demand, view: _View
    ) -> Iterator[RealmTurn]:
        """Yield the turns made of what is not barred that meet the demand, each once."""
        if self._position.outcome is not None:
            return
        found = set()
        realms = self._concerned(view, demand)
        for steps, _, _ in self._finder.sets(demand, realms, barred):
            if demand.standing and not self._all_left(view, steps):
                continue
            turn = self._finder.describer.describe(steps)
            if turn not in found:
                found.add(turn)
                yield turn

    def _disagreeing(self, view: _View, family: Family, squares: int) -> int:
        """Return the steps that put on one of the `squares` what is known not to stand there."""
        out = 0
        for square in scan(squares & view.told):
            label = view.known[SQUARE_NAMES[square]]
            own = label.startswith(self._letter)
            like = family.bringing.get((square, label[1:]), 0) if own else 0
            out |= family.entering[square] & ~like
        return out

    def _agrees(self, view: _View, step: Step, squares: int) -> bool:
        """Return whether the labels known on `squares` may be what `step` puts there."""
        if not squares:
            return True
        known = view.known
        for square, now, old in self._brought(step):
            if squares >> square & 1 and known.get(SQUARE_NAMES[square], now) not in (now, old):
                return False
        return True

    def _all_left(self, view: _View, steps: Sequence[Step]) -> bool:
        """Return whether no piece that has arrived is known to stand where it stood.

        A like piece may have taken its place.
        """
        brought = {target: (now, old) for s in steps for target, now, old in self._brought(s)}
        return not any(
            view.arrived >> move.target & 1
            and view.standing >> move.source & 1
            and view.known[SQUARE_NAMES[move.source]] not in brought.get(move.source, ())
            for step in steps
            for move in carried(step)
        )

    def _brought(self, step: Step) -> Iterator[tuple[int, Label, Label]]:
        """Yield the squares a step enters, with the label that stands there and its old one."""
        kind = self._finder.board.kind
        for source, target, promotion in carried(step):
            old = self._letter + kind(source)
            yield target, self._letter + promotion.upper() if promotion else old, old

    def _concerned(self, view: _View, demand: Demand) -> int:
        """Return the realms (a bit set of indices) in which a turn can meet the demand."""
        realms = -1
        for square in scan(demand.enter):
            around, entering, _ = self._finder.near[square]
            told = 1 << square & view.arrived
            for step, way in entering:
                if around | way != around and self._agrees(view, step, told):
                    around |= way
            realms &= around
        handling = [self._finder.near[square].handling for square in scan(demand.leave)]
        if not demand.spare:
            return reduce(and_, handling, realms)
        return realms & reduce(or_, handling, 0) if len(handling) > demand.spare else realms


def _squares(names: Iterable[Square]) -> int:
    squares = 0
    for name in names:
        squares |= BITS[name]
    return squares
