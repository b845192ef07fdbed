"""Which games can be played: those whose rules, data file and words are all there."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache

from firmware_bridge.words.catalogue import hold_said
from rules import UnusableGame, registry
from rules.interface import Game

_LOG = logging.getLogger(__name__)


@cache
def usable() -> Mapping[str, type[Game]]:
    """Return the games that can be played, by id: one that cannot is logged once, and left out."""
    found = {}
    for game in registry.ids():
        try:
            hold_said(game)
            found[game] = registry.find(game)
        except UnusableGame as error:
            _LOG.error("a game is left out: %s", error)
    return found
