"""The answers to a question, each with the words for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from firmware_bridge.games import lore
from firmware_bridge.views.types import Announcement, Choice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.interface import Position, Turn


def choices(position: Position, turns: Iterable[Turn], *, public: bool) -> tuple[Choice, ...]:
    """Return the answers that these turns are.

    Args:
        position: where they are legal.
        turns: the alternatives.
        public: leave out every turn whose text holds a secret.
    """
    return tuple(
        Choice(str(turn), label(position, turn))
        for turn in turns
        if not public or turn.public == str(turn)
    )


def label(position: Position, turn: Turn) -> Announcement:
    """Return how to call a turn among its alternatives.

    The game's data file has words for its usual choices (`[[choices]]`); any other turn is called
    as people write it.
    """
    for choice in lore.of(position.game.id).choices:
        found = re.fullmatch(choice.turn, str(turn))
        if found:
            return Announcement(choice.key, lore.named(found))
    return Announcement("choice-turn", {"turn": position.written(turn)})
