"""What a mind that forgets believes: that pieces whose undersides it forgot lie otherwise."""

from __future__ import annotations

from random import Random

from firmware_bridge.opponents.games.reality_check.packed_table import (
    FACES_OF,
    OWNER,
    PIECE,
    UP,
    Table,
    cell_of,
    pieces_in,
)

_TRIES = 20
"""A choice: where no try fits the faces that are up, nothing is forgotten this once."""


def faded(table: Table, memory: float, rng: Random) -> Table:
    """Return a table on which some of the opponent's pieces have changed undersides.

    `memory`, 0 to 1, is how likely the underside of each piece is remembered.
    """
    other = 1 - table.side
    theirs = [q for q, cell in enumerate(table.cells) if cell and OWNER[cell] == other]
    forgotten = [square for square in theirs if rng.random() > memory]
    if not forgotten:
        return table
    pieces = [PIECE[table.cells[square]] for square in forgotten] + pieces_in(table.hands[other])
    for _ in range(_TRIES):
        rng.shuffle(pieces)
        if all(
            UP[table.cells[square]] in FACES_OF[piece]
            for square, piece in zip(forgotten, pieces, strict=False)
        ):
            return _dealt(table, forgotten, pieces)
    return table


def _dealt(table: Table, squares: list[int], pieces: list[int]) -> Table:
    """Return the table with these pieces on the squares, and those left over in hand."""
    other = 1 - table.side
    new = table.recalled()
    for square, piece in zip(squares, pieces, strict=False):
        new.cells[square] = cell_of(other, piece, UP[table.cells[square]])
    hand = sum(1 << piece for piece in pieces[len(squares) :])
    new.hands = (table.hands[0], hand) if other else (hand, table.hands[1])
    return new
