"""The search for a mate in one turn, which misses none.

It is led by refutations, as the rules' own search is led by needs. A set of steps that does not
mate leaves the opponent a reply; every set that holds it and mates has a step more which spoils
that reply: it attacks a square on which the king then stands, or comes onto or off a square that
the reply uses. So only such steps are tried, and thousands of turns are never made.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess

from firmware_bridge.opponents.chesslike.tables import KING_ATTACKS, reach
from firmware_bridge.opponents.games.realm.piece_values import KINDS
from rules.games.realm.bitboard import BETWEEN, scan
from rules.games.realm.choices import Family
from rules.games.realm.game import RealmChess, RealmPosition
from rules.games.realm.order import Order, after, castling_walk, find_order
from rules.games.realm.search_state import State, following
from rules.games.realm.steps import Step, carried
from rules.games.realm.turn_search import king_after

_STRAIGHT = tuple(chess.BB_FILE_ATTACKS[s][0] | chess.BB_RANK_ATTACKS[s][0] for s in range(64))
_DIAGONAL = tuple(chess.BB_DIAG_ATTACKS[s][0] for s in range(64))
_LINES = {
    "R": _STRAIGHT,
    "B": _DIAGONAL,
    "Q": tuple(map(int.__or__, _STRAIGHT, _DIAGONAL)),
}
"""By kind and square, the squares on the lines along which a piece moves."""


def mate_in_one(position: RealmPosition) -> tuple[Step, ...] | None:
    """Return a turn, as its steps, that mates at once; `None` when there is none."""
    if position.drawn:
        return None
    finder = position.finder
    for options, _, realm in finder.families():
        hunt = _Hunt(position, options, finder.most if realm else 1)
        if found := hunt.mate():
            return found
    return None


class _Hunt:
    """The hunt for a mate with steps that belong together.

    Sets of options are integers, one bit an option.
    """

    def __init__(self, position: RealmPosition, options: Family, most: int) -> None:
        self._game: RealmChess = position.game
        self._state: State = position.state
        self._board = position.finder.board
        self._options = options
        self._most = most
        self._king = self._board.enemy_king.bit_length() - 1
        self._attacking: dict[int, int] = {}

    def mate(self) -> tuple[Step, ...] | None:
        """Return a set of the options that mates; `None` when there is none."""
        self._index()
        everything = (1 << len(self._options.steps)) - 1
        uncovered = self._uncovered((), self._board.occupied)
        return self._grow((), 0, self._covering(uncovered, (), 0) if uncovered else everything)

    def _index(self) -> None:
        for index, step in enumerate(self._options.steps):
            for square in scan(self._reached(step)):
                self._attacking[square] = self._attacking.get(square, 0) | 1 << index

    def _reached(self, step: Step) -> int:
        """Return the squares that the pieces of a step would attack if nothing stood between."""
        board = self._board
        squares = 0
        for source, target, promotion in carried(step):
            kind = promotion.upper() or board.kind(source)
            squares |= reach(KINDS[kind], target, 0, white=board.white)
        return squares

    def _grow(self, chosen: tuple[Step, ...], barred: int, worth: int) -> tuple[Step, ...] | None:
        """Return a mate that holds the chosen steps, one of `worth`, and none of the barred."""
        if len(chosen) == self._most:
            return None
        for index in chess.scan_forward(worth & ~barred):
            steps = (*chosen, self._options.steps[index])
            out = barred | self._options.rivals(index)
            more = self._wanted(steps, out)
            if more is None:
                return steps
            found = self._grow(steps, out, more)
            if found:
                return found
            barred |= 1 << index
        return None

    def _wanted(self, steps: tuple[Step, ...], barred: int) -> int | None:
        """Return the options that may be what the steps lack to be a mate; `None` if they mate."""
        board = self._board
        left = entered = waits = 0
        for step in steps:
            left |= step.leaves | step.victim
            entered |= step.enters
            waits |= step.waits
        missing = waits & ~left
        if missing:
            return self._options.handling(1 << missing.bit_length() - 1)
        occupied, taken = after(board, steps)
        king = king_after(board, steps)
        attackers = board.attackers(king, occupied, taken)
        if attackers:
            return self._saving(king, attackers.bit_length() - 1)
        uncovered = self._uncovered(steps, occupied)
        if uncovered:
            return self._covering(uncovered, steps, barred)
        order = find_order(board, steps)
        if order is Order.NEVER:
            return 0
        if order is Order.MISSING:
            return (1 << len(self._options.steps)) - 1
        return self._spoiling(steps)

    def _saving(self, king: int, attacker: int) -> int:
        """Return the options that may help the own king against an attacker."""
        squares = BETWEEN[king][attacker] | 1 << attacker | 1 << self._board.king
        return self._options.handling(squares)

    def _uncovered(self, steps: Sequence[Step], occupied: int) -> int:
        """Return the squares, his own among them, on which the other king is not attacked."""
        board = self._board
        king = self._king
        # What the king's men still hold is no way out for him alone.
        entered = 0
        for step in steps:
            entered |= step.enters
        flights = KING_ATTACKS[king] & ~(board.enemy & occupied & ~entered) | 1 << king
        attacked = self._attacked(steps, occupied & ~board.enemy_king)
        return flights & ~attacked

    def _attacked(self, steps: Sequence[Step], occupied: int) -> int:
        """Return all squares that the mover's pieces attack after the steps."""
        board = self._board
        gone = 0
        squares = 0
        for step in steps:
            gone |= step.leaves
            for source, target, promotion in carried(step):
                kind = promotion.upper() or board.kind(source)
                squares |= reach(KINDS[kind], target, occupied, white=board.white)
        for square in scan(board.own & ~gone):
            squares |= reach(KINDS[board.kind(square)], square, occupied, white=board.white)
        return squares

    def _covering(self, uncovered: int, steps: Sequence[Step], barred: int) -> int:
        """Return the options that may attack the square that the fewest can; 0 if one has none."""
        least, fewest = 0, 1 << 30
        for square in scan(uncovered):
            helping = self._helping(square, steps) & ~barred
            count = helping.bit_count()
            if count < fewest:
                least, fewest = helping, count
                if not count:
                    break
        return least

    def _helping(self, square: int, steps: Sequence[Step]) -> int:
        """Return the options after which `square` may be attacked: by a piece moved, or past it."""
        lines = 0
        board = self._board
        places = [(source, board.kind(source)) for source in scan(board.own)]
        for step in steps:
            places += [
                (target, promotion.upper() or board.kind(source))
                for source, target, promotion in carried(step)
            ]
        bit = 1 << square
        for place, kind in places:
            aligned = _LINES.get(kind)
            if aligned and aligned[place] & bit:
                lines |= BETWEEN[place][square]
        return self._attacking.get(square, 0) | self._options.handling(lines)

    def _spoiling(self, steps: tuple[Step, ...]) -> int | None:
        """Return the options that may spoil a reply to the legal turn; `None` when it is mate."""
        state = following(self._state, self._board, steps)
        position = RealmPosition(self._game, state)
        finder = position.finder
        reply = next((found for found, _, _ in finder.sets()), None)
        if reply is None:
            return None
        used = 0
        kings = {king_after(finder.board, reply)}
        for step in reply:
            used |= step.leaves | step.enters | step.through | step.victim | step.prey
            if step.castles:
                kings.update(castling_walk(step))
        found = self._options.handling(used)
        for square in kings:
            found |= self._helping(square, steps)
        return found
