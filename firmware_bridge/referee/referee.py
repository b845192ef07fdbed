"""The referee: folds records into the state of a game.

Live play and resuming after a crash go through the same function, so they cannot differ:

    step = apply(terms, state, record)        # as the game is played
    state = rebuild(terms, state, records)    # after a restart
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import cast

from firmware_bridge.messages.records import PhoneSeat, Record, RecordKind
from firmware_bridge.referee import openings, remarks, rulings
from firmware_bridge.referee import turn_handlers as turns
from firmware_bridge.referee.call_rules import CALLS, Spoken
from firmware_bridge.referee.commitment import Commitment
from firmware_bridge.referee.facts import as_told
from firmware_bridge.referee.game_state import TO_BE_LED_BACK, State, Terms
from firmware_bridge.referee.transition import Step, end, say
from rules.interface import Side, Square


def apply(terms: Terms, state: State, record: Record) -> Step:
    """Return what one record leads to.

    Raises:
        IllegalTurn: when it says that an illegal turn was taken.
        InvalidPosition: when it names a position that is none.
    """
    told = as_told(state, record.data, record.t_ms) if "at" in record.data else state
    step = _HANDLERS[record.kind](terms, told, record)
    clock = replace(step.state.clock, told=terms.away)
    # Whatever befalls boards and line, no pause but one that both have heard of stops days.
    if terms.in_days and step.state.stage in ("playing", "interrupted"):
        clock = clock.start(step.state.position.side, record.t_ms)
    if step.state.put:  # nobody's time runs while a turn waits for what the other host tells
        clock = clock.stop(record.t_ms)
    after = replace(step.state, clock=clock, t_ms=max(state.t_ms, record.t_ms))
    return Step(after, step.outputs)


def rebuild(terms: Terms, state: State, records: Iterable[Record]) -> State:
    """Return the state that records lead to."""
    for record in records:
        state = apply(terms, state, record).state
    return state


def _begun(_terms: Terms, state: State, record: Record) -> Step:
    kept = cast("Mapping[Side, int]", record.data.get("seats", {}))
    return Step(
        replace(state, seats={**state.seats, **dict.fromkeys(kept, PhoneSeat(1, taken=True))})
    )


def _committed(_terms: Terms, state: State, record: Record) -> Step:
    """Take in what a computer's pieces hide."""
    made = Commitment.from_data(record.data)
    placement = {**state.position.placement, **made.pieces}
    return Step(
        replace(
            state,
            position=state.position.rearranged(placement),
            commitments={**state.commitments, made.side: made},
        )
    )


def _set_up(terms: Terms, state: State, record: Record) -> Step:
    position = terms.game.parse(str(record.data["position"]))
    ready = replace(state.at(terms, position), stage=state.after("set-up"))
    coins = remarks.of_set_up(terms, None, position, record.t_ms)
    return Step(ready, (*coins, say(record.t_ms, "ready", side=f"side-{position.side}")))


def _sides(_terms: Terms, state: State, record: Record) -> Step:
    """Take in by which tag discs lie, or that none is known to lie there."""
    lying = {**state.lying, **cast("Mapping[Square, str | None]", record.data)}
    return Step(replace(state, lying={s: uid for s, uid in lying.items() if uid is not None}))


def _taken(terms: Terms, state: State, record: Record) -> Step:
    elsewhere = terms.away is not None and state.position.side == terms.away
    by_computer = bool(record.data.get("computer")) or elsewhere
    if "world" in record.data:
        state = openings.answered(terms, state, record.data)
    return turns.take(terms, state, str(record.data["turn"]), record.t_ms, by_computer=by_computer)


def _disturbed(_terms: Terms, state: State, record: Record) -> Step:
    """Let the clocks wait until the board is right, as it was before a gap."""
    clock = state.clock.stop(record.t_ms)
    return Step(replace(state, clock=clock, trouble=TO_BE_LED_BACK))


def _call(terms: Terms, state: State, record: Record) -> Step:
    by = cast("Side | None", record.data.get("by"))
    details = cast("Mapping[str, str]", record.data.get("data", {}))
    what = str(record.data["what"])
    step = CALLS[what].follow(Spoken(terms, state, what, by, details, record.t_ms))
    return Step(replace(step.state, asked=None), step.outputs)


def _line(_terms: Terms, state: State, record: Record) -> Step:
    """Let the clocks wait while the line is out, and go on when it is there again."""
    out = bool(record.data["out"])
    clock = state.clock.stop(record.t_ms)
    waits = out or state.stage != "playing" or (state.trouble and state.trouble.clock_stopped)
    if not waits:
        clock = clock.start(state.position.side, record.t_ms)
    return Step(replace(state, clock=clock, line_out=out))


def _audited(terms: Terms, state: State, record: Record) -> Step:
    """Take in what going through the game again has shown: who has lied has lost."""
    why = str(record.data["why"])
    found = replace(state, audited=why)
    if not why:
        start = terms.game.parse(str(record.data["start"]))
        turns = cast("Mapping[str, str]", record.data["turns"])
        open_to_all = openings.as_it_was(found, start, [turns[n] for n in sorted(turns, key=int)])
        return Step(open_to_all, (say(record.t_ms, "distance-audited"),))
    step = end(found, record.t_ms, terms.here, "lied")
    return Step(step.state, (say(record.t_ms, "distance-lied", why=why), *step.outputs))


def _opened(terms: Terms, state: State, record: Record) -> Step:
    """Let everyone know that somebody sees what they must not."""
    shows = terms.secret and state.stage != "over"
    return Step(state, (say(record.t_ms, "referee-opened"),) if shows else ())


def _seated(_terms: Terms, state: State, record: Record) -> Step:
    side, taken = cast("Side", record.data["side"]), bool(record.data["taken"])
    before = state.seats[side]
    after = PhoneSeat(before.claims + taken, taken)
    step = Step(replace(state, seats={**state.seats, side: after}))
    if state.stage == "over" or not before.taken:
        return step
    how = "seat-handed-over" if taken else "seat-left"
    return step.then(say(record.t_ms, how, side=f"side-{side}"))


def _hinted(_terms: Terms, state: State, record: Record) -> Step:
    """Give the hint that was asked for last, for all to hear where all may know it."""
    text = cast("str | None", record.data["turn"])
    if text is None:
        return Step(replace(state, hints=state.hints[:-1]), (say(record.t_ms, "hint-none"),))
    turn = state.position.parse_turn(text)
    given = replace(state.hints[-1], turn=turn)
    step = Step(replace(state, hints=(*state.hints[:-1], given)))
    if given.private:
        return step
    advised = remarks.unplayed(state.position, turn)
    deed = remarks.told_deed(state.position, turn, each=True)
    return step.then(say(record.t_ms, "hint", turn=advised, deed=deed))


def _weakened(_terms: Terms, state: State, record: Record) -> Step:
    side = cast("Side", record.data["side"])
    weakened = {**state.weakened, side: len(state.played)}
    return Step(replace(state, weakened=weakened))


def _reopened(terms: Terms, state: State, _record: Record) -> Step:
    """Stop the clocks where the last record saw them: time lost to a crash is not charged.

    Days go on meanwhile.
    """
    clock = state.clock if terms.in_days else state.clock.stop(state.t_ms)
    return Step(replace(state, stage=state.after("reopen"), clock=clock))


Handler = Callable[[Terms, State, Record], Step]
_NOTHING: Handler = lambda _, state, __: Step(state)  # noqa: E731
_HANDLERS: Mapping[RecordKind, Handler] = {
    "begun": _begun,
    "seeded": lambda _, state, it: Step(replace(state, seed=str(it.data["seed"]))),
    "pledged": lambda terms, state, it: Step(openings.pledged(terms, state, it.data)),
    "committed": _committed,
    "set-up": _set_up,
    # which pieces stand where; they look as before
    "arranged": lambda terms, state, it: Step(
        replace(state, position=terms.game.parse(str(it.data["position"])))
    ),
    "sides": _sides,
    "put": lambda terms, state, it: Step(openings.put(terms, state, it.data, it.t_ms)),
    "taken": _taken,
    "amended": lambda terms, state, it: turns.amend(terms, state, str(it.data["turn"]), it.t_ms),
    "taken-back": lambda terms, state, it: turns.take_back(terms, state, it.t_ms),
    "attempt": lambda terms, state, it: rulings.attempt(terms, state, it.data, it.t_ms),
    "ruled": _NOTHING,
    "disturbed": _disturbed,
    "restored": lambda _, state, it: rulings.restored(state, it.t_ms),
    "call": _call,
    "hinted": _hinted,
    "kings": lambda _, state, it: end(
        state, it.t_ms, cast("Side | None", it.data["winner"]), "kings-in-centre"
    ),
    "weakened": _weakened,
    "flag": lambda _, state, it: rulings.flag(state, it.t_ms),
    "asked": lambda _, state, it: Step(replace(state, asked=cast("str | None", it.data["what"]))),
    "line": _line,
    "audited": _audited,
    "opened": _opened,
    "seated": _seated,
    "piped": _NOTHING,
    "beat": _NOTHING,
    "reopened": _reopened,
    "ended": _NOTHING,
}
