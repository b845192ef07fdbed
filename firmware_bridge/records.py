"""What is written down of a game: every fact that changed it, enough to rebuild it exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

RecordKind = Literal[
    "begun",  # the agreement before the game: game, options, settings, players
    "set-up",  # the position the game starts from
    "started",  # the first clock runs
    "taken",  # a turn stands
    "amended",  # the turn before was another one after all
    "taken-back",  # the last turn was undone by agreement
    "attempt",  # an illegal attempt, and what the referee ruled
    "restored",  # the board shows the position again
    "adjusting",  # "I adjust" was said, or is over
    "call",  # what a player or the arbiter said: offers, claims, pause, corrections
    "flag",  # a flag fell
    "beat",  # nothing happened, but a clock ran this far
    "ended",  # the result
]


@dataclass(frozen=True, slots=True)
class Record:
    """One fact. `t_ms` is table time: milliseconds since the table was opened, pauses included.

    Attributes:
        t_ms: when; never less than in the record before.
        kind: what sort of fact.
        data: its details, of JSON values only.
    """

    t_ms: int
    kind: RecordKind
    data: Mapping[str, object] = field(default_factory=dict)
