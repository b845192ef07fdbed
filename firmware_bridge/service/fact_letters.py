"""How the facts of a game are told by letters."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from firmware_bridge.distance.letters import Kind, Letter
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import release
from firmware_bridge.messages import FactTold, Input, Wished
from firmware_bridge.messages.records import Record, RecordKind
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.referee.fact_forms import told
from firmware_bridge.referee.facts import SAID, facts
from firmware_bridge.service.friend_heard import of_kind, told_in
from firmware_bridge.table import Table

_LETTERS: Mapping[RecordKind, Kind] = {
    "taken": "turn",
    "attempt": "ruling",
    "call": "answer",
    "flag": "end",
}
_HIDING: Mapping[RecordKind, Kind] = {
    **_LETTERS,
    "pledged": "commitment",
    "put": "turn",
    "taken": "reveal",
}
"""In which kind of letter each kind of fact is told; where pieces hide something, a turn in two."""


class Place(Protocol):
    """Where a game goes on: on the board, or aside."""

    @property
    def table(self) -> Table:
        """What is on it now."""

    @property
    def kept(self) -> RecordedGame:
        """The game as far as it is on disk."""

    def now(self) -> float:
        """Return the host's monotonic time."""

    async def submit(self, item: Input, /) -> object:
        """Let something be told of the game."""


def numbers(letters: Iterable[Any]) -> list[int]:
    """Return the numbers of the facts that letters tell."""
    told_in = (each.letter.body.get("fact") for each in letters)
    return [number for number in told_in if isinstance(number, int)]


def letter_of(number: int, fact: Record, *, hides: bool) -> tuple[Kind, dict[str, object]]:
    """Return the kind and the body of the letter that tells a fact."""
    kind = (_HIDING if hides else _LETTERS)[fact.kind]
    return kind, {"fact": number, "data": told(fact.kind, fact.data, hides=hides)}


def fact_in(letter: Letter, line: str, now: float, *, hides: bool) -> FactTold | None:
    """Return the fact that a letter tells, if it is about one."""
    number, data = letter.body.get("fact"), letter.body.get("data")
    letters = _HIDING if hides else _LETTERS
    kinds: dict[str, RecordKind] = {of: kind for kind, of in letters.items()}
    kind = kinds.get(letter.kind)
    if kind is None or not isinstance(data, dict) or type(number) is not int or number < 1:
        return None
    return FactTold(now, line, number, kind, data)


class Objection(NamedTuple):
    """What was told cannot be.

    Attributes:
        why: as a key of words.
        runs: the release of who has told it; by its rules it may be right.
    """

    why: str
    runs: str


async def take_in(place: Place, letters: Line, name: str) -> Objection | None:
    """Let the facts stand that have come, as far as the board is ready for them.

    Returns:
        Why one of them cannot be, or `None`. What follows it waits, too.
    """
    known = facts(place.table.records)
    hides = place.table.agreement.terms().hides
    heard: set[int] = set()
    for came, runs in told_in(letters):
        fact = fact_in(came.letter, name, place.now(), hides=hides)
        if fact is None:
            continue
        if place.table.agreement.line != name:
            return None  # another game has begun meanwhile
        if fact.number > len(known):
            if not place.table.distant.ready_for(fact.kind):
                return None
            why = place.table.distant.objection(fact)
            if why is None:
                await place.submit(fact)
                known = facts(place.table.records)
            if fact.number > len(known):  # if nothing is wrong it could not be kept
                return Objection(why, runs) if why else None
        elif runs == release() and (
            why := _against(fact, known[fact.number - 1], heard, hides=hides)
        ):
            return Objection(why, runs)  # another release may tell in its own form what stands
        heard.add(fact.number)
    return None


def _against(fact: FactTold, same: Record, heard: Container[int], *, hides: bool) -> str | None:
    """Return why what is told of a fact that stands cannot be, as a key of words, or `None`."""
    if fact.number in heard:
        return "lie-again"
    before = same.kind, told(same.kind, same.data, hides=hides)
    return None if (fact.kind, fact.data) == before else "lie-history"


async def hear_wish(place: Place, letters: Line, name: str) -> None:
    """Let stand what the player far away has said, if it is this host that decides on it."""
    for claim in of_kind(letters.taken, "claim")[-1:]:
        says, after = claim.get("says"), claim.get("after")
        if says in SAID and isinstance(after, int):
            wish = Wished(place.now(), name, str(says), after)
            if place.table.distant.minds(wish):
                await place.submit(wish)
