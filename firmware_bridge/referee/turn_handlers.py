"""Turns taken, amended and taken back."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.clock.clock import Clock
from firmware_bridge.messages.outputs import Taken
from firmware_bridge.referee import remarks
from firmware_bridge.referee.game_state import TO_BE_CARRIED_OUT, Played, State, Terms
from firmware_bridge.referee.transition import Step, end, say
from rules import draws
from rules.interface import Outcome, Position, Side, Turn


def take(terms: Terms, state: State, text: str, t_ms: int, *, by_computer: bool = False) -> Step:
    """Let a legal turn stand; its text is judged again, so a wrong record cannot pass.

    No clock runs while hands carry out what a computer plays.
    """
    state = under_way(state, t_ms)
    turn = state.position.parse_turn(text)
    after = _played(state, turn, t_ms)
    clock = _hand_over(state, after, t_ms)
    # An offer lapses when the other player makes a turn instead of answering.
    offer = state.offer if state.offer and state.offer[1] == state.position.side else None
    after = replace(after, clock=clock, offer=offer)
    taken = Taken(t_ms / 1000, turn, after.position)
    said = remarks.of_turn(
        terms, state.position, turn, after.position, t_ms, by_computer=by_computer
    )
    step = _settle(terms, Step(after, (taken, *said)), t_ms)
    return _to_be_carried_out(step, t_ms) if by_computer else _named(terms, step, t_ms)


def _named(terms: Terms, step: Step, t_ms: int) -> Step:
    """Wait for the tokens with one face that were turned over: the board names the others."""
    made = step.state.played[-1]
    turned = {label[0] for _, label in made.before.deed(made.turn).flips}
    named = turned.intersection(side[0] for side in terms.game.tokens)
    return _to_be_carried_out(step, t_ms) if named else step


def _to_be_carried_out(step: Step, t_ms: int) -> Step:
    """Let the clocks wait until hands have done what the board names."""
    clock = step.state.clock.stop(t_ms)
    waiting = replace(step.state, clock=clock, trouble=TO_BE_CARRIED_OUT)
    return Step(waiting, step.outputs)


def under_way(state: State, t_ms: int) -> State:
    """Return the state with the game going on: a turn begins it, or ends a pause."""
    if state.stage == "playing":
        return state
    clock = state.clock.start(state.position.side, t_ms)
    return replace(state, stage=state.after("turn"), clock=clock)


def amend(terms: Terms, state: State, text: str, t_ms: int) -> Step:
    """Replace the turn taken last by another one of the same player, as if made at that time.

    The clocks run on as they do, with all that was corrected since, unless the two turns differ in
    whose time they let run.
    """
    last = state.played[-1]
    before = replace(
        state,
        stage=state.after("turn"),
        ending=None,
        position=last.before,
        own=last.own_before,
        clock=last.clock_before,
        played=state.played[:-1],
    )
    turn = before.position.parse_turn(text)
    after = _played(before, turn, last.t_ms)
    runs, ran = _hands_over(last.side, after.position), _hands_over(last.side, state.position)
    if state.stage == "playing" and runs == ran:
        clock = state.clock.start(after.position.side, t_ms)
    else:
        clock = _hand_over(before, after, last.t_ms)
    after = replace(after, clock=clock)
    amended = Taken(t_ms / 1000, turn, after.position, amended=True)
    said = (
        *remarks.of_undone(terms, last, state.position, t_ms),
        *remarks.of_turn(terms, last.before, turn, after.position, t_ms),
    )
    return _named(terms, _settle(terms, Step(after, (amended, *said)), t_ms), t_ms)


def take_back(terms: Terms, state: State, t_ms: int) -> Step:
    """Undo the last turn, also one that ended the game; the time it took stays used.

    A pause goes on, with the board judged so that its lights guide back. After a flag has fallen
    the game is paused until the arbiter has given time.
    """
    last = state.played[-1]
    clock = state.clock
    if _hands_over(last.side, state.position):
        clock = clock.undo(last.side, t_ms, before=last.clock_before, made=last.t_ms)
    stage = state.after("halt" if clock.fallen else "take-back")
    paused = stage != "playing"
    trouble = None if state.executing else state.trouble  # what was to be done is undone
    waits = trouble is not None and trouble.clock_stopped
    clock = clock.stop(t_ms).raised() if paused or waits else clock.start(last.side, t_ms)
    undone = replace(
        state,
        stage=stage,
        ending=None,
        position=last.before,
        own=last.own_before,
        played=state.played[:-1],
        undone=(*state.undone, state.left_standing),
        clock=clock,
        trouble=trouble,
        offer=None,
        number=state.number + 1,
    )
    coins = remarks.of_undone(terms, last, state.position, t_ms)
    said = (say(t_ms, "taken-back"), *coins)
    return Step(undone, (*said, say(t_ms, "paused")) if paused else said)


def _played(state: State, turn: Turn, t_ms: int) -> State:
    own = state.own.play(turn) if state.own else None
    entry = Played(t_ms, state.position.side, turn, state.position, state.own, state.clock)
    return replace(
        state,
        position=own.position if own else state.position.play(turn),
        own=own,
        played=(*state.played, entry),
        undone=(),
        trouble=None,
        number=state.number + 1,
    )


def _hand_over(before: State, after: State, t_ms: int) -> Clock:
    mover = before.position.side
    clock = before.clock.start(mover, t_ms)
    return clock.complete(mover, t_ms) if _hands_over(mover, after.position) else clock


def _hands_over(mover: Side, after: Position) -> bool:
    """Return whether the mover's time has run: not while he has more to do in the same turn."""
    return after.side != mover or after.outcome is not None


def _settle(terms: Terms, step: Step, t_ms: int) -> Step:
    """End the game if this turn ended it; else say what everyone should know."""
    position = step.state.position
    outcome = position.outcome
    if outcome is None and (reason := draws.forced(step.state.history, position)):
        outcome = Outcome(None, reason)
    if outcome:
        ended = end(step.state, t_ms, outcome.winner, outcome.reason)
        return Step(ended.state, step.outputs + ended.outputs)
    return step.then(*remarks.of_position(terms, position, t_ms))
