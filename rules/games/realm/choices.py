"""Which steps may belong to one turn of a kind in a realm, and what each of them does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from rules.games.realm.bitboard import Board, scan
from rules.games.realm.realms import Realm
from rules.games.realm.steps import Step, Steps, carried


class Family:
    """Steps that may stand together in a turn. Sets of them are integers, one bit a step.

    Attributes:
        board: the board before the turn.
        steps: the steps, in the order of their bits.
        leaving: for each square the steps after which it is left, or its pawn taken en passant.
        entering: for each square the steps that enter it.
        left, entered: the squares of these two, as bit sets.
        first: the steps that need nobody to get out of their way, and rearrangements.
        taking: the steps that take something.
    """

    def __init__(self, board: Board, steps: Sequence[Step]) -> None:
        """Index the steps by what they leave and enter."""
        self.board = board
        self.steps = steps
        self.leaving: dict[int, int] = {}
        self.entering: dict[int, int] = {}
        self._rivals: dict[int, int] = {}
        leaving, entering = self.leaving, self.entering
        self.first = self.taking = 0
        enemy = board.enemy
        bit = 1
        for step in steps:
            if step.arranges or not step.waits:
                self.first |= bit
            if step.enters & enemy or step.victim:
                self.taking |= bit
            for square in scan(step.leaves | step.victim):
                leaving[square] = leaving.get(square, 0) | bit
            for square in scan(step.enters):
                entering[square] = entering.get(square, 0) | bit
            bit <<= 1
        self.left = sum(1 << square for square in leaving)
        self.entered = sum(1 << square for square in entering)

    @cached_property
    def bringing(self) -> Mapping[tuple[int, str], int]:
        """For a square and a kind the steps after which such a piece, or its pawn, stands there."""
        bringing: dict[tuple[int, str], int] = {}
        for index, step in enumerate(self.steps):
            for source, target, promotion in carried(step):
                for kind in {self.board.kind(source), promotion.upper()} - {""}:
                    key = target, kind
                    bringing[key] = bringing.get(key, 0) | 1 << index
        return bringing

    @cached_property
    def castling(self) -> int:
        """The castlings."""
        return sum(1 << index for index, step in enumerate(self.steps) if step.castles)

    @cached_property
    def alike(self) -> tuple[int, ...]:
        """For each step the squares that it enters with a piece like the one that stood there.

        A pawn that promotes is like both: the board may show it before it is exchanged.
        """
        kind = self.board.kind
        return tuple(
            sum(
                1 << target
                for source, target, promotion in carried(step)
                if kind(target) in (kind(source), promotion.upper())
            )
            for step in self.steps
        )

    def rivals(self, index: int) -> int:
        """Return the steps that move the same piece, or to the same square, as one of them."""
        rivals = self._rivals.get(index)
        if rivals is None:
            step, rivals = self.steps[index], 0
            for square in scan(step.leaves | step.victim):
                rivals |= self.leaving.get(square, 0)
            for square in scan(step.enters):
                rivals |= self.entering.get(square, 0)
            self._rivals[index] = rivals
        return rivals

    def handling(self, squares: int) -> int:
        """Return the steps that leave or enter one of the squares, or take its pawn en passant."""
        handling = 0
        for square in scan(squares):
            handling |= self.leaving.get(square, 0) | self.entering.get(square, 0)
        return handling


class Choices:
    """The steps of a position, sorted by where they begin and end.

    Attributes:
        single: the steps, rearrangements not among them.
    """

    def __init__(self, steps: Steps) -> None:
        """Sort every step of the position."""
        self._steps = steps
        self.single = tuple(steps.all())
        self._from: dict[int, list[Step]] = {}
        self._to: dict[int, list[Step]] = {}
        for step in self.single:
            source, target, _ = step.moves[0]
            self._from.setdefault(source, []).append(step)
            self._to.setdefault(target, []).append(step)

    def of(self, parts: str, realm: Realm) -> list[Step]:
        """Return the steps of the `parts` (some of D, C and R) that a turn in `realm` may hold."""
        steps: list[Step] = []
        if "D" in parts:
            steps.extend(self._out_of(realm))
        if "C" in parts:
            steps.extend(self._into(realm))
        if "R" in parts:
            steps.extend(self._within(realm))
        return steps

    def _out_of(self, realm: Realm) -> Iterator[Step]:
        for source in scan(realm.squares):
            for step in self._from.get(source, ()):
                if not realm.squares >> step.moves[0].target & 1:
                    yield step

    def _into(self, realm: Realm) -> Iterator[Step]:
        for target in scan(realm.squares):
            for step in self._to.get(target, ()):
                if not realm.squares >> step.moves[0].source & 1:
                    yield step

    def _within(self, realm: Realm) -> Iterator[Step]:
        for source in scan(realm.squares & self._steps.board.own):
            for target in scan(realm.squares):
                yield from self._steps.arranging(source, target)
