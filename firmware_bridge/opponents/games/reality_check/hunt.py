"""Hunting the last true piece: turns that win at once, and threats that leave no answer.

A threat attacks the last true piece with a true one, or captures it so that it must be dropped
again. Few answers save it, so threats are searched much deeper than anything else. No flip saves it
and none endangers it: a true piece shows the same face either way, and a flip moves nothing. So
answers are looked at without their flips, and what comes of one may be otherwise in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from firmware_bridge.opponents.engine import nobody
from firmware_bridge.opponents.games.reality_check.packed_table import (
    CAPTURE,
    DECIDE,
    DOWN,
    HAND,
    MEMORY,
    MOVE,
    OWNER,
    TRUE,
    TRUE_PIECES,
    UP,
    Table,
    Turn,
)
from firmware_bridge.opponents.games.reality_check.packed_turns import (
    answers,
    beside_moves,
    captures,
    drops,
    flips,
    quiet,
    turns,
)
from firmware_bridge.opponents.games.reality_check.reach import lines_of, occupied_of, squares_in

_STOP_MASK = 63
"""Every 64 tables it is asked whether to stop: some milliseconds."""
_BISHOP, _ROOK = 2, 3
"""Faces, by their numbers: what runs along lines, so that something may step between."""


def at_once(table: Table) -> Iterator[Turn]:
    """Yield the turns of a table that win at once."""
    other = 1 - table.side
    crowded = sum(not table.cells[square] for square in table.homes[other]) <= 1
    if crowded:
        found = turns(table)
    elif table.awaited or table.over_limit or table.first or table.true[other] > 1:
        return
    else:
        found = captures(table)
    yield from (turn for turn in found if table.made(turn).lost == other)


class _Exhausted(Exception):  # noqa: N818 - it ends a search, and is no error
    """As many tables were looked at as may be."""


class Hunt:
    """One search for a turn that wins by threats alone.

    None is found once it has looked at `most` tables, or `stopped` tells that somebody wants the
    turn now.
    """

    def __init__(self, hunter: int, most: int, stopped: Callable[[], bool] = nobody) -> None:
        self._hunter = hunter
        self._left = most
        self._stopped = stopped

    def turn(self, tables: Sequence[Table], depth: int) -> Turn | None:
        """Return a turn that wins in every world within so many turns, if one is seen.

        There is a table for each world; `depth` counts turns of the hunter, two or more.
        """
        first, *others = tables
        if not _may_hunt(first):
            return None
        try:
            for turn in self._winning(first, depth):
                if all(self._wins(table, turn, depth) for table in others):
                    return turn
        except _Exhausted:
            pass
        return None

    def _winning(self, table: Table, depth: int) -> Iterator[Turn]:
        """Yield turns that win within so many turns; the hunter is to act."""
        free = flips(table)
        for turn in self._threats(table):
            savers = self._savers(self._whole(table, turn), depth)
            saver = next(savers, None)
            if saver is None:
                yield from _with_flips(turn, free)
            elif turn[0] == MOVE and all(other == saver for other in savers):
                # The only piece that saves it may be able to no more once it is flipped.
                flip = turn[2] if saver == turn[1] else saver
                if saver in free and self._wins(table, (*turn[:3], flip), depth):
                    yield (*turn[:3], flip)

    def _wins(self, table: Table, turn: Turn, depth: int) -> bool:
        """Return whether a threat wins within so many turns, this one included."""
        after = self._whole(table, turn)
        return self._threatens(after) and next(self._savers(after, depth), None) is None

    def _threats(self, table: Table) -> Iterator[Turn]:
        """Yield the turns that threaten the last true piece, without their flips."""
        prey = _last(table, 1 - self._hunter)
        if prey < 0:
            return
        strikes = _strikes(table, prey)
        blocking = strikes[_BISHOP] | strikes[_ROOK]
        for turn in _still(table):
            kind, a, b, check = turn
            if kind == MEMORY or check > 0:
                continue
            onto = kind > CAPTURE
            cell = a if onto else table.cells[a]
            aimed = TRUE[cell] and strikes[UP[cell]] >> b & 1
            opened = not onto and blocking >> a & 1
            if (aimed or opened or b == prey) and self._threatens(self._whole(table, turn)):
                yield turn

    def _threatens(self, table: Table) -> bool:
        """Return whether the last true piece is attacked, or lies in its owner's hand."""
        prey = _last(table, 1 - self._hunter)
        return prey < 0 or bool(_attackers(table, prey))

    def _savers(self, table: Table, depth: int) -> Iterator[int]:
        """Yield where the pieces come from whose turns save the last true piece, -1 for a drop."""
        for first, after in self._answered(table):
            if not self._lost(after, depth - 1):
                yield first

    def _answered(self, table: Table) -> Iterator[tuple[int, Table]]:
        """Yield where each turn leads that may save it, with the square it came from or -1."""
        if table.awaited == HAND:
            for turn in answers(table):
                after = table.made(turn)
                if turn[0] != DECIDE or turn[1] or after.true[table.side]:
                    yield from ((-1, then) for _, then in self._answered(after))
        elif table.over_limit:
            yield from ((-1, self._whole(table, turn)) for turn in drops(table))
        else:
            for turn in _defences(table):
                yield (turn[1] if turn[0] <= CAPTURE else -1), self._whole(table, turn)

    def _lost(self, table: Table, depth: int) -> bool:
        """Return whether the hunter now takes the last true piece within so many turns."""
        while table.awaited == HAND:
            refuse = [*answers(table)][-1]
            if TRUE_PIECES >> refuse[2] & 1:
                return False
            table = table.made(refuse)
        if table.lost >= 0:
            return table.lost != self._hunter
        if table.over_limit:
            return False
        prey = _last(table, 1 - self._hunter)
        if prey < 0:
            return False
        if _attackers(table, prey):
            return True
        return depth > 1 and any(True for _ in self._winning(table, depth))

    def _whole(self, table: Table, turn: Turn) -> Table:
        """Return the table once a turn is complete; what dice bring changes nothing here."""
        self._left -= 1
        if self._left < 0 or (not self._left & _STOP_MASK and self._stopped()):
            raise _Exhausted
        after = table.made(turn)
        return after.complete(0) if after.side == table.side else after


def _attackers(table: Table, prey: int) -> int:
    """Return the squares of the true pieces that could capture a true piece, as a set."""
    cells, attackers = table.cells, 0
    owner = OWNER[cells[prey]]
    for face, squares in enumerate(_strikes(table, prey)):
        for square in squares_in(squares & occupied_of(cells)):
            cell = cells[square]
            if TRUE[cell] and UP[cell] == face and OWNER[cell] != owner:
                attackers |= 1 << square
    return attackers


def _defences(table: Table) -> Iterator[Turn]:
    """Yield the turns that may save the last true piece of the side to act, which is attacked."""
    cells, hunter = table.cells, 1 - table.side
    prey = _last(table, table.side)
    goals = attackers = _attackers(table, prey)
    for square in squares_in(attackers):
        if UP[cells[square]] >= _BISHOP:
            lines, occupied = lines_of(table.ground)[UP[cells[square]]], occupied_of(cells)
            between = lines[prey].reached(occupied).covered
            goals |= between & lines[square].reached(occupied).covered
    crowded = table.hands[hunter].bit_count() + 1 >= table.true[hunter]
    for turn in _still(table):
        kind, a, b, check = turn
        if kind == MEMORY:
            if DOWN[cells[a]] == DOWN[cells[b]]:
                yield turn
        elif (
            goals >> b & 1
            or (kind <= CAPTURE and a == prey)
            or (kind == CAPTURE and crowded and not check)
        ):
            yield turn


def _may_hunt(table: Table) -> bool:
    """Return whether the side to act may do what it likes against a last true piece."""
    last = table.true[1 - table.side] == 1
    return last and not (table.awaited or table.over_limit or table.first)


def _still(table: Table) -> Iterator[Turn]:
    """Yield the turns without the flips that come with them."""
    yield from ((MOVE, a, b, -1) for a, b in quiet(table))
    yield from beside_moves(table)


def _with_flips(turn: Turn, free: list[int]) -> Iterator[Turn]:
    """Yield the whole turns that begin with this one, by the squares that may be flipped."""
    if turn[0] != MOVE or not free:
        yield turn
    else:
        _, a, b, _ = turn
        yield from ((MOVE, a, b, b if square == a else square) for square in free)


def _strikes(table: Table, goal: int) -> list[int]:
    """Return by face the squares from which it could capture on a square."""
    occupied = occupied_of(table.cells)
    return [lines[goal].reached(occupied).covered for lines in lines_of(table.ground)]


def _last(table: Table, side: int) -> int:
    """Return the square of a side's first true piece on the board, -1 without one."""
    for square, cell in enumerate(table.cells):
        if cell and TRUE[cell] and OWNER[cell] == side:
            return square
    return -1
