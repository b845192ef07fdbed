"""The one search behind everything: sets of steps that belong together and make a legal turn.

It is led by needs. A set of steps may need something: a square must be left before a piece can
pass, the king is still attacked, the board shows a piece where none has arrived. Then only steps
that help are tried. A set without needs is a turn, and is grown further. Nothing is found twice:
a step that has been tried is barred from all that is tried after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rules.games.realm.bitboard import BETWEEN, ones, scan
from rules.games.realm.order import Order, after, find_order
from rules.games.realm.steps import rook_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rules.games.realm.bitboard import Board
    from rules.games.realm.steps import Step


@dataclass(frozen=True, slots=True)
class Demand:
    """What a turn must do to be wanted, as bit sets of squares.

    Attributes:
        enter: squares that the mover's pieces must enter.
        leave: squares whose piece must move or be taken.
        keep: squares that may not be empty in the end.
        taken: how many enemy pieces may be taken at most.
        standing: where a piece still stands: one that has gone from here to a square of `enter`
            must have been followed by a like one.
    """

    enter: int = 0
    leave: int = 0
    keep: int = 0
    taken: int = 64
    standing: int = 0

    def within_reach(self, options: Iterable[Step]) -> bool:
        """Return whether the options, all together, enter and leave what is demanded."""
        entered = left = 0
        for step in options:
            entered |= step.enters
            left |= step.leaves | step.victim
        return not (self.enter & ~entered or self.leave & ~(left | entered))


ANYTHING = Demand()


class _Sum(NamedTuple):
    """What some steps do together, as bit sets of squares.

    Attributes:
        left: squares whose piece moves or is taken en passant.
        entered: squares that the mover's pieces enter.
        waits: squares that must be left for it.
        followed: standing squares that were left for a demanded one, so that a like piece follows.
        alike: squares entered by a piece like the one that stood there.
    """

    left: int = 0
    entered: int = 0
    waits: int = 0
    followed: int = 0
    alike: int = 0


@dataclass(slots=True)
class Search:
    """The legal turns that can be made of the `options`.

    Attributes:
        board: the board before the turn.
        options: the steps that belong together: all of one kind of turn in one realm.
        most: how many pieces may move at most.
        demand: what the turn must do.
    """

    board: Board
    options: Sequence[Step]
    most: int
    demand: Demand = ANYTHING
    _leaving: dict[int, int] = field(default_factory=dict)
    _entering: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        leaving, entering = self._leaving, self._entering
        for index, step in enumerate(self.options):
            bit = 1 << index
            for square in scan(step.leaves | step.victim):
                leaving[square] = leaving.get(square, 0) | bit
            for square in scan(step.enters):
                entering[square] = entering.get(square, 0) | bit

    def turns(self) -> Iterator[tuple[Step, ...]]:
        """Yield every legal set of the options that meets the demand, each once."""
        first = sum(
            1 << index for index, step in enumerate(self.options) if step.arranges or not step.waits
        )
        yield from self._grow((), _Sum(), 0, first)

    def _grow(
        self, chosen: tuple[Step, ...], done: _Sum, barred: int, worth: int
    ) -> Iterator[tuple[Step, ...]]:
        """Yield the turns that hold all the `chosen` steps and none of the `barred` ones.

        Args:
            chosen: the steps so far.
            done: what they do together.
            barred: options (a bit set of indices) that are out of the question.
            worth: the options worth trying when the chosen steps need nothing.
        """
        needed = self._helpful(chosen, done, barred)
        if needed is None:
            order = find_order(self.board, chosen) if chosen else Order.MISSING
            if order is Order.NEVER:
                return
            if order is Order.EXISTS:
                yield chosen
            needed = worth
        if len(chosen) == self.most:
            return
        everything = (1 << len(self.options)) - 1
        for index in ones(needed & ~barred):
            step = self.options[index]
            out = barred | self._rivals_of(step)
            yield from self._grow((*chosen, step), self._with(done, step), out, everything)
            barred |= 1 << index

    def _with(self, done: _Sum, step: Step) -> _Sum:
        """Return what is done when `step` is made too."""
        left, entered, waits, followed, alike = done
        demand = self.demand
        if demand.standing:
            alike |= self._alike(step)
            if step.enters & demand.enter and not step.castles:
                followed |= step.leaves & demand.standing
        left |= step.leaves | step.victim
        return _Sum(left, entered | step.enters, waits | step.waits, followed, alike)

    def _rivals_of(self, step: Step) -> int:
        """Return the options that move the same piece, or to the same square, as `step`."""
        rivals = 0
        for square in scan(step.leaves | step.victim):
            rivals |= self._leaving.get(square, 0)
        for square in scan(step.enters):
            rivals |= self._entering.get(square, 0)
        return rivals

    def _helpful(self, chosen: tuple[Step, ...], done: _Sum, barred: int) -> int | None:
        """Return the options that may help with one need of the `chosen` steps; `None` for none.

        Where a need cannot be met any more, because all that would help is barred, none helps.
        """
        demand = self.demand
        left, entered, waits, followed, alike = done
        to_enter = (demand.enter | left & demand.keep) & ~entered
        taken = ((left | entered) & self.board.enemy).bit_count()
        if taken > demand.taken or self._out_of_reach(to_enter, barred):
            return 0
        missing = waits & ~left
        if missing:
            return self._leaving.get(missing.bit_length() - 1, 0)
        missing = demand.leave & ~(left | entered)
        if missing:
            square = missing.bit_length() - 1
            return self._leaving.get(square, 0) | self._entering.get(square, 0)
        missing = followed & ~alike
        if missing:
            return 0 if missing & entered else self._following(missing.bit_length() - 1)
        if to_enter:
            return self._entering[to_enter.bit_length() - 1]
        return self._saving(chosen, left, entered)

    def _out_of_reach(self, squares: int, barred: int) -> bool:
        """Return whether no option that is left enters some of the `squares`."""
        return any(not self._entering.get(square, 0) & ~barred for square in scan(squares))

    def _following(self, square: int) -> int:
        """Return the options that enter `square` with a piece like the one that stood there."""
        following = 0
        for index in ones(self._entering.get(square, 0)):
            if self._alike(self.options[index]) >> square & 1:
                following |= 1 << index
        return following

    def _alike(self, step: Step) -> int:
        """Return the squares that `step` enters with a piece like the one that stood there."""
        kind = self.board.kind
        moves = (*step.moves, rook_of(step)) if step.castles else step.moves
        squares = 0
        for source, target, _ in moves:
            if kind(source) == kind(target):
                squares |= 1 << target
        return squares

    def _saving(self, chosen: tuple[Step, ...], left: int, entered: int) -> int | None:
        """Return the options that may save the king; `None` when he is not attacked."""
        board = self.board
        king = king_after(board, chosen)
        occupied = board.occupied & ~left | entered
        attackers = board.attackers(king, occupied, (left | entered) & board.enemy)
        if not attackers:
            return None
        attacker = attackers.bit_length() - 1
        saving = self._leaving.get(attacker, 0) | self._entering.get(attacker, 0)
        for square in scan(BETWEEN[king][attacker]):
            saving |= self._entering.get(square, 0)
        return saving | self._leaving.get(board.king, 0)


def king_after(board: Board, steps: Sequence[Step]) -> int:
    """Return the square of the mover's king after `steps`."""
    bit = 1 << board.king
    for step in steps:
        if step.leaves & bit:
            return next(move.target for move in step.moves if move.source == board.king)
    return board.king


def attackers_after(board: Board, steps: Sequence[Step]) -> int:
    """Return the enemy pieces that attack the mover's king after `steps`."""
    return board.attackers(king_after(board, steps), *after(board, steps))
