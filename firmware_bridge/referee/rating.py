"""Whether a game counts in its players' records: who plays, how, and at what clock."""

from __future__ import annotations

from firmware_bridge.games import metadata
from firmware_bridge.referee.game_state import State, Terms
from rules.values import SIDES


def rated(terms: Terms, state: State) -> bool:
    """Return whether the game, played to an end from here without more help, is rated.

    Two people play it, nobody is helped, and the thinking time is one at which the game is rated.
    """
    helped = terms.record or terms.practice or terms.coach or any(map(state.hints_given, SIDES))
    return not (terms.elsewhere or terms.puzzle or helped) and _has_its_time(terms)


def _has_its_time(terms: Terms) -> bool:
    limits = metadata.of(terms.game.id).rated
    if limits is None:
        return True
    totals = (sum(period.base_ms for period in terms.control.of(side)) for side in SIDES)
    return all(limits.least * 60_000 <= ms <= limits.most * 60_000 for ms in totals)
