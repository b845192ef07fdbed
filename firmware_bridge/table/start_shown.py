"""The start that a board shows, where some pieces are tokens."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.table.game_log import GameLog
from firmware_bridge.table.start_check import check
from firmware_bridge.table.tokens import Tokens
from firmware_bridge.views.table_facts import SetUp
from rules.interface import Position


def start_shown(
    log: GameLog, tokens: Tokens, agreed: Position | None, known: Position | None = None
) -> SetUp:
    """Compare the board with the start; see `check`.

    Args:
        log: what has been written down.
        tokens: what stands on the board.
        agreed: the position agreed on to start from, if another one.
        known: the start that the board has shown before, if it has.
    """
    terms, state = log.terms, log.state
    bound = terms.hides and terms.here in state.pledges
    agreed = state.position if bound else agreed
    hidden = tokens.start_in(agreed or state.position) if agreed or terms.hides else {}
    for made in state.commitments.values():
        hidden |= made.pieces
    found = check(terms.game, agreed, tokens.faces, tokens.standing, known, hidden)
    if terms.hides and terms.game.free_start and terms.away not in state.pledges:
        return _own_half(found, log)
    if not bound or found.position is None:
        return found
    due = state.position.placement
    other = tuple(s for s, label in found.position.placement.items() if label != due[s])
    return replace(found, position=None, missing=other) if other else found


def _own_half(found: SetUp, log: GameLog) -> SetUp:
    """Leave out what the other player has yet to choose."""
    away = log.terms.away or ""
    theirs = {s for s, x in log.state.position.placement.items() if x[0] == away[0]}
    missing = tuple(square for square in found.missing if square not in theirs)
    return replace(found, position=None, missing=missing)
