"""Every legal turn of a table, and how turns are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from firmware_bridge.opponents.games.reality_check.packed_table import (
    CAPTURE,
    DECIDE,
    DROP,
    FACES_OF,
    FLIP,
    GIVE_UP,
    HAND,
    MEMORY,
    MOVE,
    OWNER,
    PIECE,
    ROLL,
    SACRIFICE,
    THROW,
    TRUE,
    TRUE_PIECES,
    UP,
    Ground,
    Table,
    Turn,
    cell_of,
    pieces_in,
)
from rules.games.reality_check.discs import FACES, NAMES


def turns(table: Table) -> Iterator[Turn]:
    """Yield every legal turn of a table on which both sides have a true piece."""
    if table.awaited:
        yield from answers(table)
    elif table.over_limit:
        yield from drops(table)
    else:
        yield from flipping_moves(table)
        if not table.first:
            yield from beside_moves(table)


def beside_moves(table: Table) -> Iterator[Turn]:
    """Yield the legal turns that are no moves, where no decision and no drop is due."""
    yield from captures(table)
    yield from drops(table)
    if table.ground.rules.memory:
        theirs = [q for q, cell in enumerate(table.cells) if cell and OWNER[cell] != table.side]
        names = table.ground.squares
        theirs.sort(key=names.__getitem__)
        yield from ((MEMORY, a, b, 0) for a, b in combinations(theirs, 2))


def flipping_moves(table: Table) -> Iterator[Turn]:
    """Yield the moves without capture, each with each flip where the mover chooses one."""
    free = flips(table)
    for a, b in quiet(table):
        if table.first or not free:
            yield MOVE, a, b, -1
        for square in free:
            yield MOVE, a, b, b if square == a else square


def flips(table: Table) -> list[int]:
    """Return the squares of the pieces that may be flipped with a move; none with dice."""
    rules = table.ground.rules
    if rules.dice or (table.first and not rules.first_flip):
        return []
    frozen = table.frozen
    return [q for q, cell in enumerate(table.cells) if cell and not frozen >> q & 1]


def quiet(table: Table) -> Iterator[tuple[int, int]]:
    """Yield the moves without capture, as (from, to)."""
    cells, side, rays = table.cells, table.side, table.ground.quiet
    for a, cell in enumerate(cells):
        if cell and OWNER[cell] == side:
            for ray in rays[UP[cell]][a]:
                for b in ray:
                    if cells[b]:
                        break
                    yield a, b


def captures(table: Table) -> Iterator[Turn]:
    """Yield the captures, each of the opponent's pieces without and with a Reality Check."""
    cells, side, rays = table.cells, table.side, table.ground.taking
    held, most = table.hands[side].bit_count(), table.true[side] - 1
    retreat = table.ground.rules.retreat and held < most
    for a, cell in enumerate(cells):
        if not cell or OWNER[cell] != side:
            continue
        for ray in rays[UP[cell]][a]:
            for b in ray:
                if cells[b]:
                    if OWNER[cells[b]] != side:
                        yield CAPTURE, a, b, 0
                        yield CAPTURE, a, b, 1
                    elif retreat:
                        yield CAPTURE, a, b, 0
                    break


def drops(table: Table) -> Iterator[Turn]:
    """Yield the drops, either face up."""
    side, cells = table.side, table.cells
    for piece in pieces_in(table.hands[side]):
        for up in sorted(set(FACES_OF[piece])):
            cell = cell_of(side, piece, up)
            yield from ((DROP, cell, b, 0) for b in table.homes[side] if not cells[b])


def answers(table: Table) -> Iterator[Turn]:
    """Yield the answers to what is awaited."""
    side = table.side
    if table.awaited == HAND:
        piece = pieces_in(table.pending)[0]
        yield DECIDE, 1, piece, 0
        yield DECIDE, 0, piece, 0
    elif table.awaited == GIVE_UP:
        mine = (PIECE[cell] for cell in table.cells if TRUE[cell] and OWNER[cell] == side)
        for piece in chain(mine, pieces_in(table.hands[side] & TRUE_PIECES)):
            yield SACRIFICE, piece, 0, 0
    elif table.awaited == THROW:
        others: Iterable[int] = range(1, 7) if table.ground.rules.dice == 2 else (0,)
        yield from ((ROLL, die, other, 0) for die in range(1, 7) for other in others)
    else:
        for square in table.meeting(table.dice[0], table.flipped):
            yield FLIP, square, 0, 0


def written(ground: Ground, turn: Turn) -> str:  # noqa: PLR0911 - one return a kind of turn
    """Return the canonical text of a turn."""
    kind, a, b, c = turn
    names = ground.squares
    if kind == MOVE:
        return names[a] + names[b] + (f"/{names[c]}" if c >= 0 else "")
    if kind == CAPTURE:
        return f"{names[a]}x{names[b]}{'!' * c}"
    if kind == DROP:
        one, other = FACES_OF[PIECE[a]]
        return f"{FACES[UP[a]]}{FACES[other if UP[a] == one else one]}@{names[b]}"
    if kind == MEMORY:
        return f"?{names[a]},{names[b]}"
    if kind == DECIDE:
        return f"{'keep' if a else 'refuse'}:{NAMES[b]}"
    if kind == SACRIFICE:
        return f"sacrifice:{NAMES[a]}"
    if kind == ROLL:
        return f"roll:{a},{b}" if b else f"roll:{a}"
    return f"flip:{names[a]}"
