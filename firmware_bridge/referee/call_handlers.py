"""What follows from what players and the arbiter say besides turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from firmware_bridge.referee import remarks
from firmware_bridge.referee import turn_handlers as turns
from firmware_bridge.referee.call_rules import Spoken, claimable
from firmware_bridge.referee.game_state import Hint, Offer
from firmware_bridge.referee.transition import Step, end, say
from rules import draws
from rules.interface import Side
from rules.values import opponent

Follow = Callable[["Spoken"], Step]


def follow(spoken: Spoken) -> Step:
    """Return what follows from a call that nothing spoke against."""
    return _FOLLOWS[spoken.what](spoken)


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


def _hint(spoken: Spoken) -> Step:
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
    return Step(replace(spoken.state, stage=stage, clock=clock), (say(spoken.t_ms, stage),))


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
        number=state.number + 1,
    )
    was, now = spoken.state.position, state.position
    coins = remarks.of_set_up(spoken.terms, was, now, spoken.t_ms)
    return Step(state, (say(spoken.t_ms, "position-corrected"), *coins))


def _awarded(spoken: Spoken) -> Step:
    winner = spoken.data["winner"]
    side = None if winner == "draw" else cast("Side", winner)
    return end(spoken.state, spoken.t_ms, side, "arbiter")


_FOLLOWS: Mapping[str, Follow] = {
    "start": _start,
    "resign": lambda it: end(it.state, it.t_ms, opponent(cast("Side", it.by)), "resignation"),
    "offer-draw": _offer("draw"),
    "accept-draw": _draw("agreed-draw"),
    "offer-take-back": _offer("take-back"),
    "accept-take-back": _taken_back,
    "decline": lambda it: Step(replace(it.state, offer=None), (say(it.t_ms, "declined"),)),
    "claim-draw": lambda it: end(it.state, it.t_ms, None, claimable(it.state)[0]),
    **{f"claim-{reason}": _draw(reason) for reason in draws.CLAIMS},
    "adjust": _adjust,
    "distrust": _distrusted,
    "hint": _hint,
    "pause": _pause,
    "adjourn": _pause,
    "resume": _start,
    "add-time": _time_added,
    "set-position": _position_set,
    "take-back": _taken_back,
    "award": _awarded,
}
