"""How strong a computer is for whoever comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from firmware_bridge.config.players import computers
from firmware_bridge.opponents.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from firmware_bridge.journal import Summary
    from rules.interface import Side

FIRST_LEVEL = LEVELS[0]
"""What whoever comes first meets: the levels are far apart."""


def level_after(games: Iterable[Summary]) -> int:
    """Return how strong the next opponent is: a win is one up, two defeats in a row are one down.

    It follows from the games that are over, so it needs no memory of its own.

    Args:
        games: games that are over, the newest first.
    """
    results = (result for game in games if (result := _result(game)))
    level, came = last = next(results, (FIRST_LEVEL, "drawn"))
    if came == "won":
        return min(level + 1, LEVELS[-1])
    if came == "lost" and next(results, None) == last:
        return max(level - 1, LEVELS[0])
    return level


def _result(game: Summary) -> tuple[int, str] | None:
    """Return the computer's level and what came of it for the person, if there was one of each."""
    seated = computers(cast("Mapping[Side, str]", game.agreement.get("players") or {}))
    if len(seated) != 1 or game.agreement.get("puzzle"):
        return None
    ((side, level),) = seated.items()
    winner = game.last.get("winner")
    return level, "drawn" if winner is None else "lost" if winner == side else "won"
