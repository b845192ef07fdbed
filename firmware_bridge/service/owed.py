"""What a host has not yet told the other one of their game: the letter that is due next.

It follows from what was written down of the game and from the letters there are, and from nothing
else: so a host that stopped anywhere, or has another game on its table, still tells all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from firmware_bridge.distance.letters import Kind
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import release
from firmware_bridge.recordings.export import NotYetOpen, RecordedGame, to_pgn
from firmware_bridge.referee.audit import opened_at_end
from firmware_bridge.referee.facts import facts, has_word
from firmware_bridge.referee.openings import both_bound
from firmware_bridge.service.fact_letters import letter_of, numbers
from firmware_bridge.service.friend_heard import (
    accusations,
    of_kind,
    other_release,
    runs,
    says,
    set_right,
    told_in,
    unopened,
)

Owed = tuple[Kind, Mapping[str, object]]


def owed(game: RecordedGame, letters: Line, *, false: str = "") -> Owed | None:
    """Return the letter that is to be written next, `None` if all has been told.

    The game is as far as it is on disk, and `left` if nobody goes on with it here.
    """
    return next(_owed(game, letters, false), None) if letters.sure and not letters.ended else None


def settled(game: RecordedGame, letters: Line) -> bool:
    """Return whether a game that nobody goes on with here has nothing more to be told of it."""
    if letters.ended:
        return True
    if not letters.sure or next(_owed(game, letters, ""), None):
        return False
    hides = game.agreement.terms().hides and both_bound(game.state)
    told = any(says(letters.taken, last) for last in ("record", "left", "false"))
    return (not hides or game.state.audited is not None) and (told or record_of(game) is None)


def forgotten(game: RecordedGame, letters: Line) -> bool:
    """Return whether this host has told more of the game than it knows of it any more.

    Its journal was put back to an earlier one than its letters: what it would go on with is not the
    game that the other host knows, and what that one tells of it would look like a lie.
    """
    return max(numbers(letters.sent), default=0) > len(facts(game.records))


def awaited(game: RecordedGame, letters: Line) -> object:
    """Return what the other host must tell now, `None` if nothing.

    It need not before it has all that this host has to tell, and has confirmed it: one that cannot
    keep a letter, as its disk is full, confirms none. Nor once it has said that its letters are
    lost, while it runs another release, or while hands set its board right. Who has left the game
    has but to open what is hidden.
    """
    if letters.ended or letters.outstanding or owed(game, letters):
        return None
    if other_release(letters) or not set_right(letters.taken):
        return None
    if game.state.stage == "over":
        return unopened(game) or None
    return None if says(letters.taken, "left") else game.state.put


def _owed(game: RecordedGame, letters: Line, false: str) -> Iterator[Owed]:
    if runs(letters.sent, letters.taken) != release():  # updated since
        yield "answer", {"release": release()}
    if not false:
        yield from _facts(game, letters)
        yield from _wish(game, letters)
    if game.left and not says(letters.sent, "left"):
        yield "answer", {"left": True}
    if game.left or game.state.stage == "over":
        yield from _secrets(game, letters)
    if not says(letters.sent, "record") and (own := record_of(game)):
        yield "end", {"record": own}
    why = false or game.state.audited
    if why and not accusations(letters.sent):
        yield "end", {"false": why}


def record_of(game: RecordedGame) -> str | None:
    """Return the hash of a game's PGN, which both hosts sign; `None` while it is not open.

    Example: `printf %s` of the file, through `sha256sum`.
    """
    if game.left or game.state.stage != "over" or game.state.audited:
        return None
    try:
        return sha256(to_pgn(game).encode()).hexdigest()
    except NotYetOpen:
        return None


def disputed(game: RecordedGame, letters: Line) -> bool:
    """Return whether the other host has signed another record of the game than this one's.

    Another release may write another one of the same game.
    """
    theirs = [
        came.letter.body["record"]
        for came, then in told_in(letters)
        if "record" in came.letter.body and then == release()
    ]
    return bool(theirs) and (own := record_of(game)) is not None and theirs.count(own) < len(theirs)


def _facts(game: RecordedGame, letters: Line) -> Iterator[Owed]:
    """Yield what has become a fact here and was not told."""
    terms, told = game.agreement.terms(), max(numbers(letters.sent), default=0)
    for number, fact in enumerate(facts(game.records), start=1):
        if fact.data["at"] == terms.here and number > told:
            yield letter_of(number, fact, hides=terms.hides)


def _wish(game: RecordedGame, letters: Line) -> Iterator[Owed]:
    """Yield what a player here has said, on which the other host decides."""
    state = game.state
    if not state.asked or state.stage == "over" or has_word(game.agreement.terms(), state):
        return
    asks = sum(record.kind == "asked" for record in game.records)
    if asks not in [body.get("ask") for body in of_kind(letters.sent, "claim")]:
        yield "claim", {"ask": asks, "after": len(facts(game.records)), "says": state.asked}


def _secrets(game: RecordedGame, letters: Line) -> Iterator[Owed]:
    """Yield what this host has hidden, now that nobody plays on."""
    terms = game.agreement.terms()
    opened = opened_at_end(terms, game.records) if terms.hides else None
    if opened is not None and not of_kind(letters.sent, "audit"):
        yield "audit", opened
