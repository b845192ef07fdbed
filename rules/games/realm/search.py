"""The one search behind everything: sets of steps that belong together and make a legal turn.

It is led by needs. A set of steps may need something: a square must be left before a piece can
pass, the king is still attacked, the board shows a piece where none has arrived. Then only steps
that help are tried. A set without needs is a turn, and is grown further. Nothing is found twice:
a step that has been tried is barred from all that is tried after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules.games.realm.board import BETWEEN, ones, scan
from rules.games.realm.order import Order, after, find_order
from rules.games.realm.steps import rook_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rules.games.realm.board import Board
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
    _following: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        leaving, entering = self._leaving, self._entering
        for index, step in enumerate(self.options):
            bit = 1 << index
            for square in scan(step.leaves | step.victim):
                leaving[square] = leaving.get(square, 0) | bit
            for square in scan(step.enters):
                entering[square] = entering.get(square, 0) | bit
            for square in scan(self._alike(step) if self.demand.standing else 0):
                self._following[square] = self._following.get(square, 0) | bit

    def turns(self) -> Iterator[tuple[Step, ...]]:
        """Yield every legal set of the options that meets the demand, each once."""
        first = sum(
            1 << index for index, step in enumerate(self.options) if step.arranges or not step.waits
        )
        yield from self._grow((), 0, first)

    def _grow(
        self, chosen: tuple[Step, ...], barred: int, worth: int
    ) -> Iterator[tuple[Step, ...]]:
        """Yield the turns that hold all the `chosen` steps and none of the `barred` ones.

        Args:
            chosen: the steps so far.
            barred: options (a bit set of indices) that are out of the question.
            worth: the options worth trying when the chosen steps need nothing.
        """
        needed = self._helpful(chosen)
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
            yield from self._grow((*chosen, step), barred | self._rivals_of(step), everything)
            barred |= 1 << index

    def _rivals_of(self, step: Step) -> int:
        """Return the options that move the same piece, or to the same square, as `step`."""
        rivals = 0
        for square in scan(step.leaves | step.victim):
            rivals |= self._leaving.get(square, 0)
        for square in scan(step.enters):
            rivals |= self._entering.get(square, 0)
        return rivals

    def _helpful(self, chosen: tuple[Step, ...]) -> int | None:
        """Return the options that may help with one need of the `chosen` steps; `None` for none."""
        demand = self.demand
        left = entered = waits = followed = alike = 0
        for step in chosen:
            left |= step.leaves | step.victim
            entered |= step.enters
            waits |= step.waits
            if demand.standing:
                alike |= self._alike(step)
                if step.enters & demand.enter and not step.castles:
                    followed |= step.leaves & demand.standing
        if ((left | entered) & self.board.enemy).bit_count() > demand.taken:
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
            return self._following.get(missing.bit_length() - 1, 0) if not missing & entered else 0
        missing = (demand.enter | left & demand.keep) & ~entered
        if missing:
            return self._entering.get(missing.bit_length() - 1, 0)
        return self._saving(chosen, left, entered)

    def _alike(self, step: Step) -> int:
        """Return the squares that `step` enters with a piece like the one that stood there."""
        kind = self.board.kind
        moves = (*step.moves, rook_of(step)) if step.castles else step.moves
        return sum(1 << m.target for m in moves if kind(m.source) == kind(m.target))

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
