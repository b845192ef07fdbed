"""What players and the arbiter can say besides turns: who may say it, and when.

One table says it all: `CALLS`. What follows from a call: `call_handlers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.stages import STEPS
from rules import draws
from rules.interface import InvalidPosition, Side

Speaker = Literal["player", "anyone", "arbiter"]


@dataclass(frozen=True, slots=True)
class Spoken:
    """One call in its situation.

    Attributes:
        terms: what holds throughout the game.
        state: where the game stands.
        what: the name of the call.
        by: who said it; `None` for the board and the arbiter.
        data: its details.
        t_ms: table time.
        own: whether who has the seat says it himself, a computer or somebody far away.
    """

    terms: Terms
    state: State
    what: str
    by: Side | None
    data: Mapping[str, str]
    t_ms: int
    own: bool = False


Objection = Callable[[Spoken], str | None]
"""Why a call cannot be made now, as a key of the word catalogue, or `None`."""


@dataclass(frozen=True, slots=True)
class CallKind:
    """One thing that can be said.

    Attributes:
        by: who may say it; a player's call needs a side.
        objection: what speaks against it now.
        data: names of the details that it takes in `messages.Call.data`.
        after_the_end: whether it can be said of a game that is over.
    """

    by: Speaker
    objection: Objection
    data: tuple[str, ...] = ()
    after_the_end: bool = False


def objection(spoken: Spoken) -> str | None:
    """Return the key of the words that say why this cannot be said now, or `None`."""
    kind = CALLS.get(spoken.what)
    if kind is None:
        return "refused-unknown"
    if kind.by == "player" and spoken.by is None:
        return "refused-who"
    for_it = spoken.by in spoken.terms.elsewhere and not spoken.own
    if kind.by == "player" and for_it and spoken.what != "press":
        return "refused-turn"  # nobody speaks for a computer; its button still begins and goes on
    if spoken.state.stage == "over" and not kind.after_the_end:
        return "refused-over"
    return _details(spoken, kind) or kind.objection(spoken)


def _details(spoken: Spoken, kind: CallKind) -> str | None:
    """Object where details lack, or where only one of two hosts would hear of it."""
    if spoken.terms.away and (kind.by == "arbiter" or spoken.what in TAKE_BACKS):
        return "refused-distance"
    lacking = any(not spoken.data.get(name, "").strip() for name in kind.data)
    return "refused-details" if lacking else None


def _never(_: Spoken) -> None:
    return None


def _unless_it_leads_on(words: str) -> Objection:
    """Object in all stages in which this can not happen."""
    return lambda spoken: None if spoken.state.stage in STEPS[spoken.what] else words


def _unless_offered(*offers: str) -> Objection:
    """Object unless the opponent has offered one of these."""

    def check(spoken: Spoken) -> str | None:
        offer = spoken.state.offer
        return (
            None if offer and offer[0] in offers and offer[1] != spoken.by else "refused-no-offer"
        )

    return check


def _not_playing(spoken: Spoken) -> str | None:
    return None if spoken.state.stage == "playing" else "refused-not-playing"


def _draw_offer(spoken: Spoken) -> str | None:
    offered = spoken.state.offer == ("draw", spoken.by)
    return _not_playing(spoken) or ("refused-offered" if offered else None)


def _take_back_offer(spoken: Spoken) -> str | None:
    if spoken.terms.secret:
        return "refused-secret"
    return _nothing_played(spoken)


def _nothing_played(spoken: Spoken) -> str | None:
    return None if spoken.state.played else "refused-nothing-played"


def claimable(state: State) -> tuple[str, ...]:
    """Return why a draw may be claimed now: some of `draws.CLAIMS`, perhaps none."""
    return draws.claimable(state.history, state.position)


def _claim(reason: str) -> Objection:
    """Return what objects where this reason for a draw is not there."""
    return lambda spoken: None if reason in claimable(spoken.state) else f"refused-{reason}"


def _draw_claim(spoken: Spoken) -> str | None:
    return None if claimable(spoken.state) else "refused-claim"


def _no_chance(spoken: Spoken) -> str | None:
    if not spoken.state.goes_on:
        return "refused-not-playing"
    if spoken.by not in (None, spoken.state.position.side):
        return "refused-turn"
    decision = spoken.state.position.decision
    return None if decision and decision.chance else "refused-roll"


def _before_the_game(spoken: Spoken) -> str | None:
    return "refused-not-ready" if spoken.state.stage == "set-up" else None


def _cell(spoken: Spoken) -> str | None:
    return None if spoken.data["cell"] in spoken.terms.game.squares else "refused-cell"


def _time(spoken: Spoken) -> str | None:
    if spoken.state.clock.control.untimed:
        return "refused-untimed"
    try:
        seconds = float(spoken.data["seconds"])
    except ValueError:
        return "refused-seconds"
    if not abs(seconds) <= 360_000:  # nor is it a number if it is "nan"
        return "refused-seconds"
    return None if spoken.data["side"] in ("white", "black") else "refused-side"


def _position(spoken: Spoken) -> str | None:
    try:
        spoken.terms.game.parse(spoken.data["position"])
    except InvalidPosition:
        return "refused-position"
    return None


def _award(spoken: Spoken) -> str | None:
    return None if spoken.data["winner"] in ("white", "black", "draw") else "refused-winner"


def _hint(spoken: Spoken) -> str | None:
    """Object unless this player may be helped with what he has to do now."""
    state, side = spoken.state, spoken.state.position.side
    if state.stage != "playing":
        return "refused-not-playing"
    if state.executing or state.trouble:
        return "want-board-right"
    if spoken.by != side:
        return "refused-turn"
    if not spoken.terms.advises(side):
        return "refused-hint"
    if spoken.terms.private and not state.seats[side].taken:
        return "refused-hint-private"
    decision = state.position.decision
    return "refused-hint-chance" if decision and decision.chance else None


TAKE_BACKS = "offer-take-back", "accept-take-back"

CALLS: Mapping[str, CallKind] = {
    "press": CallKind("player", _never),  # the clock button, pressed on a phone
    "start": CallKind("anyone", _unless_it_leads_on("refused-not-ready")),
    "resign": CallKind("player", _never),
    "offer-draw": CallKind("player", _draw_offer),
    "accept-draw": CallKind("player", _unless_offered("draw")),
    "offer-take-back": CallKind("player", _take_back_offer),
    "accept-take-back": CallKind("player", _unless_offered("take-back")),
    "decline": CallKind("player", _unless_offered("draw", "take-back")),
    "claim-draw": CallKind("player", _draw_claim),  # for one of the reasons that follow
    **{f"claim-{reason}": CallKind("player", _claim(reason)) for reason in draws.CLAIMS},
    "adjust": CallKind("anyone", _before_the_game),  # says "I adjust"; said again, it is over
    "pause": CallKind("anyone", _not_playing),
    "adjourn": CallKind("anyone", _unless_it_leads_on("refused-not-playing")),
    "resume": CallKind("anyone", _unless_it_leads_on("refused-not-paused")),
    "hint": CallKind("player", _hint),
    "roll": CallKind("anyone", _no_chance),  # the machine's dice; typed ones are an answer
    "distrust": CallKind("anyone", _cell, ("cell",)),  # the sensor there does not tell the truth
    "add-time": CallKind("arbiter", _time, ("side", "seconds", "reason")),
    "set-position": CallKind("arbiter", _position, ("position", "reason"), after_the_end=True),
    "take-back": CallKind("arbiter", _nothing_played, ("reason",), after_the_end=True),
    "award": CallKind("arbiter", _award, ("winner", "reason"), after_the_end=True),
}
"""Everything that can be said, by name."""
