"""How strong a computer is for whoever comes next."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.players import computer, computers
from firmware_bridge.journal import JournalDamaged, StorageFailed, Summary
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.service.game_archive import Archive
from rules.interface import Side

_LOG = logging.getLogger(__name__)

FIRST_LEVEL = LEVELS[0]
"""What whoever comes first meets: the levels are far apart."""


def level_after(games: Iterable[Summary]) -> int:
    """Return how strong the next opponent is: a win is one up, two defeats in a row are one down.

    It follows from the games that are over, so it needs no memory of its own. The newest come
    first.
    """
    results = (result for game in games if (result := _result(game)))
    level, came = last = next(results, (FIRST_LEVEL, "drawn"))
    if came == "won":
        return min(level + 1, LEVELS[-1])
    if came == "lost" and next(results, None) == last:
        return max(level - 1, LEVELS[0])
    return level


async def at_fair_level(agreed: Agreement, archive: Archive) -> Agreement:
    """Return an agreement with a person's computer at the level that the results suggest."""
    if agreed.puzzle or len(agreed.computers) != 1:
        return agreed
    try:
        results = await archive.finished()
    except (JournalDamaged, StorageFailed) as error:
        _LOG.error("results cannot be read, levels stay as they are: %s", error)
        return agreed
    level = computer(level_after(results))
    players = {
        side: level if side in agreed.computers else name for side, name in agreed.players.items()
    }
    return replace(agreed, players=players)


def _result(game: Summary) -> tuple[int, str] | None:
    """Return the computer's level and what came of it for the person, if there was one of each."""
    if game.agreement.get("puzzle") or game.agreement.get("away"):
        return None
    seated = computers(cast("Mapping[Side, str]", game.agreement.get("players") or {}))
    if len(seated) != 1:
        return None
    ((side, level),) = seated.items()
    winner = game.last.get("winner")
    return level, "drawn" if winner is None else "lost" if winner == side else "won"
