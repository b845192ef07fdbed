"""Turns that win at once, and turns after which no answer saves the last true piece.

No flip saves it and none endangers it: a true piece shows the same face either way, and a flip
moves nothing. So the opponent's answers are looked at without their flips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.opponents.games.reality_check.table import (
    DECIDE,
    HAND,
    MOVE,
    OWNER,
    TRUE,
    TRUE_PIECES,
    UP,
)
from firmware_bridge.opponents.games.reality_check.turns import (
    answers,
    beside_moves,
    captures,
    drops,
    flips,
    quiet,
    turns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from firmware_bridge.opponents.games.reality_check.table import Table, Turn


_MOST = 8
"""How many ways out a turn may leave to be looked into."""


def on_all(tables: Iterable[Table], winning: Callable[[Table], Iterator[Turn]]) -> Turn | None:
    """Return a turn that wins on all these tables, if there is one."""
    left: set[Turn] | None = None
    for table in tables:
        here = set(winning(table))
        left = here if left is None else left & here
        if not left:
            return None
    return min(left) if left else None


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


def in_two(table: Table) -> Iterator[Turn]:
    """Yield turns after which every answer leaves a capture of the opponent's last true piece."""
    if not _hunting(table):
        return
    free = flips(table)
    for turn in _still(table):
        after = _whole(table, turn)
        if not _threatens(after, table.side):
            continue
        saving = _saving(after, table.side)
        if not saving:
            yield from _with_flips(turn, free)
        elif turn[0] == MOVE and len(saving) == 1:
            # The only piece that could save it may be able to no more once it is flipped.
            (saver,) = saving
            flip = turn[2] if saver == turn[1] else saver
            if saver in free and not _saving(table.made((*turn[:3], flip)), table.side):
                yield (*turn[:3], flip)


def in_three(table: Table) -> Iterator[Turn]:
    """Yield turns that threaten the last true piece, so that whatever saves it loses in two.

    The flips that come with what saves it are left aside, so it may come otherwise.
    """
    if _hunting(table):
        free = flips(table)
        for turn in _still(table):
            after = _whole(table, turn)
            if not _threatens(after, table.side):
                continue
            left = [
                then for _, then in _answered(after, table.side) if not _loses(then, table.side)
            ]
            if len(left) <= _MOST and all(any(True for _ in in_two(then)) for then in left):
                yield from _with_flips(turn, free)


def _hunting(table: Table) -> bool:
    """Return whether the side to act may do what it likes against a last true piece."""
    last = table.true[1 - table.side] == 1
    return last and not (table.awaited or table.over_limit or table.first)


def _whole(table: Table, turn: Turn) -> Table:
    """Return the table once a turn is complete; what dice bring changes nothing here."""
    after = table.made(turn)
    return after.complete(0) if after.side == table.side else after


def _still(table: Table) -> Iterator[Turn]:
    """Yield the turns without the flips that come with them."""
    yield from ((MOVE, a, b, -1) for a, b in quiet(table))
    yield from beside_moves(table)


def _with_flips(turn: Turn, free: list[int]) -> Iterator[Turn]:
    if turn[0] != MOVE or not free:
        yield turn
    else:
        _, a, b, _ = turn
        yield from ((MOVE, a, b, b if square == a else square) for square in free)


def _threatens(table: Table, side: int) -> bool:
    """Return whether the last true piece of the other side is attacked, or lies in his hand."""
    last = _last(table, 1 - side)
    return last < 0 or _reaches(table, side, last)


def _saving(table: Table, side: int) -> set[int]:
    """Return the squares of the pieces that can save the last true piece, -1 for a drop.

    Args:
        table: the opponent is to act.
        side: who threatens it.
    """
    saving: set[int] = set()
    for first, after in _answered(table, side):
        if not _loses(after, side):
            saving.add(first)
            if len(saving) > 1:
                break
    return saving


def _answered(table: Table, side: int) -> Iterator[tuple[int, Table]]:
    """Yield where each whole turn of the opponent leads, with the square it came from or -1."""
    if table.awaited == HAND:
        for turn in answers(table):
            after = table.made(turn)
            if turn[0] == DECIDE and not turn[1] and not after.true[table.side]:
                continue  # he gives up his last one
            yield from ((-1, then) for _, then in _answered(after, side))
        return
    if table.over_limit:
        yield from ((-1, table.made(turn)) for turn in drops(table))
        return
    for turn in _still(table):
        yield (turn[1] if turn[0] <= 1 else -1), _whole(table, turn)


def _loses(table: Table, side: int) -> bool:
    """Return whether a side, whose turn it is, can now capture the last true piece."""
    other = 1 - side
    if table.lost >= 0:
        return table.lost == other
    while table.awaited == HAND:
        refuse = [*answers(table)][-1]
        if TRUE_PIECES >> refuse[2] & 1:
            return False
        table = table.made(refuse)
    if table.over_limit:
        return False
    last = _last(table, other)
    return last >= 0 and _reaches(table, side, last)


def _last(table: Table, side: int) -> int:
    """Return the square of a side's first true piece on the board, -1 without one."""
    for square, cell in enumerate(table.cells):
        if cell and TRUE[cell] and OWNER[cell] == side:
            return square
    return -1


def _reaches(table: Table, side: int, goal: int) -> bool:
    """Return whether a true piece of a side could capture on a square."""
    cells, taking = table.cells, table.ground.taking
    for square, cell in enumerate(cells):
        if cell and TRUE[cell] and OWNER[cell] == side:
            for ray in taking[UP[cell]][square]:
                if goal in ray:
                    for target in ray:
                        if target == goal:
                            return True
                        if cells[target]:
                            break
    return False
