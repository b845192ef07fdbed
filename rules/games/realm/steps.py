"""The single steps that a turn is made of, and what each needs of the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import chess

from rules.games.realm.bitboard import BETWEEN, Board, diagonal_reach, scan, straight_reach
from rules.games.realm.realms import SQUARE_NAMES

PROMOTIONS = "qrbn"
LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8


class Move(NamedTuple):
    """One piece carried from one square to another; `promotion` is one of `qrbn` or empty."""

    source: int
    target: int
    promotion: str = ""

    def __str__(self) -> str:
        return SQUARE_NAMES[self.source] + SQUARE_NAMES[self.target] + self.promotion


class Step(NamedTuple):
    """One move, a castling, or pieces rearranged in one go, as bit sets of squares.

    Whether a set of steps can be made in some order depends on these sets alone (castling also
    looks at attacks): all pieces leave a square once, and no square is entered twice.

    Attributes:
        moves: the pieces as a description names them: of a castling the king alone.
        leaves: squares that are empty after the step, unless it enters them too.
        enters: squares that the mover's pieces stand on after the step.
        through: squares that must be empty at that moment.
        waits: squares of `through` and `enters` that something must leave first.
        prey: where an enemy piece must stand, because a pawn captures.
        victim: the pawn taken en passant.
        passed: the square behind a pawn that advanced two or three squares.
        castles: whether it is a castling.
        arranges: whether it is (a part of) a rearrangement.
    """

    moves: tuple[Move, ...]
    leaves: int
    enters: int
    through: int = 0
    waits: int = 0
    prey: int = 0
    victim: int = 0
    passed: int = 0
    castles: bool = False
    arranges: bool = False


class Steps:
    """Every step that the mover's pieces could make if their own side got out of the way.

    What stands still in all turns (the opponent's pieces, but for those taken en passant) blocks;
    the mover's own pieces do not: those that stand in the way are noted in `Step.waits`.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._stops = board.enemy & ~board.victims
        self._leaving: dict[int, dict[Move, Step]] = {}
        self._arranging: dict[tuple[int, int], tuple[Step, ...]] = {}

    def leaving(self, source: int) -> Iterable[Step]:
        """Return the steps of the piece on `source`, rearrangements not among them."""
        return self._by_move(source).values()

    def all(self) -> Iterator[Step]:
        """Yield the steps of all pieces of the mover."""
        for source in scan(self.board.own):
            yield from self.leaving(source)

    def step(self, move: Move) -> Step | None:
        """Return the step that makes `move`, or `None` when the piece does not move so."""
        return self._by_move(move.source).get(move)

    def _by_move(self, source: int) -> dict[Move, Step]:
        """Return the steps of the piece on `source` by their moves, found when first asked for."""
        steps = self._leaving.get(source)
        if steps is None:
            kind = self.board.kind(source)
            if kind == "P":
                found = chain(self._advances(source), self._pawn_captures(source))
            elif kind == "K":
                found = chain(self._plain(source, kind), self._castlings(source))
            else:
                found = chain(self._plain(source, kind))
            steps = {step.moves[0]: step for step in found}
            self._leaving[source] = steps
        return steps

    def arranging(self, source: int, target: int) -> tuple[Step, ...]:
        """Return the steps that rearrange the piece on `source` to `target`."""
        steps = self._arranging.get((source, target))
        if steps is None:
            board, bit = self.board, 1 << target
            if bit & self._stops or source == target:
                steps = ()
            else:
                promotes = board.kind(source) == "P" and bit & LAST_RANKS & self._far_rank
                steps = tuple(
                    Step(
                        (Move(source, target, letter),),
                        leaves=1 << source,
                        enters=bit,
                        waits=bit & board.occupied,
                        arranges=True,
                    )
                    for letter in (PROMOTIONS if promotes else ("",))
                )
            self._arranging[source, target] = steps
        return steps

    @property
    def _far_rank(self) -> int:
        return chess.BB_RANK_8 if self.board.white else chess.BB_RANK_1

    def _plain(self, source: int, kind: str) -> Iterator[Step]:
        """Yield the moves of a piece other than a pawn."""
        board = self.board
        targets = reach(kind, source, self._stops) & ~board.enemy_king
        between = BETWEEN[source] if kind in "QRB" else None
        for target in scan(targets):
            bit = 1 << target
            through = between[target] if between else 0
            waits = through & board.occupied | bit & board.own
            yield Step((Move(source, target),), 1 << source, bit, through, waits)

    def _advances(self, source: int) -> Iterator[Step]:
        """Yield a pawn's moves straight on: up to three squares from the first rank."""
        board = self.board
        ahead = 8 if board.white else -8
        through = 0
        for distance in range(1, board.pawn_stride(source) + 1):
            target = source + distance * ahead
            through |= 1 << target
            if through & self._stops:
                return
            passed = 1 << target - ahead if distance > 1 else 0
            waits = through & board.occupied
            step = Step(
                (Move(source, target),), 1 << source, 1 << target, through, waits, passed=passed
            )
            yield from self._promoted(step)

    def _pawn_captures(self, source: int) -> Iterator[Step]:
        """Yield a pawn's captures, those en passant among them."""
        board = self.board
        for target in scan(chess.BB_PAWN_ATTACKS[board.white][source]):
            bit = 1 << target
            if bit & board.enemy & ~board.enemy_king:
                step = Step((Move(source, target),), 1 << source, bit, prey=bit)
                yield from self._promoted(step)
            elif bit & board.passed:
                victim = bit >> 8 if board.white else bit << 8
                yield Step((Move(source, target),), 1 << source, bit, through=bit, victim=victim)

    def _promoted(self, step: Step) -> Iterator[Step]:
        """Yield a pawn's step, on the last rank once for each piece that it may become."""
        if not step.enters & self._far_rank:
            yield step
            return
        for letter in PROMOTIONS:
            yield step._replace(moves=(step.moves[0]._replace(promotion=letter),))

    def _castlings(self, king: int) -> Iterator[Step]:
        """Yield the castlings to which the mover still has the right."""
        board = self.board
        for right, rook, target, beside in (
            ("K", king + 3, king + 2, king + 1),
            ("Q", king - 4, king - 2, king - 1),
        ):
            if (right if board.white else right.lower()) not in board.castling:
                continue
            through = BETWEEN[king][rook]
            if not through & self._stops:
                yield Step(
                    (Move(king, target),),
                    leaves=1 << king | 1 << rook,
                    enters=1 << target | 1 << beside,
                    through=through,
                    waits=through & board.occupied,
                    castles=True,
                )


def reach(kind: str, source: int, stops: int) -> int:
    """Return the squares a piece other than a pawn reaches when `stops` end its lines."""
    if kind == "N":
        return chess.BB_KNIGHT_ATTACKS[source]
    if kind == "K":
        return chess.BB_KING_ATTACKS[source]
    squares = 0
    if kind in "QB":
        squares |= diagonal_reach(source, stops)
    if kind in "QR":
        squares |= straight_reach(source, stops)
    return squares


def carried(step: Step) -> tuple[Move, ...]:
    """Return the moves of a step, of a castling that of the rook too."""
    return (*step.moves, rook_of(step)) if step.castles else step.moves


def rook_of(castling: Step) -> Move:
    """Return how the rook moves in a castling."""
    king = castling.moves[0]
    kings = 1 << king.source | 1 << king.target
    source = (castling.leaves & ~kings).bit_length() - 1
    target = (castling.enters & ~kings).bit_length() - 1
    return Move(source, target)
