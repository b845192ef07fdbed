"""The set-up check: do the pieces stand as a game starts, as far as the board shows it?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_bridge.reconciler import Reconciler
from firmware_bridge.reconciler.identities import label_of_kind
from firmware_bridge.table.announcer import Announcer
from firmware_bridge.table.game_log import GameLog
from firmware_bridge.table.tokens import Tokens, label_read
from firmware_bridge.views.table_facts import SetUp
from rules.interface import Game, InvalidPosition, Label, Position, Square

BEGUN = ("in-progress", "complete", "extendable", "choice")
"""Verdicts on a board on which a turn may have been begun."""
REARRANGED = 3
"""Squares that must have been wrong at once before a start that is set up means another game, where
no turn was made: a king lifted and put back must not hide how the game ended."""


def is_begun(log: GameLog, tokens: Tokens, judge: Callable[[], Reconciler]) -> bool:
    """Return whether a first turn seems to be begun, by what everybody may be told of it.

    It is asked where a start stood before the service stopped; `judge` makes a judge of the board.
    """
    stood = log.state.stage == "set-up" and any(one.kind == "set-up" for one in log.records)
    return stood and Announcer(log, judge(), tokens.sensing).verdict.kind in BEGUN


def start_shown(
    log: GameLog, tokens: Tokens, agreed: Position | None, known: Position | None = None
) -> SetUp:
    """Compare the board with the start; of the pieces only what everyone sees of them counts.

    `agreed` is another start than the game's own, `known` one that the board has shown before.
    """
    terms, state = log.terms, log.state
    bound = terms.hides and terms.here in state.pledges
    agreed = state.position if bound else agreed
    hidden = tokens.start_in(agreed or state.position) if agreed or terms.hides else {}
    for made in state.commitments.values():
        hidden |= made.pieces
    start = agreed or known or terms.game.start()
    found = _check(terms.game, start, agreed, tokens, hidden)
    if terms.hides and terms.game.free_start and terms.away not in state.pledges:
        return _own_half(found, log)
    if not bound or found.position is None:
        return found
    due = state.position.placement
    other = tuple(s for s, label in found.position.placement.items() if label != due[s])
    return replace(found, position=None, missing=other) if other else found


def _check(
    game: Game,
    start: Position,
    agreed: Position | None,
    tokens: Tokens,
    hidden: Mapping[Square, Label],
) -> SetUp:
    """Compare the board with a start; `hidden` are pieces that only a token stands for."""
    squares = {cell: reading for cell, reading in tokens.standing.items() if cell in game.squares}
    felt = {cell: label_read(tokens.faces, reading) for cell, reading in squares.items() if reading}
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


def _own_half(found: SetUp, log: GameLog) -> SetUp:
    """Leave out what the other player has yet to choose."""
    away = log.terms.away or ""
    theirs = {s for s, x in log.state.position.placement.items() if x[0] == away[0]}
    missing = tuple(square for square in found.missing if square not in theirs)
    return replace(found, position=None, missing=missing)
