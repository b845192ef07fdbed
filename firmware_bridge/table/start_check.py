"""The set-up check: do the pieces stand as a game starts?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from drivers.port import Reading
from firmware_bridge.reconciler import Sensing
from firmware_bridge.reconciler.identities import label_of_kind
from firmware_bridge.views.table_facts import SetUp
from rules.interface import Game, InvalidPosition, Label, Position, Square


def check(
    game: Game,
    agreed: Position | None,
    sensing: Sensing,
    standing: Mapping[str, Reading],
    known: Position | None = None,
    hidden: Mapping[Square, Label] = MappingProxyType({}),
) -> SetUp:
    """Compare the board with the start; of the pieces only what everyone sees of them counts.

    Args:
        game: the game, whose own start counts when no position was agreed.
        agreed: the position agreed on to start from, if another one.
        sensing: what the board can feel.
        standing: what its cells read.
        known: the start that the board has shown before, if it has.
        hidden: by square, the pieces of which the board has only a token that shows their face.
    """
    start = agreed or known or game.start()
    squares = {cell: reading for cell, reading in standing.items() if cell in game.squares}
    felt = {cell: label_read(sensing, reading) for cell, reading in squares.items() if reading}
    # A cell that feels a piece but not which one is taken to hold what belongs there; not where
    # players choose, since a guess could be wrong, and tell what stands elsewhere.
    due = {} if game.traits.least_tier == "face" else start.placement
    seen = {cell: label or due.get(cell, "?") for cell, label in felt.items()}
    seen |= {c: x for c, x in hidden.items() if c in seen and game.face(x) == seen[c]}
    position, wrong = _begin(game, seen, agreed)
    # What tells kinds and no single pieces cannot follow a piece that looks like its opponent's.
    kinds = {cell for cell, reading in squares.items() if label_of_kind(reading) is not None}
    if strange := {cell for cell in kinds if seen[cell] != start.placement.get(cell)}:
        position, wrong = None, wrong | strange
    if position is None and len(seen) < len(start.placement):
        wrong |= start.placement.keys() - seen.keys()
    surplus = sorted(wrong & seen.keys() - start.placement.keys())
    missing = sorted(wrong - set(surplus))
    placed = tuple(label for label in felt.values() if label)
    return SetUp(position, tuple(missing), tuple(surplus), bare=not seen, placed=placed)


def _begin(
    game: Game, seen: Mapping[Square, Label], agreed: Position | None
) -> tuple[Position | None, set[Square]]:
    try:
        # A game without a choice of starts need not know what "agreed" means.
        return game.set_up(seen, agreed) if agreed else game.set_up(seen), set()
    except InvalidPosition as error:
        return None, {square for problem in error.problems for square in problem.squares}


def is_start(position: Position) -> bool:
    """Return whether a game begins with this position if nothing else was agreed."""
    try:
        return position.game.set_up(position.placement) == position
    except InvalidPosition:
        return False


def label_read(sensing: Sensing, reading: Reading) -> Label | None:
    """Return what a cell tells of the piece on it, `None` if nothing."""
    if not isinstance(reading, str):
        return None
    return sensing.tags.get(reading) or label_of_kind(reading)
