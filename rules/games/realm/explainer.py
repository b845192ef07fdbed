"""From what the board shows to the turns that explain it, without listing all turns."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from rules.explain import Lacking, Seen, fewest_lacking
from rules.games.realm.bitboard import names_of, scan
from rules.games.realm.choices import Choices
from rules.games.realm.realms import SQUARE_NAMES
from rules.games.realm.steps import rook_of
from rules.games.realm.turn_search import Demand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rules.games.realm.bitboard import Board
    from rules.games.realm.finder import Finder
    from rules.games.realm.steps import Move, Step
    from rules.games.realm.turn import RealmTurn
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
        known: the labels that the board can tell.
    """

    __slots__ = ("arrived", "emptied", "known", "occupied", "standing")

    def __init__(self, before: Mapping[Square, Label], board: Board, seen: Seen) -> None:
        difference = seen.since(before)
        self.known = seen.known
        self.emptied = _squares(difference.emptied)
        filled, changed = _squares(difference.filled), _squares(difference.changed)
        unknown = _squares(before.keys() - seen.known.keys())
        self.occupied = board.occupied & ~self.emptied | filled
        self.standing = board.occupied & ~(changed | unknown)
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
        self._choices = Choices(self._finder.steps)

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[RealmTurn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""
        board = self._finder.board
        view = self._view(seen)
        lost = board.occupied.bit_count() - view.occupied.bit_count()
        if lost < 0 or view.emptied & board.enemy & ~board.victims:
            return ()
        demand = Demand(view.arrived, view.emptied, keep=view.occupied, taken=lost)
        return tuple(islice(self._whole(view, demand), limit))

    def lacking(self, seen: Seen, limit: int = 64) -> tuple[Lacking, ...]:
        """Return the turns that lack the fewest of the pieces now missing, and nothing else."""
        view = self._view(seen)
        demand = Demand(view.arrived, keep=view.occupied, taken=view.emptied.bit_count())
        found = []
        for turn in islice(self._whole(view, demand), SEARCHED):
            deed = self._position.deed(turn)
            left = _squares(square for square, _ in deed.moves) | _squares(deed.taken)
            missing = view.emptied & ~left
            if missing:
                found.append(Lacking(turn, frozenset(names_of(missing))))
        return fewest_lacking(found, limit)

    def _view(self, seen: Seen) -> _View:
        return _View(self._before, self._finder.board, seen)

    def _whole(self, view: _View, demand: Demand) -> Iterator[RealmTurn]:
        """Yield the turns that meet the demand and of which nothing still has to be put down."""

        def wanted(step: Step) -> bool:
            return not step.enters & ~view.occupied and self._agrees(view, step, step.enters)

        turns = self._turns(self._choices.narrowed(wanted), demand, view)
        return (turn for turn in turns if self._shows(view, turn))

    def leading_to(
        self, seen: Seen, limit: int = 1, *, every_lift: bool = False
    ) -> tuple[RealmTurn, ...]:
        """Return turns of which the board may show the beginning, at most `limit` of them.

        Which of several like pieces has arrived where does not matter: any description will do.
        """
        view = self._view(seen)

        def wanted(step: Step) -> bool:
            return self._agrees(view, step, step.enters & view.arrived)

        lifted = view.emptied if every_lift else 0
        demand = Demand(view.arrived, lifted, standing=view.standing)
        turns = self._turns(self._choices.narrowed(wanted), demand, view)
        return tuple(islice(turns, limit))

    def _turns(self, choices: Choices, demand: Demand, view: _View) -> Iterator[RealmTurn]:
        """Yield the turns made of the choices that meet the demand, each once."""
        if self._position.outcome is not None:
            return
        found = set()
        realms = self._concerned(choices, demand)
        for steps, _, _ in self._finder.sets(choices, demand, realms):
            if demand.standing and not self._all_left(view, steps):
                continue
            turn = self._finder.describer.describe(steps)
            if turn not in found:
                found.add(turn)
                yield turn

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
            for move in _carried(step)
        )

    def _brought(self, step: Step) -> Iterator[tuple[int, Label, Label]]:
        """Yield the squares a step enters, with the label that stands there and its old one."""
        kind = self._finder.board.kind
        for source, target, promotion in _carried(step):
            old = self._letter + kind(source)
            yield target, self._letter + promotion.upper() if promotion else old, old

    def _concerned(self, choices: Choices, demand: Demand) -> int:
        """Return the realms (a bit set of indices) in which a turn can meet the demand."""
        around = self._finder.division.around
        realms = -1
        for square in scan(demand.enter | demand.leave):
            ways = around[square]
            for step in chain(choices.entering(square), choices.leaving(square)):
                # A castled rook enters and leaves squares far from the realms of the king's move.
                ways |= around[step.moves[0].source] | around[step.moves[0].target]
            realms &= ways
        return realms

    def _shows(self, view: _View, turn: RealmTurn) -> bool:
        """Return whether the labels known agree with the canonical description of a turn."""
        return all(self._agrees(view, step, step.enters) for step in self._steps_of(turn))


def _carried(step: Step) -> tuple[Move, ...]:
    """Return the moves of a step, of a castling that of the rook too."""
    return (*step.moves, rook_of(step)) if step.castles else step.moves


def _squares(names: Iterable[Square]) -> int:
    squares = 0
    for name in names:
        squares |= BITS[name]
    return squares
