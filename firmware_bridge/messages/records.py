"""What is written down of a game: every fact that changed it, enough to rebuild it exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

RecordKind = Literal[
    "begun",  # the agreement before the game: game, options, settings, players
    "seeded",  # a number that nobody else knows, which salts and dice follow from
    "pledged",  # a host has bound itself to what its pieces hide, in a game with somebody far away
    "committed",  # what a computer's pieces hide was drawn, with a nonce; its hash is public
    "set-up",  # the position the game starts from
    "arranged",  # which pieces stand where, of those that look alike
    "sides",  # which way up discs lie: the tag that each shows to its reader
    "put",  # a turn was made whose effect the host far away must tell; then it stands
    "taken",  # a turn stands
    "amended",  # the turn before was another one after all
    "taken-back",  # the last turn was undone on the board
    "attempt",  # the board showed something illegal
    "ruled",  # what an attempt cost, and in which words, for readers; it follows from the attempt
    "disturbed",  # after a gap the board shows something else; the clocks wait until it is right
    "restored",  # the board shows the position again
    "call",  # what a player or the arbiter said: start, offers, claims, pause, corrections
    "hinted",  # the hint that a player had asked for, or that there is none
    "kings",  # the kings in the centre told the result
    "flag",  # a flag fell
    "asked",  # what a player said while the host far away had the word; it decides on it
    "line",  # the line to somebody far away is out, so that clocks wait, or there again
    "audited",  # what the host far away had hidden is open, and was gone through
    "opened",  # somebody opened the referee's page, and could see everything
    "seated",  # somebody took a side's seat with a phone, or left it
    "weakened",  # a computer failed so often that it plays on at the lowest level
    "piped",  # lines that a computer's process was told, and what it answered, word for word
    "beat",  # nothing happened, but a clock ran this far
    "reopened",  # the service came back after it had stopped in mid-game
    "ended",  # the result, for readers; it follows from the records before
]

BESIDE: tuple[RecordKind, ...] = ("opened", "seated", "piped", "audited")
"""What happens beside a game and does not carry it on, before it begins and after its end too."""

UNTOLD: tuple[RecordKind, ...] = ("beat", "piped", "seeded")
"""What no list of a game's events tells: nothing happened then at the table."""

_BEFORE_PLAY = {"begun", "seeded", "committed", "set-up", "arranged", "reopened", *BESIDE}


def before_play(records: tuple[Record, ...]) -> bool:
    """Return whether nothing has happened yet in a game: nobody misses it."""
    return all(record.kind in _BEFORE_PLAY for record in records)


def is_over(records: tuple[Record, ...]) -> bool:
    """Return whether a game has ended, whatever has happened beside it since."""
    return next((r.kind for r in reversed(records) if r.kind not in BESIDE), "") == "ended"


@dataclass(frozen=True, slots=True)
class PhoneSeat:
    """A side's seat at a phone.

    Attributes:
        claims: how often it has been taken.
        taken: whether somebody holds it now.
    """

    claims: int = 0
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """One fact. `t_ms` is table time: milliseconds since the table was opened, pauses included.

    Attributes:
        t_ms: when; never less than in the record before.
        data: its details, of JSON values only.
    """

    t_ms: int
    kind: RecordKind
    data: Mapping[str, object] = field(default_factory=dict)
