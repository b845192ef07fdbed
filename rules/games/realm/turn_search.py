"""The one search behind everything: sets of steps that belong together and make a legal turn.

It is led by needs. A set of steps may need something: a square must be left before a piece can
pass, the king is still attacked, the board shows a piece where none has arrived. Then only steps
that help are tried. A set without needs is a turn, and is grown further. Nothing is found twice:
a step that has been tried is barred from all that is tried after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import chess

from rules.games.realm.bitboard import BETWEEN, Board, scan
from rules.games.realm.choices import Family
from rules.games.realm.order import Order, after, find_order
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
        spare: how many of the squares of `leave` may be spared.
    """

    enter: int = 0
    leave: int = 0
    keep: int = 0
    taken: int = 64
    standing: int = 0
    spare: int = 0

    def within_reach(self, options: Family, barred: int) -> bool:
        """Return whether the options but the `barred` ones enter and leave what is demanded."""
        if self.enter & ~options.entered:
            return False
        out_of_reach = (self.leave & ~(options.left | options.entered)).bit_count()
        if out_of_reach > self.spare:
            return False
        free, leaving, entering = ~barred, options.leaving, options.entering
        if not all(entering[square] & free for square in scan(self.enter)):
            return False
        reached = sum(
            1
            for square in scan(self.leave)
            if (leaving.get(square, 0) | entering.get(square, 0)) & free
        )
        return reached + self.spare >= self.leave.bit_count()


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


class Search:
    """The legal turns that can be made of some options."""

    __slots__ = (
        "_barred",
        "_board",
        "_demand",
        "_entering",
        "_every",
        "_leaving",
        "_most",
        "_options",
    )

    def __init__(
        self, options: Family, most: int, demand: Demand = ANYTHING, barred: int = 0
    ) -> None:
        """Begin with nothing chosen.

        Args:
            options: the steps that belong together: all of one kind of turn in one realm.
            most: how many pieces may move at most.
            demand: what the turn must do.
            barred: options (a bit set of indices) that are out of the question.
        """
        self._options = options
        self._board = options.board
        self._leaving, self._entering = options.leaving, options.entering
        self._every = (1 << len(options.steps)) - 1
        self._most = most
        self._demand = demand
        self._barred = barred

    def turns(self) -> Iterator[tuple[Step, ...]]:
        """Yield every legal set of the options that meets the demand, each once."""
        yield from self._grow((), _Sum(), self._barred, self._options.first)

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
            order = find_order(self._board, chosen) if chosen else Order.MISSING
            if order is Order.NEVER:
                return
            if order is Order.EXISTS:
                yield chosen
            needed = worth
        if len(chosen) == self._most:
            return
        options = self._options
        for index in chess.scan_forward(needed & ~barred):
            out = barred | options.rivals(index)
            yield from self._grow(
                (*chosen, options.steps[index]), self._with(done, index), out, self._every
            )
            barred |= 1 << index

    def _with(self, done: _Sum, index: int) -> _Sum:
        """Return what is done when one more of the options is made."""
        step = self._options.steps[index]
        left, entered, waits, followed, alike = done
        demand = self._demand
        if demand.standing:
            alike |= self._options.alike[index]
            if step.enters & demand.enter and not step.castles:
                followed |= step.leaves & demand.standing
        left |= step.leaves | step.victim
        return _Sum(left, entered | step.enters, waits | step.waits, followed, alike)

    def _helpful(self, chosen: tuple[Step, ...], done: _Sum, barred: int) -> int | None:
        """Return the options that may help with one need of the `chosen` steps; `None` for none.

        Where a need cannot be met any more, because all that would help is barred, none helps.
        """
        demand = self._demand
        left, entered, waits, followed, alike = done
        to_enter = (demand.enter | left & demand.keep) & ~entered
        taken = ((left | entered) & self._board.enemy).bit_count()
        if taken > demand.taken or (to_enter and self._out_of_reach(to_enter, barred)):
            return 0
        missing = waits & ~left
        if missing:
            return self._leaving.get(missing.bit_length() - 1, 0)
        missing = demand.leave & ~(left | entered)
        if missing.bit_count() > demand.spare:
            squares = missing if demand.spare else 1 << missing.bit_length() - 1
            return self._options.handling(squares)
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
        for index in chess.scan_forward(self._entering.get(square, 0)):
            if self._options.alike[index] >> square & 1:
                following |= 1 << index
        return following

    def _saving(self, chosen: tuple[Step, ...], left: int, entered: int) -> int | None:
        """Return the options that may save the king; `None` when he is not attacked."""
        board = self._board
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
