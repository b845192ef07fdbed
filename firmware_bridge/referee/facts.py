"""What the two hosts of one game agree on: facts in one order, each written by who has the word.

The word is with the host of the side to act. It lets its own player's turns and attempts stand at
once, and decides on what the other host's player says (an offer, a claim, to give up): so no two
facts ever cross on the way, and both hosts fold the same facts to the same state. How a board comes
to show them is each host's own affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from firmware_bridge.messages.records import Record, RecordKind
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.referee.game_state import State, Terms
from rules.interface import Side
from rules.values import SIDES, opponent

KINDS: tuple[RecordKind, ...] = ("pledged", "put", "taken", "attempt", "flag", "call")
"""Kinds of records that are facts; of calls those that are for both players."""
_OF_ONE_BOARD = {"press", "adjust", "hint", "roll", "distrust"}
SAID = tuple(
    name for name, kind in CALLS.items() if kind.by != "arbiter" and name not in _OF_ONE_BOARD
)
"""Calls that are for both players."""


def has_word(terms: Terms, state: State) -> bool:
    """Return whether this host decides what happens next in a game with somebody far away."""
    return terms.here == word(terms, state)


def word(terms: Terms, state: State) -> Side:
    """Return whose host tells the next fact: the player's who acts, or the one's it waits for."""
    if terms.hides and (unbound := [side for side in SIDES if side not in state.pledges]):
        return unbound[0]
    return opponent(state.put.side) if state.put else state.position.side


def for_both(state: State, what: str) -> bool:
    """Return whether a call is for both players; to go on after one's own host failed is not."""
    return what in SAID and not (what == "resume" and state.stage == "interrupted")


def as_both_know_it(state: State) -> State:
    """Return the state without what only this host went through, such as a restart."""
    return replace(state, stage="playing") if state.stage == "interrupted" else state


def is_asked(terms: Terms, state: State, what: str) -> bool:
    """Return whether the host of a player far away decides on what is said here."""
    return terms.away is not None and for_both(state, what) and not has_word(terms, state)


def marked(
    terms: Terms, state: State, kind: RecordKind, data: Mapping[str, object], t_ms: int
) -> Mapping[str, object]:
    """Return a record's data with who writes it and how his clock stands, where it is a fact."""
    fact = kind in KINDS and (kind != "call" or for_both(state, str(data["what"])))
    if terms.here is None or "at" in data or not fact:
        return data
    reading = state.clock.reading(terms.here, t_ms)
    return {**data, "at": terms.here, "clock": list(reading)}


def is_private(kind: RecordKind, data: Mapping[str, object]) -> bool:
    """Return whether others must not hear when this was: it has the time of the record before.

    A clock comes back from a power cut as it was when something was written down last.
    """
    return kind == "hinted" or data.get("what") == "adjust"


def facts(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return the facts among a game's records, in order."""
    return tuple(record for record in records if "at" in record.data)


def told_its_time(state: State, data: Mapping[str, object]) -> bool:
    """Return whether a fact's clock has lost what its writer's player has used, and no less."""
    side, reading = cast("Side", data["at"]), cast("list[int]", data["clock"])
    return state.clock.could_read(side, (reading[0], reading[1]), state.position.side)


def takes_time_back(records: Iterable[Record], data: Mapping[str, object]) -> bool:
    """Return whether less is told to be used of a turn than was told before in the same turn."""
    used = cast("list[int]", data["clock"])[1]
    for fact in reversed(facts(records)):
        if fact.kind in ("put", "taken"):
            return False
        if fact.data["at"] == data["at"]:
            return used < cast("list[int]", fact.data["clock"])[1]
    return False


def as_told(state: State, data: Mapping[str, object], t_ms: int) -> State:
    """Return the state with the clock as the fact's writer has read it."""
    side, reading = cast("Side", data["at"]), cast("list[int]", data["clock"])
    return replace(state, clock=state.clock.as_told(side, (reading[0], reading[1]), t_ms))
