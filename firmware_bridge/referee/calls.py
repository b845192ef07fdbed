"""What players and the arbiter can say besides turns, by name (`messages.Call.what`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["player", "anyone", "arbiter"]


@dataclass(frozen=True, slots=True)
class CallKind:
    """One thing that can be said.

    Attributes:
        by: who may say it; a player's call needs a side.
        data: names of the details that it takes in `messages.Call.data`.
    """

    by: Speaker
    data: tuple[str, ...] = ()


CALLS: dict[str, CallKind] = {
    "press": CallKind("player"),  # the clock button, pressed on a phone
    "start": CallKind("anyone"),
    "resign": CallKind("player"),
    "offer-draw": CallKind("player"),
    "accept-draw": CallKind("player"),
    "offer-take-back": CallKind("player"),
    "accept-take-back": CallKind("player"),
    "decline": CallKind("player"),
    "claim-repetition": CallKind("player"),
    "claim-fifty-moves": CallKind("player"),
    "adjust": CallKind("anyone"),
    "adjusted": CallKind("anyone"),
    "pause": CallKind("anyone"),
    "adjourn": CallKind("anyone"),
    "resume": CallKind("anyone"),
    "roll": CallKind("anyone"),
    "add-time": CallKind("arbiter", ("side", "seconds", "reason")),
    "set-position": CallKind("arbiter", ("position", "reason")),
    "take-back": CallKind("arbiter", ("reason",)),
    "award": CallKind("arbiter", ("winner", "reason")),
}
