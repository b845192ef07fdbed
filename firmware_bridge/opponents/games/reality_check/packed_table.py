"""Positions of Reality Check as the search walks over them: small numbers, and nothing checked.

Squares are numbered as texts list them. A *cell* is 0 for nothing, or 1 + 16 for Black's + 4 times
the up-face + the down-face; a *piece* is its place in the list of ten; a hand is a set of pieces as
bits. `made` is what `rules.games.reality_check.successor` is, turn for turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.games.reality_check.discs import FACES, NAMES
from rules.games.reality_check.game import RealityCheckPosition
from rules.games.reality_check.ruleset import Ruleset
from rules.values import SIDES, king_steps

Turn = tuple[int, ...]
"""A kind and three numbers; see below."""

MOVE, CAPTURE, DROP, MEMORY, DECIDE, SACRIFICE, ROLL, FLIP = range(8)
"""(MOVE, from, to, flipped or -1), (CAPTURE, from, to, check), (DROP, cell, to, 0), (MEMORY, first,
second, 0), (DECIDE, keep, piece, 0), (SACRIFICE, piece, 0, 0), (ROLL, die, other or 0, 0) and
(FLIP, square, 0, 0)."""
HAND, GIVE_UP, THROW, TURN_OVER = 1, 2, 3, 4
"""What is awaited: a decision, a sacrifice, a roll or a flip; 0 for a turn."""


def _cell(side: int, up: int, down: int) -> int:
    return 1 + 16 * side + 4 * up + down


CELLS = range(1, 33)
OWNER = (-1, *(number - 1 >> 4 for number in CELLS))
UP = (-1, *(number - 1 >> 2 & 3 for number in CELLS))
DOWN = (-1, *(number - 1 & 3 for number in CELLS))
TURNED = (0, *(_cell(OWNER[c], DOWN[c], UP[c]) for c in CELLS))
TRUE = (False, *(UP[c] == DOWN[c] for c in CELLS))
PIECE = (
    -1,
    *(NAMES.index("".join(FACES[f] for f in sorted((UP[c], DOWN[c])))) for c in CELLS),
)
FACES_OF = tuple((FACES.index(name[0]), FACES.index(name[1])) for name in NAMES)
TRUE_PIECES = sum(1 << n for n, name in enumerate(NAMES) if name[0] == name[1])


def cell_of(side: int, piece: int, up: int) -> int:
    """Return a side's piece lying with a face up."""
    one, other = FACES_OF[piece]
    return _cell(side, up, other if up == one else one)


def pieces_in(hand: int) -> list[int]:
    """Return the pieces of a hand, in the order of the list."""
    return [piece for piece in range(10) if hand >> piece & 1]


@dataclass(frozen=True, eq=False)
class Ground:
    """The board and the options, as numbers.

    Attributes:
        squares: their names.
        number: their numbers by name.
        quiet, taking: by face and square, the rays on which a piece moves, and captures.
        near: by two squares, how many steps a king would need from one to the other.
        rules: the options.
    """

    squares: tuple[str, ...]
    number: dict[str, int]
    quiet: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    taking: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    near: tuple[tuple[int, ...], ...]
    rules: Ruleset


@cache
def ground_of(rules: Ruleset) -> Ground:
    """Return the ground that is played on with these options."""
    squares = tuple(square for row in rules.board.rows for square in row)
    number = {square: n for n, square in enumerate(squares)}
    quiet, taking = (
        tuple(
            tuple(tuple(tuple(number[s] for s in ray) for ray in rays[f][s]) for s in squares)
            for f in FACES
        )
        for rays in (rules.board.quiet, rules.board.taking)
    )
    near = tuple(tuple(king_steps(a, b) for b in squares) for a in squares)
    return Ground(squares, number, quiet, taking, near, rules)


class Table:
    """One position; `made` gives new ones.

    Attributes:
        ground: the board and the options.
        cells: what lies on each square.
        side: who acts, 0 for White.
        hands: of White and Black.
        true: how many true pieces either has in play.
        frozen: squares as bits.
        awaited, pending, dice, flipped: what must come first, the pieces to be decided on, the
            dice not yet used, and the square of the first flip or -1.
        homes: the home squares of either.
        first: whether it is White's first turn.
    """

    __slots__ = (
        "awaited",
        "cells",
        "dice",
        "first",
        "flipped",
        "frozen",
        "ground",
        "hands",
        "homes",
        "pending",
        "side",
        "true",
    )

    ground: Ground
    cells: list[int]
    side: int
    hands: tuple[int, int]
    true: tuple[int, int]
    frozen: int
    awaited: int
    pending: int
    dice: tuple[int, ...]
    flipped: int
    homes: tuple[tuple[int, ...], tuple[int, ...]]
    first: bool

    @classmethod
    def of(cls, position: RealityCheckPosition) -> Table:
        """Return the table of a position."""
        state, self = position.state, cls()
        ground = self.ground = ground_of(position.game.rules)
        self.cells = [0] * len(ground.squares)
        for square, cell in state.board.items():
            up, down = (FACES.index(face) for face in cell.upper())
            self.cells[ground.number[square]] = _cell(int(cell.islower()), up, down)
        self.side = SIDES.index(state.side)
        white, black = (sum(1 << NAMES.index(n) for n in state.hands[s]) for s in SIDES)
        self.hands = white, black
        self.true = state.true_pieces("white"), state.true_pieces("black")
        self.frozen = sum(1 << ground.number[square] for square in state.frozen)
        awaited = state.awaited
        kinds = ("hand", "sacrifice", "roll", "flip")
        self.awaited = 1 + kinds.index(awaited.kind) if awaited else 0
        self.pending = sum(1 << NAMES.index(name) for name in awaited.pieces) if awaited else 0
        self.dice = awaited.dice if awaited else ()
        self.flipped = ground.number[awaited.flipped] if awaited and awaited.flipped else -1
        first, second = (tuple(ground.number[q] for q in state.homes[s]) for s in SIDES)
        self.homes = first, second
        self.first = state.first_turn
        return self

    def copied(self) -> Table:
        """Return the same table for turning into another, with nothing awaited."""
        new = Table.__new__(Table)
        new.ground = self.ground
        new.cells = self.cells[:]
        new.side = self.side
        new.hands = self.hands
        new.true = self.true
        new.frozen = self.frozen
        new.awaited = 0
        new.pending = 0
        new.dice = ()
        new.flipped = -1
        new.homes = self.homes
        new.first = False
        return new

    def recalled(self) -> Table:
        """Return the same table, what is awaited included."""
        new = self.copied()
        new.awaited, new.pending, new.dice = self.awaited, self.pending, self.dice
        new.flipped, new.first = self.flipped, self.first
        return new

    @property
    def over_limit(self) -> bool:
        """Whether the side to act holds more pieces than it may."""
        return self.hands[self.side].bit_count() >= self.true[self.side]

    @property
    def lost(self) -> int:
        """Return the side that has lost, -1 for none; a game without a turn left aside."""
        if not self.true[0]:
            return 0
        if not self.true[1]:
            return 1
        if not self.awaited and self.over_limit:
            cells = self.cells
            if all(cells[square] for square in self.homes[self.side]):
                return self.side
        return -1

    def made(self, turn: Turn) -> Table:  # noqa: PLR0911 - one return a kind of turn
        """Return the table after a legal turn."""
        kind, a, b, c = turn
        new = self.copied()
        if kind == MOVE:
            return self._moved(new, a, b, c)
        if kind == CAPTURE:
            return self._captured(new, a, b, check=bool(c))
        if kind == DROP:
            new.cells[b] = a
            new.hands = _changed(new.hands, self.side, -(1 << PIECE[a]))
            return new.complete(1 << b)
        if kind == MEMORY:
            return self._remembered(new, a, b)
        if kind == DECIDE:
            return self._decided(new, b, keep=bool(a))
        if kind == SACRIFICE:
            return self._sacrificed(new, a)
        if kind == ROLL:
            return new.use_dice((a, b) if b else (a,), -1)
        new.cells[a] = TURNED[new.cells[a]]
        if self.flipped >= 0:
            return new.complete(1 << a | 1 << self.flipped)
        return new.use_dice(self.dice[1:], a)

    def _moved(self, new: Table, a: int, b: int, flip: int) -> Table:
        cells = new.cells
        cells[b], cells[a] = cells[a], 0
        if flip >= 0:
            cells[flip] = TURNED[cells[flip]]
            return new.complete(1 << flip)
        if self.ground.rules.dice and not self.first:
            if new.frozen >> a & 1:
                new.frozen ^= 1 << a | 1 << b
            new.awaited = THROW
            return new
        return new.complete(0)

    def _captured(self, new: Table, a: int, b: int, *, check: bool) -> Table:
        cells = new.cells
        victim, capturer = cells[b], cells[a]
        cells[b], cells[a] = capturer, 0
        owner = OWNER[victim]
        if check and TRUE[victim] and TRUE[capturer]:
            new.true = _changed(new.true, owner, -1)
            return new.complete(0)
        return new.hand_over(owner, 1 << PIECE[victim])

    def _remembered(self, new: Table, a: int, b: int) -> Table:
        cells = new.cells
        one, other = cells[a], cells[b]
        if DOWN[one] == DOWN[other]:
            cells[a] = cells[b] = 0
            return new.hand_over(OWNER[one], 1 << PIECE[one] | 1 << PIECE[other])
        cells[a], cells[b] = TURNED[one], TURNED[other]
        new.frozen = 1 << a | 1 << b
        new.awaited = GIVE_UP
        return new

    def _decided(self, new: Table, piece: int, *, keep: bool) -> Table:
        side = self.side
        if keep:
            new.hands = _changed(new.hands, side, 1 << piece)
        elif TRUE_PIECES >> piece & 1:
            new.true = _changed(new.true, side, -1)
        new.pending = self.pending & ~(1 << piece)
        new.awaited = HAND if new.pending else 0
        return new

    def _sacrificed(self, new: Table, piece: int) -> Table:
        side = self.side
        new.true = _changed(new.true, side, -1)
        if self.hands[side] >> piece & 1:
            new.hands = _changed(new.hands, side, -(1 << piece))
        else:
            cell = cell_of(side, piece, FACES_OF[piece][0])
            new.cells[new.cells.index(cell)] = 0
        return new.complete(new.frozen)

    def use_dice(self, dice: tuple[int, ...], flipped: int) -> Table:
        """Await the flip of the first die that some piece meets; complete the turn without one."""
        while dice and not self.meeting(dice[0], flipped):
            dice = dice[1:]
        if not dice:
            return self.complete(1 << flipped if flipped >= 0 else 0)
        self.awaited, self.dice, self.flipped = TURN_OVER, dice, flipped
        return self

    def meeting(self, die: int, flipped: int = -1) -> list[int]:
        """Return the squares of the pieces that a die allows to flip."""
        found = [
            square
            for square, cell in enumerate(self.cells)
            if cell and square != flipped and not self.frozen >> square & 1
        ]
        if die <= 4:
            return [square for square in found if UP[self.cells[square]] == die - 1]
        whose = self.side if die == 5 else 1 - self.side
        return [square for square in found if OWNER[self.cells[square]] == whose]

    def hand_over(self, owner: int, pieces: int) -> Table:
        """Complete the turn by giving captured pieces to their owner, who decides if many."""
        held = self.hands[owner]
        if held.bit_count() + pieces.bit_count() < self.true[owner]:
            self.hands = _changed(self.hands, owner, pieces)
            return self.complete(0)
        self.complete(0)
        self.awaited, self.pending = HAND, pieces
        return self

    def complete(self, frozen: int) -> Table:
        """End the turn: the other side acts."""
        self.side = 1 - self.side
        self.frozen = frozen
        return self


def _changed(pair: tuple[int, int], side: int, by: int) -> tuple[int, int]:
    return (pair[0], pair[1] + by) if side else (pair[0] + by, pair[1])
