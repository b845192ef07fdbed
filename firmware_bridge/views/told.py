"""All that the mind in a seat is ever told of a game: what its player may know, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.messages.records import Record
from firmware_bridge.referee.game_state import State
from rules.belief import Knowledge, Seen
from rules.interface import Side


@dataclass(frozen=True, slots=True)
class Attempted:
    """A movement that the game's own referee ruled on, in front of all."""

    move: str


@dataclass(frozen=True, slots=True)
class Told:
    """What a seat was told, from the first turn that stands on.

    Attributes:
        start: what its player may know of the position before that turn.
        events: the turns that stand, each as he may know it, and what was ruled on between them.
    """

    start: Knowledge
    events: tuple[Seen | Attempted, ...] = ()


def told(state: State, records: Iterable[Record], side: Side) -> Told:
    """Return what the mind in one seat may be told: a turn taken back was never seen."""
    first = state.first
    events: list[tuple[int, Seen | Attempted]] = [
        (entry.t_ms, entry.before.seen(entry.turn, side)) for entry in state.played
    ]
    if state.own is not None:
        events += [
            (record.t_ms, Attempted(str(record.data["move"])))
            for record in records
            if record.kind == "attempt" and record.data.get("move")
        ]
    events.sort(key=lambda event: event[0])
    return Told(first.knowledge(side), tuple(event for _, event in events))
