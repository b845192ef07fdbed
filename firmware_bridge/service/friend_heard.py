"""What is heard of a friend's board, or that nothing is."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from firmware_bridge.distance.letters import Signed
from firmware_bridge.distance.line import Line, Why
from firmware_bridge.distance.pairing import release, shown
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.referee.openings import both_bound
from firmware_bridge.service.friend_line import FriendLine
from firmware_bridge.views import Announcement

SILENT, WAITS, OFFERS = 5.0, 15.0, 120.0
"""Seconds without a sign of the other host after which both are told, clocks wait, and players are
offered to adjourn."""
REASON = 200
"""Characters that are shown of what another host gives as a reason."""
BUSY = {"waiting", "set-up", "executing", "restoring"}
"""Phases in which hands set a board right."""
SETTING = 5.0
"""Seconds after which the other player is told that they do."""
ANSWERS = 10.0
"""Seconds in which a host that is heard must tell what a turn leads to."""
OPENS = 120.0
"""Seconds in which it must open at the end what its pieces have hidden."""
LOOKS = 5
"""How often this host must have looked meanwhile whether that has come."""


FAULTS: Mapping[Why, str] = {
    "forked": "lie-forked",
    "gap": "lie-gap",
    "other-history": "lie-other-history",
    "taken-back": "lie-taken-back",
}
"""What is wrong with the other host's letters themselves."""
ANOTHER = "lie-record"
"""It has signed another record of the game than was played here."""


class Rightness:
    """Notices that hands set this board right for so long that the other player is to know."""

    def __init__(self) -> None:
        self._line, self._since = "", 0.0

    def news(self, line: str, phase: str, sent: Iterable[Any]) -> bool | None:
        """Return whether the board is right now, where the other host is to be told; else `None`.

        The phase is that of the public view: it tells what everybody at this board sees.
        """
        now, right = time.monotonic(), phase not in BUSY
        if right or line != self._line:
            self._line, self._since = line, now
        told = set_right(sent)
        if right == told or not (right or now - self._since > SETTING):
            return None
        return right


def set_right(letters: Iterable[Any]) -> bool:
    """Return whether a board is right, by what its host has written last of it."""
    told = [body["right"] for body in of_kind(letters, "pause") if "right" in body]
    return not told or told[-1] is not False


class Patience:
    """Waits for what the other host has to tell, while it is heard.

    Only looks count, each for a part of the time: what came while this host was held up, it has not
    read yet.
    """

    def __init__(self) -> None:
        self._awaited: object = None
        self._waited = self._looked = 0.0

    def ends(self, awaited: object, silent: float, *, over: bool) -> bool:
        """Return whether the other host has been waited for in vain.

        Args:
            awaited: what it must tell now, `None` if nothing.
            silent: seconds since anything was heard.
            over: whether the game is.
        """
        now, enough = time.monotonic(), OPENS if over else ANSWERS
        self._waited += min(now - self._looked, enough / LOOKS)
        self._looked = now
        if awaited is not self._awaited or silent > SILENT:
            self._awaited, self._waited = awaited, 0.0
        return awaited is not None and self._waited > enough


def unopened(game: RecordedGame) -> bool:
    """Return whether what pieces have hidden is still to be opened, now that nobody plays on."""
    ended = game.left or game.state.stage == "over"
    return ended and both_bound(game.state) and game.state.audited is None


def silence(line: FriendLine | None) -> float:
    """Return for how many seconds nothing has been heard of a friend."""
    return time.monotonic() - line.heard_at if line else math.inf


def of_kind(letters: Iterable[Any], kind: str) -> list[dict[str, object]]:
    """Return what letters of one kind say."""
    return [dict(each.letter.body) for each in letters if each.letter.kind == kind]


def says(letters: Iterable[Any], what: str) -> bool:
    """Return whether any of these letters has this field."""
    return any(what in each.letter.body for each in letters)


def runs(letters: Iterable[Any], other: Iterable[Any]) -> str:
    """Return the release that the writer of `letters` runs: by what it has told last.

    Until then it is the one in which the game was proposed, perhaps by the `other` one.
    """
    told, agreed = (
        [each.letter.body["release"] for each in way if "release" in each.letter.body]
        for way in (letters, other)
    )
    return shown(str((told[-1:] or agreed[:1] or [""])[0]))


def told_in(letters: Line) -> Iterator[tuple[Signed, str]]:
    """Yield what the other host has told, each with the release that it ran then."""
    then = runs((), letters.sent)
    for each in letters.taken:
        then = shown(str(each.letter.body.get("release", then)))
        yield each, then


def other_release(letters: Line) -> Announcement | None:
    """Return that the other host runs another release, if it does."""
    theirs = runs(letters.taken, letters.sent)
    return None if theirs == release() else unlike(theirs)


def unlike(theirs: str) -> Announcement:
    """Return that the other host has told what its release may tell, but none that runs here."""
    return Announcement("distance-release", {"theirs": theirs, "ours": release()})


def understood(letters: Line) -> Line:
    """Return the line as far as what the other host has told can be looked at here.

    What another release tells may be right by its own rules: none of it is looked at until both
    run the same, and nobody is accused for it then.
    """
    return replace(letters, taken=()) if other_release(letters) else letters


def reads_clocks(letters: Line) -> bool:
    """Return whether both hosts tell how their clocks stand: each has heard what the other runs.

    What another release tells of its clock is not judged here, as nothing else that it tells.
    """
    heard = replace(letters, sent=letters.sent[: letters.confirmed])
    same = runs(heard.sent, heard.taken) == release() and other_release(heard) is None
    return same and says(letters.taken, "reads")


def accusations(letters: Iterable[Any]) -> list[str]:
    """Return what letters say that cannot be of what their reader has told."""
    told = (body.get("false") for body in of_kind(letters, "end"))
    return [why for why in told if isinstance(why, str)]


def in_words(letters: Line | None, false: str, friend: str, *, over: bool) -> Announcement | None:
    """Return what keeps a game from going on, `None` if nothing does.

    `letters` are `None` without a line to the friend; `false` is what his host told that cannot be.
    """
    if false:
        return Announcement("distance-false", {"name": friend, "why": false})
    if letters is None:
        return Announcement("distance-parted", {"name": friend})
    if letters.ended and not over:
        return Announcement(
            "distance-forgot-here" if letters.farewell else "distance-forgot", {"name": friend}
        )
    if accused := accusations(letters.taken):
        return Announcement("distance-accused", {"name": friend, "why": shown(accused[0], REASON)})
    if says(letters.taken, "left"):
        return Announcement("distance-left", {"name": friend})
    return None if over else other_release(letters)
