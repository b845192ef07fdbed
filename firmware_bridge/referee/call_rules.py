"""What players and the arbiter can say besides turns: who may say it, when, and what follows.

One table says it all: `CALLS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from firmware_bridge.referee import remarks
from firmware_bridge.referee import turn_handlers as turns
from firmware_bridge.referee.game_state import Hint, Offer, State, Terms
from firmware_bridge.referee.stages import STEPS
from firmware_bridge.referee.transition import Step, end, say
from rules import draws
from rules.interface import InvalidPosition, Side
from rules.values import SIDES, opponent

Speaker = Literal["player", "anyone", "arbiter"]


@dataclass(frozen=True, slots=True)
class Spoken:
    """One call in its situation.

    Attributes:
        what: the name of the call.
        by: who said it; `None` for the board and the arbiter.
        data: its details.
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
Follow = Callable[[Spoken], Step]
"""What follows from a call that nothing speaks against."""


def _nothing(spoken: Spoken) -> Step:
    return Step(spoken.state)


@dataclass(frozen=True, slots=True)
class CallKind:
    """One thing that can be said.

    Attributes:
        by: who may say it; a player's call needs a side.
        objection: what speaks against it now.
        follow: what follows from it.
        data: names of the details that it takes in `messages.Call.data`.
        after_the_end: whether it can be said of a game that is over.
    """

    by: Speaker
    objection: Objection
    follow: Follow = _nothing
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
    theirs = kind.by == "player" or spoken.by == spoken.terms.away
    if theirs and for_it and spoken.what != "press":
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


def _unless(words: str, holds: Callable[[Spoken], bool]) -> Objection:
    """Object in these words unless something holds."""
    return lambda spoken: None if holds(spoken) else words


def _unless_it_leads_on(words: str) -> Objection:
    """Object in all stages in which this can not happen."""
    return _unless(words, lambda it: it.state.stage in STEPS[it.what])


def _unless_offered(*offers: str) -> Objection:
    """Object unless the opponent has offered one of these."""

    def offered(it: Spoken) -> bool:
        return it.state.offer in {
            (offer, side) for offer in offers for side in SIDES if side != it.by
        }

    return _unless("refused-no-offer", offered)


_not_playing = _unless("refused-not-playing", lambda it: it.state.stage == "playing")
_nothing_played = _unless("refused-nothing-played", lambda it: bool(it.state.played))


def _draw_offer(spoken: Spoken) -> str | None:
    offered = spoken.state.offer == ("draw", spoken.by)
    return _not_playing(spoken) or ("refused-offered" if offered else None)


def _take_back_offer(spoken: Spoken) -> str | None:
    return "refused-secret" if spoken.terms.secret else _nothing_played(spoken)


def claimable(state: State) -> tuple[str, ...]:
    """Return why a draw may be claimed now: some of `draws.CLAIMS`, perhaps none."""
    return draws.claimable(state.history, state.position)


def _claim(reason: str) -> Objection:
    """Object where this reason for a draw is not there."""
    return _unless(f"refused-{reason}", lambda it: reason in claimable(it.state))


def _no_chance(spoken: Spoken) -> str | None:
    if not spoken.state.goes_on:
        return "refused-not-playing"
    if spoken.by not in (None, spoken.state.position.side):
        return "refused-turn"
    return None if spoken.state.position.awaits_dice else "refused-roll"


_before_the_game = _unless("refused-not-ready", lambda it: it.state.stage != "set-up")
_claimless = _unless("refused-claim", lambda it: bool(claimable(it.state)))
_no_cell = _unless("refused-cell", lambda it: it.data["cell"] in it.terms.game.squares)
_no_result = _unless("refused-winner", lambda it: it.data["winner"] in (*SIDES, "draw"))


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
    return "refused-hint-chance" if state.position.awaits_dice else None


def _offer(kind: Offer) -> Follow:
    def offered(spoken: Spoken) -> Step:
        asked = opponent(cast("Side", spoken.by))
        if kind == "take-back" and asked in spoken.terms.computers:
            return _taken_back(spoken)
        state = replace(spoken.state, offer=(kind, cast("Side", spoken.by)))
        return Step(state, (say(spoken.t_ms, f"offer-{kind}", side=f"side-{spoken.by}"),))

    return offered


def _draw(reason: str) -> Follow:
    return lambda spoken: end(spoken.state, spoken.t_ms, None, reason)


def _taken_back(spoken: Spoken) -> Step:
    """Undo the last turn, and a person's before a computer's: it would make the same again."""
    step = turns.take_back(spoken.terms, spoken.state, spoken.t_ms)
    by_people = len(spoken.terms.computers) < 2
    while by_people and step.state.played and step.state.position.side in spoken.terms.computers:
        also = turns.take_back(spoken.terms, step.state, spoken.t_ms)
        step = Step(
            also.state, (*step.outputs, *(o for o in also.outputs if o not in step.outputs))
        )
    return step


def _distrusted(spoken: Spoken) -> Step:
    """Remember the cell; the rest is a matter of the board, not of the game."""
    cells = dict.fromkeys((*spoken.state.distrusted, spoken.data["cell"]))
    return Step(replace(spoken.state, distrusted=tuple(cells)))


def _hinted(spoken: Spoken) -> Step:
    """Remember who asks; in one position the answer stays the same, and counts once.

    Where it is not for all, they hear of it now and nothing later.
    """
    state = spoken.state
    if state.hint is not None:
        return Step(state)
    asked = Hint(cast("Side", spoken.by), state.number, private=spoken.terms.private)
    step = Step(replace(state, hints=(*state.hints, asked)))
    if not asked.private:
        return step
    return step.then(say(spoken.t_ms, "hint-private", side=f"side-{asked.side}"))


def _adjust(spoken: Spoken) -> Step:
    on = not spoken.state.adjusting
    words = say(spoken.t_ms, "adjusting" if on else "adjusted")
    return Step(replace(spoken.state, adjusting=on), (words,))


def _pause(spoken: Spoken) -> Step:
    stage, clock = spoken.state.after(spoken.what), spoken.state.clock.stop(spoken.t_ms)
    adjusting = spoken.state.adjusting and stage != "adjourned"  # pieces that are put away
    state = replace(spoken.state, stage=stage, clock=clock, adjusting=adjusting)
    return Step(state, (say(spoken.t_ms, stage),))


def _start(spoken: Spoken) -> Step:
    state, side = spoken.state, spoken.state.position.side
    clock = state.clock
    if not (state.trouble and state.trouble.clock_stopped):
        clock = clock.start(side, spoken.t_ms)
    key = "resumed" if spoken.what == "resume" else "go"
    first = key != "go" or side == spoken.terms.game.start().side
    words = say(spoken.t_ms, key if first else "to-move", side=f"side-{side}")
    state = replace(state, stage=state.after(spoken.what), clock=clock)
    ended = state.position.outcome
    if ended:  # a position that somebody gave can be one in which nobody plays
        return end(state, spoken.t_ms, ended.winner, ended.reason)
    return Step(state, (words,))


def _time_added(spoken: Spoken) -> Step:
    side, seconds = cast("Side", spoken.data["side"]), float(spoken.data["seconds"])
    clock = spoken.state.clock.add(side, round(1000 * seconds), spoken.t_ms)
    words = say(spoken.t_ms, "time-corrected", side=f"side-{side}", seconds=f"{seconds:+g}")
    return Step(replace(spoken.state, clock=clock), (words,))


def _position_set(spoken: Spoken) -> Step:
    """Go on from another position; turns before it cannot be taken back.

    Until a clock button is pressed the board is judged, so that its lights guide to the position.
    """
    state = spoken.state.at(spoken.terms, spoken.terms.game.parse(spoken.data["position"]))
    state = replace(
        state,
        stage=state.after("halt"),
        clock=state.clock.stop(spoken.t_ms).fresh_turn().raised(),
        trouble=None,
        offer=None,
        ending=None,
        played=(),
        undone=(*spoken.state.undone, spoken.state.left_standing),
        number=state.number + 1,
    )
    was, now = spoken.state.position, state.position
    coins = remarks.of_set_up(spoken.terms, was, now, spoken.t_ms)
    return Step(state, (say(spoken.t_ms, "position-corrected"), *coins))


def _awarded(spoken: Spoken) -> Step:
    winner = spoken.data["winner"]
    side = None if winner == "draw" else cast("Side", winner)
    return end(spoken.state, spoken.t_ms, side, "arbiter")


def _resigned(it: Spoken) -> Step:
    return end(it.state, it.t_ms, opponent(cast("Side", it.by)), "resignation")


def _claimed(it: Spoken) -> Step:
    return end(it.state, it.t_ms, None, claimable(it.state)[0])


def _declined(it: Spoken) -> Step:
    return Step(replace(it.state, offer=None), (say(it.t_ms, "declined"),))


TAKE_BACKS = "offer-take-back", "accept-take-back"

CALLS: Mapping[str, CallKind] = {
    "press": CallKind("player", _never),  # the clock button, pressed on a phone
    "start": CallKind("anyone", _unless_it_leads_on("refused-not-ready"), _start),
    "resign": CallKind("player", _never, _resigned),
    "offer-draw": CallKind("player", _draw_offer, _offer("draw")),
    "accept-draw": CallKind("player", _unless_offered("draw"), _draw("agreed-draw")),
    "offer-take-back": CallKind("player", _take_back_offer, _offer("take-back")),
    "accept-take-back": CallKind("player", _unless_offered("take-back"), _taken_back),
    "decline": CallKind("player", _unless_offered("draw", "take-back"), _declined),
    "claim-draw": CallKind("player", _claimless, _claimed),  # for one of the reasons that follow
    **{
        f"claim-{reason}": CallKind("player", _claim(reason), _draw(reason))
        for reason in draws.CLAIMS
    },
    # "I adjust"; said again, it is over
    "adjust": CallKind("anyone", _before_the_game, _adjust),
    "pause": CallKind("anyone", _not_playing, _pause),
    "adjourn": CallKind("anyone", _unless_it_leads_on("refused-not-playing"), _pause),
    "resume": CallKind("anyone", _unless_it_leads_on("refused-not-paused"), _start),
    "hint": CallKind("player", _hint, _hinted),
    "roll": CallKind("anyone", _no_chance),  # the machine's dice; typed ones are an answer
    # the sensor there does not tell the truth
    "distrust": CallKind("anyone", _no_cell, _distrusted, ("cell",)),
    "add-time": CallKind("arbiter", _time, _time_added, ("side", "seconds", "reason")),
    "set-position": CallKind(
        "arbiter", _position, _position_set, ("position", "reason"), after_the_end=True
    ),
    "take-back": CallKind("arbiter", _nothing_played, _taken_back, ("reason",), after_the_end=True),
    "award": CallKind("arbiter", _no_result, _awarded, ("winner", "reason"), after_the_end=True),
}
"""Everything that can be said, by name."""
