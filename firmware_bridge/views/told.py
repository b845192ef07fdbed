"""All that the mind in a seat is ever told of a game: what its player may know, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.views.facts import Facts
    from rules.belief import Knowledge, Seen
    from rules.interface import Side


@dataclass(frozen=True, slots=True)
class Told:
    """What a seat was told, from the first turn that stands on.

    Attributes:
        start: what its player may know of the position before that turn.
        turns: the turns that stand, each as he may know it.
    """

    start: Knowledge
    turns: tuple[Seen, ...] = ()


def told(facts: Facts, side: Side) -> Told:
    """Return what the mind in one seat may be told: a turn taken back was never seen."""
    played = facts.state.played
    first = played[0].before if played else facts.state.position
    return Told(
        first.knowledge(side), tuple(entry.before.seen(entry.turn, side) for entry in played)
    )
