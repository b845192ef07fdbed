"""Every turn at a glance: moves and flips judged apart, as most do not touch each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_bridge.opponents.engine import WON
from firmware_bridge.opponents.games.reality_check.packed_table import (
    MOVE,
    OWNER,
    TRUE,
    TURNED,
    Table,
    Turn,
)
from firmware_bridge.opponents.games.reality_check.packed_turns import (
    answers,
    beside_moves,
    drops,
    flips,
    quiet,
)
from firmware_bridge.opponents.games.reality_check.worth import Judge

_FAR = 2 * WON
_NO_MOVE = -1
CURIOSITY = 120
"""What it is worth to learn of an opponent's piece whether it is true, at even chances."""

Rated = list[tuple[float, "Turn"]]
"""Turns, each with what it seems to be worth to the side that makes it."""


class Glance:
    """Tables that a player cannot tell apart, looked at for a moment.

    There is at least one; what is legal on one is legal on all of them.
    """

    def __init__(self, tables: Sequence[Table], judge: Judge) -> None:
        self._tables = tables
        self._judge = judge
        self._side = tables[0].side

    def turns(self) -> Iterator[tuple[float, Turn]]:
        """Yield every legal turn with what it seems to be worth."""
        first = self._tables[0]
        if first.awaited:
            yield from ((self.worth(turn), turn) for turn in answers(first))
        elif first.over_limit:
            yield from ((self.worth(turn), turn) for turn in drops(first))
        else:
            if not first.first:
                yield from ((self.worth(turn), turn) for turn in beside_moves(first))
            yield from self._moves(first)

    def _moves(self, table: Table) -> Iterator[tuple[float, Turn]]:
        free = flips(table)
        still = self.worth((MOVE, _NO_MOVE, _NO_MOVE, -1)) if free else 0
        gain = {q: self.worth((MOVE, _NO_MOVE, _NO_MOVE, q)) - still for q in free}
        for a, b in quiet(table):
            worth = self.worth((MOVE, a, b, -1))
            if table.first or not free:
                yield worth, (MOVE, a, b, -1)
            for square in free:
                if square == a:
                    yield self.worth((MOVE, a, b, b)), (MOVE, a, b, b)
                else:
                    yield worth + gain[square], (MOVE, a, b, square)

    def worth(self, turn: Turn, depth: int = 0) -> float:
        """Return what a turn is worth on the average of the tables, `depth` captures on."""
        scores = [self.scored(table, turn, depth) for table in self._tables]
        return sum(scores) / len(scores) + self.news(turn)

    def scored(self, table: Table, turn: Turn, depth: int) -> int:
        """Return what a turn on one table is worth."""
        after = made(table, turn)
        score = self._judge.settled(after, -_FAR, _FAR, depth)
        return score if after.side == table.side else -score

    def news(self, turn: Turn) -> float:
        """Return what it is worth to see both faces of the piece that is flipped."""
        flipped = turn[3] if turn[0] == MOVE else -1
        if flipped < 0 or flipped == turn[2]:
            return 0
        lying = [table.cells[flipped] for table in self._tables]
        if OWNER[lying[0]] == self._side:
            return 0
        true = sum(TRUE[cell] for cell in lying) / len(lying)
        return CURIOSITY * true * (1 - true)


def made(table: Table, turn: Turn) -> Table:
    """Return the table after a turn; of one by halves, no move or no flip, as if it were whole."""
    kind, a, b, flipped = turn
    whole = a != _NO_MOVE and (flipped >= 0 or table.ground.rules.dice)
    if kind != MOVE or whole:
        return table.made(turn)
    after = table.copied()
    if a != _NO_MOVE:
        after.cells[b], after.cells[a] = after.cells[a], 0
    if flipped >= 0:
        after.cells[flipped] = TURNED[after.cells[flipped]]
    return after.complete(1 << flipped if flipped >= 0 else 0)
